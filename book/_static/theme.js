/** Light or dark, before anything is drawn: the reader's last choice, else what the system has. */
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
  root.dataset.theme = mode === "dark" || (mode !== "light" && dark.matches) ? "dark" : "light";
})();
