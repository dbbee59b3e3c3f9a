/**
 * Before anything is drawn: light or dark, by the reader's last choice, else as the system has it;
 * and whether the address asks for a figure alone (attn_lib/live/front/stage.js), for a lesson or for a handout.
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
  const lesson = asked.get("lesson");
  if (/^[a-z0-9-]+$/.test(lesson ?? "")) {
    root.dataset.stage = "present";
    root.dataset.lesson = lesson;
    const beside = (/** @type {string} */ name) => new URL(name, /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: beside("deck.css") }));
    for (const src of [`lesson-${lesson}.js`, beside("deck.js")])
      document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
  }
  if (asked.has("handout")) root.dataset.handout = "";
  root.dataset.theme = mode === "dark" || (mode !== "light" && dark.matches) ? "dark" : "light";
})();
