// Draws the rows of a date: one for each symbol written, one column for each character read. How many
// columns there are depends on what is typed: a new text has its rows built anew; body.html draws the first.
// A row that is pressed has its weights written out below, a character that is pressed is hidden.

import { onSize } from "../../front/chart.js";
import { fill, formatWeight } from "../../front/numbers.js";
import { nodesOf, paintShade } from "../../front/cell.js";
import { paintDeferred, paintOnScreen } from "../../front/deferred.js";
import { setAttributes } from "../../front/svg.js";
import { setText } from "../../front/text.js";

// A weight below this is shown by colour alone: a column is narrow.
const SHOWN_FROM = 0.1;
// So many pixels fade at an edge behind which columns go on.
const FADE = 24;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration }) {
  /** @type {HTMLTableElement} */
  const table = figure.querySelector("[data-view='dates']");
  const box = table.closest(".attn-map");
  const words = declaration.words.sentences;
  const { fields, hidden } = declaration.data;
  const [typed, chosen, seeing] = ["t", "row", "see"].map((name) => declaration.controls.find(({ key }) => key === name));
  const buttons = fields.map((name, i) => {
    const button = element("button", { type: "button" });
    if (name) button.append(fieldOf(name, i, fields, words));
    // The served rows have names and nothing to press.
    const header = table.tBodies[0].rows[i]?.cells[0];
    button.append(header?.querySelector(".attn-symbol") ?? element("span", { className: "attn-symbol" }));
    header?.replaceChildren(button);
    button.setAttribute("aria-pressed", String(i === chosen.default - 1));
    return button;
  });
  // All of a row can be pressed; its symbol also by key. A press that ends in another row is none.
  table.tBodies[0].addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!target.closest("button")) target.closest("tr")?.querySelector("button").click();
  });
  // What is written out is spoken where it was asked for; elsewhere the summary speaks.
  const looked = figure.querySelector(".attn-body .attn-looked");
  table.tBodies[0].addEventListener("focusin", () => looked.setAttribute("aria-live", "polite"));
  table.tBodies[0].addEventListener("focusout", () => looked.setAttribute("aria-live", "off"));
  // Fading edges say that columns go on behind what is written and behind "sure".
  const hint = () => {
    box.classList.toggle("attn-less", box.scrollLeft > 1);
    box.classList.toggle("attn-more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  };
  box.addEventListener("scroll", hint);
  onSize(box, hint);
  let { text, seen } = table.dataset;
  let lastRead = looked.textContent;
  let drawn = "";
  let pressed = chosen.default;
  // In Jupyter the text is an ipywidget, and no date stands beside it.
  const written = figure.querySelector(".attn-written b");
  const head = table.tHead.rows[0];
  const letters = Array.from({ length: typed.longest }, () => {
    const cell = element("th", { scope: "col" });
    cell.append(element("button", { type: "button" }));
    return cell;
  });
  const showLetters = (characters, flags, isRead) => {
    const shown = letters.slice(0, characters.length);
    // What has the focus stays in its place.
    if (shown.length !== head.cells.length - 2 || !head.contains(letters[0])) {
      head.replaceChildren(head.cells[0], ...shown, head.lastElementChild);
      rove(0);
    }
    shown.forEach((cell, j) => label(cell, characters[j], flags[j], isRead, words));
  };
  // By key, the characters are one stop, and arrows go through them.
  const rove = (at) => letters.forEach((cell, j) => (cell.firstChild.tabIndex = j === at ? 0 : -1));
  const indexOf = (/** @type {Event} */ { target }) => letters.indexOf(/** @type {Element} */ (target).parentElement);
  head.addEventListener("focusin", (event) => rove(indexOf(event)));
  head.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && letters[indexOf(event) + step];
    if (!next?.isConnected) return;
    event.preventDefault();
    next.firstChild.focus();
  });
  const toggle = (j) => {
    // With the month it is shown again.
    if (letters[j].className === "attn-letter-hidden" && seen[j] !== hidden) return { m: 1 };
    const see = [...seen].with(j, seen[j] === hidden ? text[j] : hidden).join("");
    return { see: see.includes(hidden) ? see : seeing.default };
  };
  const served = [...head.cells].slice(1, -1);
  showLetters([...text], served.map(({ className }) => className.replace("attn-letter-", "")), table.tBodies[0].rows.length > 0);
  return {
    paint(view, { row }) {
      buttons.forEach((button, i) => setAttributes(button, { "aria-pressed": i === row - 1 }));
      written?.parentElement.classList.toggle("attn-unwritten", view.slots.iso === "");
      // A text that cannot be read leaves the rows of the one before, with nothing to press.
      const isRead = view.parts.map.rows.length > 0;
      const isFormer = !isRead && table.tBodies[0].rows.length > 0;
      if (isRead) lastRead = looked.textContent;
      else if (isFormer) setText(looked, lastRead);
      if (isRead && row !== pressed && view.slots.text === text) showTop(box, view.parts.map.rows[row - 1], row - 1);
      pressed = row;
      const map = JSON.stringify(view.parts.map);
      if (map === drawn) return;
      drawn = map;
      const { letters: characters, flags, symbols, rows, confidence, least } = view.parts.map;
      box.classList.toggle("attn-former", isFormer);
      for (const button of buttons) button.disabled = isFormer;
      if (isFormer) {
        for (const { firstChild } of letters) firstChild.disabled = true;
        return;
      }
      seen = view.parts.map.seen;
      table.style.setProperty("--letters", String(characters.length));
      box.classList.toggle("attn-many", characters.length >= Number(box.dataset.many));
      showLetters(characters, flags, isRead);
      // A new text is read before the reader's eyes; a slider changes what was read.
      const isNew = view.slots.text !== text;
      table.classList.toggle("attn-reading", isNew);
      const body = table.tBodies[0];
      if (isNew || rows.length !== body.rows.length) {
        body.replaceChildren(...rows.map((row, i) => line(buttons[i], row.length, i)));
      }
      rows.forEach((row, i) => {
        // Painting is deferred under the row's button, which stays when a new text has its rows built anew.
        paintOnScreen(buttons[i], () => {
          const symbol = buttons[i].querySelector(".attn-symbol");
          setText(symbol, symbols[i]);
          const sure = write(body.rows[i], row, confidence[i]);
          for (const mark of [symbol, sure]) mark.classList.toggle("attn-least", i === least);
        });
      });
      // In a text of 30 characters these are 300, and only a script reads them. They wait at the body, for what is painted
      // of the table itself drops what waits there.
      paintDeferred(body, () => rows.forEach((row, i) => nameWeights(body.rows[i], row)));
      text = view.slots.text;
      if (!isNew) return;
      if (written) readAgain(written);
      if (isRead) showWeight(box, rows, row - 1);
      hint();
    },
    presses: [
      ...buttons.map((button, i) => [button, { row: i + 1 }]),
      ...letters.map((cell, j) => [cell.firstChild, () => toggle(j)]),
    ],
  };
}

/** The field that a row belongs to, seen once, along all of its rows. */
function fieldOf(name, i, fields, words) {
  const first = fields.indexOf(name) === i;
  const field = element("span", { className: first ? "attn-field" : "attn-sr", textContent: `${words[name]} ` });
  if (first) field.style.setProperty("--rows", String(fields.filter((other) => other === name).length));
  return field;
}

/** Let the head of a column show a character: the cell says what it is, the button in it what a press does. */
function label(cell, character, flag, isRead, words) {
  const button = cell.firstChild;
  const shown = character === " " ? "␣" : character;
  setAttributes(cell, { class: flag && `attn-letter-${flag}`, "aria-label": flag ? `${shown} ${words[`letter_${flag}`]}` : shown });
  setText(button, shown);
  setAttributes(button, { "aria-label": fill(words.toggle, { letter: shown }), "aria-pressed": String(flag === "hidden") });
  if (button.disabled === isRead) button.disabled = !isRead;
}

/** A row without its numbers. */
function line(button, columns, i) {
  const line = element("tr", {});
  line.style.setProperty("--i", String(i));
  const header = element("th", { scope: "row", className: "attn-row" });
  header.append(button);
  line.append(header);
  for (let j = 0; j < columns; j += 1) {
    const cell = element("td", { className: "attn-weight" });
    cell.append(element("i", { className: "attn-shade" }), element("span", { className: "attn-number" }));
    line.append(cell);
  }
  const sure = element("td", { className: "attn-sure" });
  sure.append(element("span", { className: "attn-number" }));
  line.append(sure);
  return line;
}

/** The exact weights of a row, as attributes. */
function nameWeights(line, weights) {
  line.querySelectorAll(".attn-weight").forEach((cell, j) => setAttributes(cell, { "data-weight": weights[j] }));
}

/** The numbers of a row: its weights, and how sure the model is of its symbol; returns the last one. */
function write(line, weights, confidence) {
  const sure = line.querySelector(".attn-sure > .attn-number");
  setText(sure, formatWeight(confidence));
  line.querySelectorAll(".attn-weight").forEach((cell, j) => {
    paintShade(cell, weights[j]);
    setText(nodesOf(cell).number, short(weights[j]));
  });
  return sure;
}

/** Scroll a map that is wider than its box to most of its weight, with the heaviest cell of the chosen row in sight. */
function showWeight(box, rows, chosen) {
  if (box.scrollWidth <= box.clientWidth) return;
  const columns = rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0));
  const top = topOf(rows[chosen]);
  const { cells } = box.querySelector("tbody").rows[chosen];
  const pitch = (cells[columns.length].offsetLeft - cells[1].offsetLeft) / (columns.length - 1);
  const sure = cells[columns.length + 1].offsetWidth;
  const room = Math.floor((box.clientWidth - box.querySelector("td").offsetWidth - sure) / pitch);
  const fade = Math.ceil(FADE / pitch);
  const clear = (first) => [first > 0 ? first + fade : 0, first + room - (first + room < columns.length ? fade : 0)];
  const inSight = (first) => columns.slice(...clear(first)).reduce((sum, weight) => sum + weight, 0);
  const starts = [...columns.keys()].filter((first) => clear(first)[0] <= top && top < clear(first)[1]);
  const best = starts.reduce((best, first) => (inSight(first) > inSight(best) ? first : best));
  box.scrollLeft = best * pitch;
}

/** Scroll a map that is wider than its box as little as shows the heaviest cell of a row that was chosen. */
function showTop(box, weights, chosen) {
  if (box.scrollWidth <= box.clientWidth) return;
  const { cells } = box.querySelector("tbody").rows[chosen];
  cells[topOf(weights) + 1].scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Where the largest weight lies. */
function topOf(weights) {
  return weights.indexOf(Math.max(...weights));
}

/** Let the date as written appear again symbol by symbol, with its rows, in the node that every view is painted into. */
function readAgain(written) {
  written.classList.remove("attn-reading");
  // Laid out without the animation, the node begins it anew.
  void written.offsetWidth;
  written.classList.add("attn-reading");
}

/** A weight in three signs, nothing where it is small. */
function short(weight) {
  return weight < SHOWN_FROM ? "" : formatWeight(weight).replace(/^0|0$/, "");
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
