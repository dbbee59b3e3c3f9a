// The bet of a figure: three buttons on the picture, one press answers. The picture goes from where the question begins
// to its answer; on arrival the line above it says who was right.
//
//   ask ──press──> betting ──arrival──> answered ──another move──> exploring ──"ask me again"──> ask
//
// `data-phase` of the figure names where it is; a state of the reader's own is explored from the start.

import { parseFragment, writeFragment } from "./state.js";
import { hide, setText } from "./text.js";

const LETTERS = "ABC";
const BACK_MS = 350;
const AGAIN_MS = 500;

/**
 * @typedef {object} Motion
 * @property {any} [from] the state to begin with; otherwise the one that is shown
 * @property {number} ms
 * @property {string} [ask] whether the question is asked there; otherwise as it is now
 * @property {(whole: boolean) => void} [then] called at the end, which a touch may bring about
 */

/**
 * @param {HTMLElement} figure
 * @param {any} declaration
 * @param {object} host
 * @param {() => any} host.state
 * @param {(to: any, motion: Motion) => void} host.go
 * @param {() => void} host.forget what the reader has found out is asked again
 * @param {(text: string) => void} host.announce
 * @param {() => void} host.repaint paint again, as a drawing may depend on the phase
 * @returns {{ follow: (state: any) => void, clear: () => void }} what is to be called with each state that is shown, and
 *   what takes an answer back
 */
export function wireBet(figure, declaration, { state, go, forget, announce, repaint }) {
  const { right, ms } = declaration.bet;
  const [before, after] = [declaration.before, declaration.bet.after].map((link) => parseFragment(link, declaration).state);
  /** @type {HTMLElement[]} */
  const bets = [...figure.querySelectorAll(".attn-bet")];
  /** @type {HTMLElement[]} */
  const verdicts = [...figure.querySelectorAll(".attn-verdict")];
  /** @type {HTMLElement} */
  const again = figure.querySelector(".attn-again");
  let picked = -1;
  let resting = ""; // the state in which the answer was given
  const linkOf = (/** @type {any} */ one) => writeFragment({ ...one, ask: "1" }, declaration);

  const enter = (/** @type {string} */ phase) => {
    figure.dataset.phase = phase;
    for (const bet of bets) bet.inert = phase !== "ask";
    verdicts.forEach((verdict, i) => (verdict.inert = phase === "betting" || i !== picked));
    hide(again, phase === "ask" || phase === "betting");
    figure.classList.toggle("attn-replied", picked >= 0 && phase !== "betting");
    bets.forEach((bet, i) => bet.classList.toggle("attn-picked", i === picked));
    for (const ghost of ghostsOf(figure)) markGhost(ghost, phase, picked, right);
    repaint();
  };
  const reveal = () => {
    resting = linkOf(state());
    enter("answered");
    announce(verdicts[picked].querySelector(".attn-words").textContent);
  };
  const press = (/** @type {number} */ option) => {
    if (figure.dataset.phase !== "ask") return;
    picked = option;
    enter("betting");
    const answer = () => go(after, { from: before, ms, then: reveal });
    if (linkOf(state()) === linkOf(before)) answer();
    else go(before, { ms: BACK_MS, then: (whole) => (whole ? answer() : reveal()) });
  };
  const clear = () => {
    picked = -1;
    announce("");
    enter("ask");
  };
  bets.forEach((bet, i) => {
    bet.addEventListener("click", () => press(i));
    // What a bet is on lights up while one looks at the bet.
    for (const [type, lit] of /** @type {const} */ ([["pointerenter", true], ["focus", true], ["pointerleave", false], ["blur", false]])) {
      bet.addEventListener(type, () => ghostsOf(figure)[i]?.classList.toggle("attn-lit", lit && figure.dataset.phase === "ask"));
    }
  });
  again.addEventListener("click", () => {
    forget();
    clear();
    // What is passed on the way back was not found out by asking.
    go(before, { ms: AGAIN_MS, ask: "1", then: () => (forget(), repaint()) });
    bets[0].focus({ preventScroll: true });
  });
  for (const type of ["pointerdown", "keydown"]) figure.addEventListener(type, () => figure.classList.add("attn-touched"));

  const follow = (/** @type {any} */ now) => {
    const { phase } = figure.dataset;
    if (now.ask === "0") {
      picked = -1;
      if (phase !== "exploring" || figure.matches(".attn-replied")) enter("exploring");
    } else if (phase === "drawn" || (phase === "exploring" && picked < 0)) enter("ask");
    // What is painted may be an earlier state, while the answer's is being fetched.
    else if (phase === "answered" && linkOf(state()) !== resting) enter("exploring");
  };
  return { follow, clear };
}

/** Whether a drawing has to keep the answer back. @param {HTMLElement} figure */
export function isUnanswered(figure) {
  return ["ask", "betting"].includes(figure.dataset.phase);
}

/** What stands in the picture for each option, in their order. @param {HTMLElement} figure @returns {Element[]} */
function ghostsOf(figure) {
  return [...figure.querySelectorAll(".attn-bet-ghost")];
}

function markGhost(ghost, phase, picked, right) {
  const option = Number(ghost.dataset.option);
  const isTold = phase === "answered";
  const isWrong = isTold && option === picked && option !== right;
  ghost.classList.toggle("attn-lit", phase === "betting" && option === picked);
  ghost.classList.toggle("attn-right", isTold && option === right);
  ghost.classList.toggle("attn-wrong", isWrong);
  setText(ghost.querySelector("text"), isWrong ? "✗" : LETTERS[option]);
}
