/**
 * Before anything is drawn: light or dark, by the reader's last choice, else as the system has it;
 * whether the address asks for a figure alone (attn_lib/frontend/stage.js) or for a handout; and
 * whether the rest may wait until the first screen stands.
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
  // Heights change above a reader who goes to a place: the rest waits only on a visit from the top, and
  // only in a browser that holds what is being read in its place meanwhile.
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const fromTop = visit?.type === "navigate" && !location.hash;
  const held = CSS.supports("overflow-anchor", "auto") && "requestIdleCallback" in window;
  if (fromTop && held && !stage && !asked.has("handout")) wait();
  root.dataset.theme = mode === "dark" || (mode !== "light" && dark.matches) ? "dark" : "light";

  // The first frame has the first screen, the second the figure with its question, the third its body, the
  // fourth the other sections that are near; those further off come when they are wanted or when there is
  // nothing else to do (later.js).
  // All in one frame would keep a slow phone busy for a quarter of a second.
  function wait() {
    const frames = ["figure", "body", "far"];
    const afterFrame = (then) => requestAnimationFrame(() => setTimeout(then));
    const next = () => {
      if (root.dataset.later === undefined) return; // the reader has gone to a place
      root.dataset.later = frames.shift();
      if (frames.length > 0) afterFrame(next);
    };
    root.dataset.later = "first";
    afterFrame(next);
  }
})();
