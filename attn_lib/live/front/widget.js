// The drawn figure as an anywidget: the kernel computes, this module paints. Sliders are ipywidgets.
// Answers, links and drags go to the kernel as states, at most one at a time.

import { declarationOf, enliven } from "./live.js";
import { parseFragment, writeFragment } from "./state.js";

/**
 * The widget of a figure.
 * @param {import("./live.js").Mount | undefined} mount what its drawing.js exports
 * @param {string} styles what all figures share
 */
export function widget(mount, styles) {
  share(styles);
  return { render: (/** @type {any} */ { model, el }) => render(model, el, mount) };
}

/** Add the styles that all figures of a notebook share, once, before what each has of its own. */
function share(styles) {
  const id = "attn-figures";
  const sheet = document.getElementById(id) ?? Object.assign(document.createElement("style"), { id });
  sheet.textContent = styles;
  const own = document.head.querySelector("style[id^='attn_lib.live.host']");
  if (!sheet.isConnected) document.head.insertBefore(sheet, own);
}

let views = 0;

/** Give the ids of a view an ending of its own, and what refers to them: a notebook may show one figure twice. */
function setApart(root) {
  views += 1;
  for (const name of ["id", "for", "aria-labelledby", "aria-describedby"]) {
    for (const element of root.querySelectorAll(`[${name}]`)) {
      element.setAttribute(name, `${element.getAttribute(name)}-${views}`);
    }
  }
}

function render(model, el, mount) {
  el.innerHTML = model.get("html");
  setApart(el);
  const declaration = declarationOf(el);
  const figure = el.querySelector("figure");
  const published = el.querySelector(".attn-published");
  // The state that the reader has set; the kernel may still be computing it.
  let state = model.get("view").state;
  let asked = false;
  let answers = model.get("view").answers;
  let waiting = false;

  // One question at a time, and no more than one a frame: a drag asks faster than a kernel answers.
  const send = () => {
    if (asked || waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      asked = true;
      model.send({ state });
    });
  };
  const live = enliven(figure, declaration, mount, {
    state: () => state,
    show(next) {
      state = next;
      send();
    },
    settle() {},
    onSteps: true,
  });

  // In a notebook a link to a state must not change the address.
  figure.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const target = link && parseFragment(link.getAttribute("href"), declaration);
    if (!target) return;
    event.preventDefault();
    state = target.state;
    send();
  });

  const paint = () => {
    const view = model.get("view");
    const answered = view.answers !== answers;
    answers = view.answers;
    if (answered) asked = false;
    // The answer has come, but the reader may have moved on; or a slider of the notebook was moved.
    if (answered && !isSame(state, view.state)) send();
    else if (!asked) state = view.state;
    live.paint(view, view.state, { note: view.note });
    if (published) published.hash = writeFragment(view.state, declaration);
  };
  model.on("change:view", paint);
  paint();
  return () => model.off("change:view", paint);
}

function isSame(one, other) {
  return Object.keys(other).every((key) => String(one[key]) === String(other[key]));
}
