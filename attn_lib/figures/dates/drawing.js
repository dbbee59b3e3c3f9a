// Draws the rows of a date: one for each symbol written, one column for each character read. How many
// columns there are depends on what is typed, so here the table is built anew; body.html draws the first.
// A row that is pressed has its weights written out below.

import { onSize } from "../../frontend/chart.js";
import { formatWeight, tone } from "../../frontend/format.js";

// A weight below this is shown by colour alone: a column is narrow.
const SHOWN_FROM = 0.1;

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { declaration }) {
  const table = figure.querySelector("[data-view='dates']");
  const box = table.closest(".attn-map");
  const words = declaration.words.sentences;
  const { fields } = declaration.data;
  const chosen = declaration.controls.find(({ key }) => key === "row");
  const buttons = fields.map((name, i) => {
    const button = element("button", { type: "button" });
    if (name) button.append(fieldOf(name, i, fields, words));
    // The served rows have names and nothing to press.
    const header = table.tBodies[0].rows[i]?.cells[0];
    button.append(header ? header.lastChild.textContent.trim() : "");
    header?.replaceChildren(button);
    button.setAttribute("aria-pressed", String(i === chosen.default - 1));
    return button;
  });
  // All of a row can be pressed; its symbol also by key.
  table.tBodies[0].addEventListener("click", ({ target }) => {
    if (!target.closest("button")) target.closest("tr").querySelector("button").click();
  });
  // What is written out is spoken where it was asked for; elsewhere the summary speaks.
  const looked = figure.querySelector(".attn-body .attn-looked");
  table.addEventListener("focusin", () => looked.setAttribute("aria-live", "polite"));
  table.addEventListener("focusout", () => looked.setAttribute("aria-live", "off"));
  // A fading edge says that columns go on behind "sure".
  const hint = () => box.classList.toggle("attn-more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  box.addEventListener("scroll", hint);
  onSize(box, hint);
  let text = table.dataset.text;
  let drawn = "";
  return {
    paint(view, { row }) {
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === row - 1)));
      const map = JSON.stringify(view.parts.map);
      if (map === drawn) return;
      drawn = map;
      const { letters, flags, symbols, rows, confidence, least } = view.parts.map;
      table.style.setProperty("--letters", String(letters.length));
      for (const name of ["many", "several"]) {
        box.classList.toggle(`attn-${name}`, letters.length >= Number(box.dataset[name]));
      }
      const head = table.tHead.rows[0];
      head.replaceChildren(head.cells[0], ...letters.map((c, j) => letter(c, flags[j], words)), head.lastElementChild);
      table.tBodies[0].replaceChildren(
        ...rows.map((row, i) => {
          buttons[i].lastChild.textContent = symbols[i];
          return line(buttons[i], row, confidence[i], i, i === least);
        }),
      );
      // A new text is read before the reader's eyes; a slider changes what was read.
      table.classList.toggle("attn-reading", view.slots.text !== text);
      text = view.slots.text;
      hint();
    },
    presses: buttons.map((button, i) => [button, { row: i + 1 }]),
  };
}

/** The field that a row belongs to, seen once, along all of its rows. */
function fieldOf(name, i, fields, words) {
  const first = fields.indexOf(name) === i;
  const field = element("span", { className: first ? "attn-field" : "attn-sr", textContent: `${words[name]} ` });
  if (first) field.style.setProperty("--rows", String(fields.filter((other) => other === name).length));
  return field;
}

function letter(character, flag, words) {
  const cell = element("th", { scope: "col", className: flag && `attn-letter-${flag}` });
  cell.append(character === " " ? "␣" : character);
  if (flag) cell.append(element("span", { className: "attn-sr", textContent: ` ${words[`letter_${flag}`]}` }));
  return cell;
}

function line(button, row, sure, i, isLeast) {
  const line = element("tr", { className: isLeast ? "attn-least" : "" });
  line.style.setProperty("--i", String(i));
  const header = element("th", { scope: "row", className: "attn-row" });
  header.append(button);
  line.append(header);
  for (const weight of row) {
    const cell = element("td", { className: "attn-weight" });
    cell.style.setProperty("--w", weight.toFixed(4));
    cell.dataset.weight = String(weight);
    cell.dataset.tone = tone(weight);
    cell.append(element("span", { className: "attn-number", textContent: short(weight) }));
    line.append(cell);
  }
  line.append(element("td", { className: "attn-sure", textContent: formatWeight(sure) }));
  return line;
}

/** A weight in three signs, nothing where it is small. */
function short(weight) {
  return weight < SHOWN_FROM ? "" : formatWeight(weight).replace(/^0|0$/, "");
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
