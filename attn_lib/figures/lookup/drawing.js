// Figure `lookup`, to see and to press: a name asks for itself. Below, the desks on a line; each pulls the output by a
// string as thick as its weight.

import { chart } from "../../frontend/chart.js";
import { draw, put, px, reveal, tint } from "../../frontend/svg.js";
import { paintBars } from "./bars.js";

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { keys, desks } = declaration.data;
  const records = figure.querySelector(".attn-body [data-view=bars]");
  const names = [...records.querySelectorAll("tbody .attn-row")].map(buttonOf);
  const plot = chart(figure.querySelector(".attn-body .attn-stage"), {
    x: [desks[0] - 6, desks[desks.length - 1] + 6],
    y: [0, 1],
    pad: { left: 4, right: 4, top: 24, bottom: 32 },
    resized({ back, X, Y, left, right, bottom }) {
      back.replaceChildren();
      draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(Y(1))}H${px(right)}` });
      draw(back, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(bottom)}H${px(right)}` });
      desks.forEach((desk, j) => {
        draw(back, "path", { class: "attn-axis-line", d: `M${px(X(desk))} ${px(bottom)}v4` });
        draw(back, "text", { class: "attn-middle", x: px(X(desk)), y: px(bottom + 24) }, String(desk));
        draw(back, "text", { class: "attn-middle", x: px(X(desk)), y: px(Y(1) - 12) }, keys[j]);
      });
      repaint();
    },
  });
  const hue = draw(plot.svg, "g", { class: "attn-hue-value" });
  const strings = desks.map(() => draw(hue, "path", { class: "attn-hue-line attn-string" }));
  const dots = desks.map(() => draw(hue, "circle", { class: "attn-tint attn-dot", r: 7 }));
  const output = draw(hue, "path", { class: "attn-hue-fill attn-output-mark", d: "M0 -9L9 0L0 9L-9 0Z" });

  return {
    paint(view, { q }) {
      paintBars(records, view.parts.records);
      names.forEach((name, j) => name.setAttribute("aria-pressed", String(q.toLowerCase() === keys[j].toLowerCase())));
      if (!plot.width) return;
      const { X, Y } = plot;
      const [weights] = view.parts.weights.rows;
      const [desk] = view.parts.output.rows[0];
      const found = desk !== null;
      desks.forEach((place, j) => {
        put(dots[j], { cx: px(X(place)), cy: px(Y(1)) });
        tint(dots[j], weights[j] ?? 0);
        if (found) put(strings[j], { d: `M${px(X(place))} ${px(Y(1))}L${px(X(desk))} ${px(Y(0))}` });
        strings[j].style.strokeWidth = `${(1 + 10 * weights[j]).toFixed(2)}px`;
        reveal(strings[j], found && weights[j] > 0);
      });
      reveal(output, found);
      if (found) put(output, { transform: `translate(${px(X(desk))} ${px(Y(0))})` });
    },
    presses: names.map((name, j) => [name, { q: keys[j] }]),
  };
}

/** Put a button around what a header says. */
function buttonOf(/** @type {HTMLElement} */ header) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...header.childNodes);
  header.append(button);
  return button;
}
