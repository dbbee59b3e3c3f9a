/**
 * The form above the rows of the page of all scores (_ext/content/scores.py). It shows the rows that
 * fit, and keeps what was asked in the address. Without this script all rows are shown, and no form.
 */

(() => {
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector(".attn-choose-scores");
  if (!form) return;
  const output = form.querySelector("output");
  const lowered = (text) => text.normalize().toLowerCase();
  const has = (text, words) => lowered(words).split(/\s+/).every((word) => text.includes(word));
  /** @type {HTMLElement[]} */
  const kinds = [...document.querySelectorAll(".attn-kind")];
  const rows = kinds.flatMap((kind) =>
    /** @type {HTMLElement[]} */ ([...kind.querySelectorAll(".attn-score")]).map((element) => ({
      element,
      kind: kind.id,
      year: Number(element.querySelector(".attn-year").textContent),
      text: lowered(`${element.id} ${kind.firstElementChild.textContent} ${element.textContent}`),
    })),
  );

  // Words that name no score, and where they lead.
  /** @type {HTMLElement[]} */
  const others = [...document.querySelectorAll(".attn-elsewhere > li")];

  /** What is asked: every field that has an answer. */
  function asked() {
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    return Object.fromEntries(entries.filter(([, value]) => value));
  }

  function fits(row, { words = "", kind, years, survives }) {
    const [first, last] = years ? years.split("–").map(Number) : [0, Infinity];
    return (
      (!kind || kind === row.kind) &&
      first <= row.year &&
      row.year <= last &&
      (!survives || row.element.querySelector(`.survives-${survives}`) !== null) &&
      has(row.text, words)
    );
  }

  function show() {
    const question = asked();
    let count = 0;
    for (const row of rows) {
      row.element.hidden = !fits(row, question);
      count += row.element.hidden ? 0 : 1;
    }
    for (const other of others) other.hidden = !has(lowered(other.textContent), question.words ?? "");
    document.getElementById("elsewhere").hidden = others.every((other) => other.hidden);
    for (const kind of kinds) kind.hidden = !kind.querySelector(".attn-score:not([hidden])");
    output.value = output.dataset.count.replace("{count}", String(count)).replace("{all}", String(rows.length));
    const search = new URLSearchParams(question).toString();
    history.replaceState(history.state, "", `${location.pathname}${search && `?${search}`}${location.hash}`);
  }

  /** A link to a row that is not among the shown ones shows all. */
  function reveal() {
    const row = document.getElementById(location.hash.slice(1));
    if (!row?.closest("[hidden]")) return;
    form.reset();
    show();
    row.scrollIntoView();
  }

  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", reveal);
  show();
  reveal();
})();
