// The prediction: chosen freely, confirmed by a button, answered by a sentence for the option and by the
// figure itself, which goes from what was before to what comes after. It can be asked again.

import { bringBothIntoView, bringIntoView } from "./scroll.js";
import { parseFragment, writeFragment } from "./state.js";
import { setAttributes } from "./svg.js";

/**
 * @param {HTMLElement} root the figure
 * @param {any} declaration
 * @param {object} host
 * @param {(to: any, more?: { from?: any }) => void} host.go show a state, first the one it comes from if there is one
 * @param {() => void} host.forget what the reader has found out is asked again
 * @param {(text: string) => void} host.announce
 * @returns {(state: any) => void} to be called with each state that is shown
 */
export function wirePrediction(root, declaration, { go, forget, announce }) {
  const { frame } = declaration.words;
  const box = root.querySelector(".attn-prediction");
  const form = box.querySelector("form");
  const reply = box.querySelector(".attn-told");
  const verdicts = [...box.querySelectorAll(".attn-verdict")];
  /** @type {HTMLButtonElement} */
  const button = box.querySelector(".attn-confirm");
  const toggles = [...box.querySelectorAll(".attn-pair button")];
  const [before, after] = toggles.map(({ dataset }) => parseFragment(dataset.state, declaration).state);
  let answered = false;

  const turn = () => {
    form.inert = answered;
    reply.inert = !answered;
    button.textContent = answered ? frame.ask_again : frame.show_me;
  };
  const answer = () => {
    const chosen = new FormData(form).get("prediction");
    if (chosen === null) return;
    answered = true;
    turn();
    verdicts.forEach((verdict, i) => (verdict.inert = i !== Number(chosen)));
    announce(verdicts[Number(chosen)].querySelector(".attn-words").textContent);
    go(after, { from: before });
    // Show the verdict and as much of the view below it as fits into the window.
    bringBothIntoView(reply, root.querySelector(".attn-view"));
    // On a small phone the part that was asked about matters more than the beginning of the verdict.
    root.querySelector(".attn-view [data-asked]")?.scrollIntoView({ block: "nearest" });
  };
  const askAgain = () => {
    answered = false;
    turn();
    form.reset();
    button.disabled = true;
    announce("");
    forget();
    go(before, { from: before });
    bringIntoView(box);
    form.querySelector("input").focus({ preventScroll: true });
  };
  form.addEventListener("change", () => (button.disabled = false));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer();
  });
  button.addEventListener("click", () => (answered ? askAgain() : answer()));
  toggles[0].addEventListener("click", () => go(before));
  toggles[1].addEventListener("click", () => go(after));

  return (state) => {
    // Before the answer the toggles are hidden.
    if (!answered) return;
    const link = writeFragment({ ...state, ask: "1" }, declaration);
    for (const toggle of toggles) setAttributes(toggle, { "aria-pressed": toggle.dataset.state === link });
  };
}
