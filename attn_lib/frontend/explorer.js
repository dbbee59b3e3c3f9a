// <attn-explorer>: brings a figure that is drawn already to life on a page without a kernel.
//
//   control moved ─┐
//   link followed ─┴─> state ─> compute(state) ─> view ─> paint table, sentences, controls
//
// The figure's declaration lies in it as JSON; its computation is figures/<id>.js.

import { listenToControls, readTicks, showState } from "./controls.js";
import { wirePrediction } from "./prediction.js";
import { completeState, parseFragment, writeFragment } from "./state.js";
import { enliven, paintView } from "./view.js";

// A screen reader hears the summary once the last change is this old.
const QUIET_MS = 400;

class AttnExplorer extends HTMLElement {
  async connectedCallback() {
    this.declaration = JSON.parse(this.querySelector("script").textContent);
    this.figure = this.querySelector("figure");
    this.body = this.querySelector(".attn-body");
    this.summary = this.querySelector(".attn-summary");
    const { compute } = await import(`../figures/${this.declaration.id}/twin.js`);
    this.compute = compute;
    // The state that the notebook asked for and that is drawn already.
    this.start = parseFragment(this.dataset.start, this.declaration).state;

    enliven(this.figure);
    listenToControls(
      this.figure,
      this.declaration,
      (...moved) => this.#moved(...moved),
      () => this.#settled(),
    );
    wirePrediction(this.figure, this.declaration);
    this.querySelector(".attn-reset").addEventListener("click", () => {
      this.#show({ ...this.start, ask: this.state.ask });
      this.#settled();
    });
    this.querySelector(".attn-copy").addEventListener("click", () => this.#copyLink());
    this.onhashchange = () => this.#follow(location.hash);
    window.addEventListener("hashchange", this.onhashchange);

    this.#show(this.start);
    this.#commit();
    this.#follow(location.hash);
    this.dataset.ready = "";
  }

  disconnectedCallback() {
    window.removeEventListener("hashchange", this.onhashchange);
  }

  #moved(key, item, value, more) {
    const old = this.state[key];
    const next = Array.isArray(old) && !Array.isArray(value) ? old.with(item, value) : value;
    // What is ticked by now counts from this change on, too.
    const settings = { ...this.state, ...readTicks(this.figure, this.declaration), [key]: next };
    this.#show(completeState(this.declaration.controls, settings), more);
  }

  /** A change is done: the address names the state, and later summaries compare with it. */
  #settled() {
    history.replaceState(null, "", writeFragment(this.state, this.declaration));
    this.#commit();
  }

  #follow(fragment) {
    const link = parseFragment(fragment, this.declaration);
    if (!link) return;
    const note = link.misunderstood ? this.declaration.words.frame.not_understood : undefined;
    this.#show(link.state, { note });
    this.#commit();
    this.figure.scrollIntoView({ block: "nearest" });
  }

  #show(state, { isSlider = false, note } = {}) {
    this.state = state;
    this.view = this.compute(state, this.declaration.data);
    // While a slider moves, its own spoken value is enough; the summary is spoken after anything else.
    this.summary.setAttribute("aria-live", isSlider ? "off" : "polite");
    this.figure.classList.toggle("attn-fade", !isSlider);
    const main = this.view.slots[this.view.main];
    const was = this.committed === undefined || this.committed === main ? undefined : this.committed;
    paintView(this.body, this.view, this.declaration.words, { was, note });
    showState(this.figure, this.declaration, state, this.view.slots);
    this.querySelector(".attn-prediction").hidden = state.ask === "0";
  }

  #commit() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.committed = this.view.slots[this.view.main];
    }, QUIET_MS);
  }

  async #copyLink() {
    const address = new URL(writeFragment(this.state, this.declaration), location.href).href;
    const button = this.querySelector(".attn-copy");
    const field = this.querySelector(".attn-link");
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = this.declaration.words.frame.copied;
    } catch {
      // Refused: show the address, ready to be copied by hand.
      field.value = address;
      field.hidden = false;
      field.select();
    }
  }
}

customElements.define("attn-explorer", AttnExplorer);
