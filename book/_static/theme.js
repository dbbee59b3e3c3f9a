/**
 * Before anything is drawn: light or dark, by the reader's last choice, else as the system has it;
 * whether the address asks for a figure alone (attn_lib/frontend/stage.js) or for a handout; and
 * whether sections may wait until the first screen stands (later.js).
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
  // Heights change above a reader who goes to a place: sections wait only on a visit from the top, and
  // only in a browser that holds what is being read in its place meanwhile.
  const [visit] = performance.getEntriesByType("navigation");
  const fromTop = visit?.type === "navigate" && !location.hash;
  const held = CSS.supports("overflow-anchor", "auto") && "requestIdleCallback" in window;
  if (fromTop && held && !stage && !asked.has("handout")) root.dataset.later = "";
  root.dataset.theme = mode === "dark" || (mode !== "light" && dark.matches) ? "dark" : "light";
})();
