// Drawings are made for the width on the screen; paper is narrower.

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
