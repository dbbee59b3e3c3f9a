/**
 * Before anything is drawn: light or dark, by the reader's last choice, else as the system has it;
 * and whether the address asks for a figure alone (attn_lib/live/front/stage.js) or for a handout.
 */
(() => {
  const root = document.documentElement;
  let mode = null;
  try {
    mode = localStorage.getItem("mode");
  } catch {
    // storage is refused: the system decides
  }
  root.dataset.mode = ["light", "dark"].includes(mode) ? mode : "auto";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const asked = new URLSearchParams(location.search);
  const stage = ["present", "embed"].find((name) => asked.has(name));
  if (stage) root.dataset.stage = stage;
  if (asked.has("handout")) root.dataset.handout = "";
  root.dataset.theme = mode === "dark" || (mode !== "light" && dark.matches) ? "dark" : "light";
})();
