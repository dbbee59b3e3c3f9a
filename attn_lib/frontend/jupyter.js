// The drawn figure as an anywidget: the kernel computes, this module paints. Sliders are ipywidgets.

import { wirePrediction } from "./prediction.js";
import { parseFragment } from "./state.js";
import { enliven, paintView } from "./view.js";

function render({ model, el }) {
  el.innerHTML = model.get("html");
  const declaration = JSON.parse(el.querySelector("script").textContent);
  const figure = el.querySelector("figure");
  const body = el.querySelector(".attn-body");
  enliven(figure);
  wirePrediction(figure, declaration);

  // A link to a state goes to the kernel; in a notebook it must not change the address.
  figure.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const target = link && parseFragment(link.getAttribute("href"), declaration);
    if (!target) return;
    event.preventDefault();
    const { ask, ...state } = target.state;
    model.send({ state });
  });

  const paint = () => {
    const view = model.get("view");
    paintView(body, view, declaration.words, { note: view.note });
  };
  model.on("change:view", paint);
  paint();
}

export default { render };
