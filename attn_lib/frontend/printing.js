// On paper a figure is narrower than on the screen, for which its drawing was made.

const DRAWING = ".attn-stage svg:not([viewBox], svg svg)";

/** Let drawings fit their place while the page is printed. */
export function printing() {
  let fitted = [];
  addEventListener("beforeprint", () => {
    fitted = [...document.querySelectorAll(DRAWING)].filter((svg) => svg.clientWidth > 0);
    for (const svg of fitted) svg.setAttribute("viewBox", `0 0 ${svg.clientWidth} ${svg.clientHeight}`);
  });
  addEventListener("afterprint", () => {
    for (const svg of fitted) svg.removeAttribute("viewBox");
  });
}
