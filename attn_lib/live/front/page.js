// <attn-explorer>: brings a figure that is drawn already to life on a page without a kernel.
//
//   control moved ─┐
//   thing dragged ─┼─> state ─> compute(state) ─> view ─> paint tables, drawing, sentences, controls
//   link followed ─┘
//
// The figure's declaration lies in it as JSON; its computation is figures/<id>/compute.js, and what it
// draws or lets the reader grab is figures/<id>/drawing.js: one script brings both.

import { forgetWrong, listenToControls, showState } from "./controls.js";
import { containLayout } from "./containment.js";
import { declarationOf, enliven } from "./live.js";
import { load } from "./loader.js";
import { printing } from "./printing.js";
import { bringIntoView } from "./scroll.js";
import { chapter, snippet, stage } from "./stage.js";
import { completeState, parseFragment, writeCall, writeFragment } from "./state.js";
import { hide } from "./text.js";

// How long a button says what it has done.
const COPIED_MS = 2000;

class AttnExplorer extends HTMLElement {
  async connectedCallback() {
    this.declaration = declarationOf(this);
    this.figure = this.querySelector("figure");
    this.summary = this.querySelector(".attn-summary");
    let own;
    try {
      own = await load(`figures/${this.declaration.id}`);
    } catch (error) {
      this.#fail();
      throw error;
    }
    this.compute = own.compute;
    this.prepare = own.prepare;
    this.isKnown = own.isKnown;
    this.formerly = own.formerly;
    this.asks = own.asks;
    // The state that the notebook asked for and that is drawn already.
    this.start = parseFragment(this.dataset.start, this.declaration).state;
    this.state = this.start;

    this.live = enliven(this.figure, this.declaration, own.mount, {
      state: () => this.state,
      show: (state, more) => {
        // A press replaces a typed text, also one that could not be read.
        if (!more.isSlider) forgetWrong(this);
        this.#show(state, more);
      },
      settle: () => this.#settled(),
      onSteps: false,
    });
    listenToControls(
      this.figure,
      this.declaration,
      (...moved) => this.#moved(...moved),
      () => this.#settled(),
    );
    this.querySelector(".attn-reset").addEventListener("click", () => {
      forgetWrong(this);
      this.live.forget();
      this.#show({ ...this.start, ask: arrival.ask });
      this.#settled();
    });
    const { copied, code_copied, embed_copied } = this.declaration.words.frame;
    const fragment = () => writeFragment(this.state, this.declaration);
    this.#copies(".attn-copy", copied, () => chapter(fragment()));
    this.#copies(".attn-copy-embed", embed_copied, () => snippet(this.figure, fragment()));
    this.#copies(".attn-copy-code", code_copied, () => writeCall(this.state, this.declaration));
    /** @type {NodeListOf<HTMLButtonElement>} */
    const saving = this.querySelectorAll("[data-save]");
    for (const button of saving) button.addEventListener("click", () => this.#save(button, fragment()));
    this.onhashchange = () => {
      const named = this.#follow(location.hash);
      if (!named) return;
      // A link may be far below the figure that it changes, and the part in question far below the figure's top: scroll to both.
      const body = this.figure.querySelector(".attn-body");
      this.#unfold(named);
      bringIntoView(body, (top) => top <= innerHeight / 2);
      const part = body.querySelector("[data-lands]");
      if (named.includes(part?.dataset.lands)) part.scrollIntoView({ block: "nearest" });
    };
    window.addEventListener("hashchange", this.onhashchange);
    // A link to the present state does not change the address, but leads to the figure as well.
    this.querySelector(".attn-tries").addEventListener("click", ({ target }) => {
      if (/** @type {Element} */ (target).closest("a")?.hash === location.hash) this.onhashchange();
    });

    // It is drawn already. A computation that must fetch something first waits until the figure is used, unless its picture
    // is made of that.
    if (this.prepare) this.#prefetch();
    if (!this.prepare || own.atOnce || this.isKnown?.(this.start, this.declaration.data)) this.#show(this.start);
    this.#follow(location.hash);
    this.#unfold(parseFragment(location.hash, this.declaration)?.named ?? []);
    // Whether the reader came to be asked.
    const arrival = this.state;
    this.dataset.ready = "";
    containLayout(this, this.figure);
  }

  disconnectedCallback() {
    window.removeEventListener("hashchange", this.onhashchange);
  }

  /** Compute the state anew, or one with other settings: `compute` and `prepare` may have been exchanged. */
  again(settings = {}) {
    this.#show(completeState(this.declaration.controls, { ...this.state, ...settings }));
    this.#settled();
  }

  /** Something could not be loaded: say so, and offer to try again. */
  #fail() {
    const note = this.querySelector(".attn-failed");
    note.hidden = false;
    // What needs no script lies in the fold.
    const fold = /** @type {HTMLDetailsElement} */ (this.querySelector(".attn-more"));
    if (fold) fold.open = true;
    note.querySelector("button").onclick = () => location.reload();
  }

  /** What the computation has to fetch first for a state; nothing where it knows the state without it. */
  #missing(state) {
    const { data } = this.declaration;
    return this.isKnown?.(state, data) ? undefined : this.prepare?.(state, data);
  }

  /**
   * Fetch what the computation needs for the answer to the bet when the pointer or the focus comes to the figure. What
   * fails is fetched again at the use.
   */
  #prefetch() {
    const { bet, data } = this.declaration;
    const { state } = parseFragment(bet.after, this.declaration);
    const fetch = () => this.prepare(state, data)?.catch(() => {});
    for (const type of ["pointerenter", "focusin"]) this.figure.addEventListener(type, fetch, { once: true });
  }

  #moved(key, item, value, more) {
    const old = this.state[key];
    const next = value === undefined ? old : Array.isArray(old) && !Array.isArray(value) ? old.with(item, value) : value;
    const { controls } = this.declaration;
    const settings = { ...this.state, [key]: next };
    // A control that counts typed words starts again from their number.
    for (const control of controls) if (control.counts === key && next !== old) delete settings[control.key];
    this.#show(completeState(controls, settings), more);
  }

  /**
   * Open the fold for a link that sets more than the picture's hands do; not where it asks, for the tables in the fold give
   * the answer away. @param {string[]} named
   */
  #unfold(named) {
    if (this.state.ask !== "0") return;
    /** @type {HTMLDetailsElement} */
    const more = this.figure.querySelector(".attn-more");
    const hands = [...this.figure.querySelectorAll(".attn-body .attn-hand")];
    const shown = hands.flatMap(({ dataset }) => dataset.moves.trim().split(" "));
    if (more && named.some((key) => key && key !== "ask" && !shown.includes(key))) more.open = true;
  }

  /** A change is done: the address names the state. */
  #settled() {
    history.replaceState(null, "", writeFragment(this.state, this.declaration));
  }

  /** Go where a link leads; say which settings it names, if it leads to this figure. */
  #follow(fragment) {
    // The figure may have taken the place of another, to whose states old links lead.
    const link = parseFragment(this.formerly?.(fragment) ?? fragment, this.declaration);
    if (!link) return undefined;
    forgetWrong(this);
    const note = link.misunderstood ? this.declaration.words.frame.not_understood : undefined;
    this.#show(link.state, { note });
    // A chapter may have the figure's name as its label: then a bare link means the chapter.
    const isFigure = !document.getElementById(fragment.slice(1));
    if (isFigure) this.figure.scrollIntoView({ block: "nearest" });
    return isFigure ? link.named : undefined;
  }

  /** @param {any} state @param {{ isSlider?: boolean, note?: string }} [more] */
  #show(state, { isSlider = false, note } = {}) {
    this.state = state;
    const waiting = this.#missing(state);
    if (waiting) {
      this.dataset.waiting = "";
      // Meanwhile the reader may have moved on.
      const arrived = () => this.state === state && this.#show(state, { isSlider, note });
      waiting.then(arrived, () => this.#fail());
      return;
    }
    delete this.dataset.waiting;
    // An earlier failure to fetch is over.
    hide(this.querySelector(".attn-failed"), true);
    this.view = this.compute(state, this.declaration.data);
    // While a slider moves, its own spoken value is enough; the summary is spoken after anything else.
    this.summary.setAttribute("aria-live", isSlider ? "off" : "polite");
    this.figure.classList.toggle("attn-fade", !isSlider);
    // The controls first: a drawing may correct what they show, such as a line that was not reached.
    showState(this.figure, this.declaration, state, this.view.slots);
    this.live.paint(this.view, state, { note, isMoving: isSlider });
  }

  /** Save the picture of a state, as a file of the button's kind. @param {HTMLButtonElement} button @param {string} fragment */
  async #save(button, fragment) {
    const { picture_saved, picture_failed } = this.declaration.words.frame;
    try {
      const { save } = await load("still");
      await save(this.figure, this.declaration.id, button.dataset.save, fragment);
      this.#says(button, picture_saved);
    } catch (error) {
      this.#says(button, picture_failed);
      throw error;
    }
  }

  /** Let a button say something else for a moment. @param {HTMLElement} button @param {string} text */
  #says(button, text) {
    button.dataset.usual ??= button.textContent;
    button.textContent = text;
    this.live.announce(text);
    clearTimeout(Number(button.dataset.timer));
    button.dataset.timer = String(setTimeout(() => (button.textContent = button.dataset.usual), COPIED_MS));
  }

  /** Let a button copy a text, say so for a moment, and offer the text where the browser refuses. */
  #copies(selector, done, text) {
    const button = this.querySelector(selector);
    /** @type {HTMLInputElement} */
    const field = this.querySelector(".attn-link");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text());
      } catch {
        field.value = text();
        field.hidden = false;
        field.select();
        return;
      }
      this.#says(button, done);
    });
  }
}

stage();
printing();
customElements.define("attn-explorer", AttnExplorer);
