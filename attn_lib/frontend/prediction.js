// The prediction: three options, never blocking. An answer collapses it to one line with links to compare.

import { fill } from "./format.js";

/**
 * @param {HTMLElement} root the figure
 * @param {any} declaration
 */
export function wirePrediction(root, { right, words }) {
  const box = root.querySelector(".attn-prediction");
  const question = [box.querySelector("legend"), box.querySelector(".attn-options")];
  const said = box.querySelector(".attn-said");
  const verdict = box.querySelector(".attn-verdict");

  const collapse = (answered) => {
    for (const element of question) element.hidden = answered;
    said.hidden = !answered;
  };
  box.addEventListener("change", (event) => {
    const option = Number(event.target.value);
    verdict.textContent = fill(words.frame.you_said, { option: words.options[option] });
    verdict.dataset.verdict = option === right ? "right" : "wrong";
    collapse(true);
    // The focused button is gone: go on with the line that took its place.
    said.querySelector("a").focus();
  });
  box.querySelector(".attn-again").addEventListener("click", () => {
    for (const radio of box.querySelectorAll("input")) radio.checked = false;
    collapse(false);
    box.querySelector("input").focus();
  });
}
