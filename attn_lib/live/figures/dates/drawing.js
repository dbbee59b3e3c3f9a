// Figure `dates`: what is read above, what is written below, and from each symbol strings to the characters that it looked at.
// The hand stands under a symbol, and drawn on it writes the next ones. Beside them the candidates that fit what is written.
// A character that is pressed is hidden. In the fold is the whole map: a row for each symbol, a column for each character.

import { isUnanswered } from "../../front/bet.js";
import { nodesOf, paintShade } from "../../front/cell.js";
import { paintVisible } from "../../front/deferred.js";
import { hand } from "../../front/grab.js";
import { fill, formatWeight, NO_BREAK_SPACE } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { draw, px, reveal, setAttributes, several } from "../../front/svg.js";
import { hide, setText } from "../../front/text.js";

// A weight that is less pulls by no string; of a symbol that is not in hand, only one as large as the other does.
const [SEEN, STRONG] = [0.05, 0.3];
// In the map a weight below this is shown by colour alone: a column is narrow.
const SHOWN_FROM = 0.1;
// The least pixels from one character to the next, in a line.
const LEAST = 9.8;
// Where the month begins in what is written.
const MONTH = 5;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { controls, sentences }, repaint }) {
  const { data: { candidates, hidden }, data, bet } = declaration;
  const seeing = declaration.controls.find(({ key }) => key === "see");
  const made = picture(figure, () => {
    plan = planOf(made);
    paintBack();
    repaint();
  });
  let plan = planOf(made);
  const { svg, back, stage } = made;
  const frame = draw(svg, "rect", { class: "attn-dates-fits", rx: 20, "data-answer": "y" });
  const strings = several(data.fields.length, () => ({ bundle: draw(svg, "g"), threads: [] }));
  const reads = draw(svg, "g", { class: "attn-dates-reads" });
  const letters = /** @type {SVGGElement[]} */ ([]);
  const symbols = strings.map(() => draw(svg, "rect", { rx: 6 }));
  // A line is one text, with a place for each of its characters.
  const [read, written, ahead] = ["", "", " attn-dates-ahead"].map((more) => draw(svg, "text", { class: `attn-dates-line${more}` }));
  const names = candidates.map((/** @type {string} */ name) => ({ name, text: label(svg, "num", name.slice(MONTH)) }));
  const putBets = bets(made, "disc");
  const map = mapOf(figure, declaration);
  const looked = figure.querySelector(".attn-body [data-looked]");
  let [spoken, pressed] = ["", 0];
  let now = null;
  reads.addEventListener("click", ({ target }) => (pressed = letters.indexOf(target.parentElement)));
  // A character that is hidden is shown again; one that is hidden with the month, with the month.
  const toggle = (/** @type {number} */ j) => {
    const { seen, flags, letters: all } = now.parts.map;
    const characters = [...seen];
    if (flags[j] === "hidden" && characters[j] !== hidden) return { m: 1 };
    const see = characters.with(j, characters[j] === hidden ? all[j] : hidden).join("");
    return { see: see.includes(hidden) ? see : seeing.default };
  };

  function paintBack() {
    const { left, reading, writing, tall, narrow, list } = plan;
    back.replaceChildren();
    if (narrow) return;
    for (const [text, y] of [[sentences.reads_line, reading], [sentences.writes_line, writing]]) {
      setAttributes(label(back, "soft", text, "attn-end"), { x: px(left - 12), y: px(y + tall / 2 + 5) });
    }
    setAttributes(label(back, "soft", sentences.fits, "attn-dates-fits-name"), { x: px(list.x - 16), y: px(list.Y(0) - 28) });
  }

  function paintReads({ letters: all, flags }, weights) {
    while (letters.length < all.length) {
      const tile = draw(reads, "g");
      draw(tile, "rect", { rx: 6 });
      draw(tile, "text", { class: "attn-dates-line" });
      letters.push(tile);
    }
    const { pitch, place } = plan.lay(all.length);
    for (const line of [reads, read]) {
      line.classList.toggle("attn-dates-large", pitch >= 31);
      line.classList.toggle("attn-dates-small", pitch < 25);
    }
    const shown = all.map((letter) => (letter === " " ? "␣" : letter));
    letters.forEach((tile, j) => {
      const [rect, text] = tile.children;
      reveal(tile, j < all.length);
      // What looks like no other has a text of its own.
      setText(text, flags[j] ? shown[j] : "");
      if (j >= all.length) return;
      putTile(rect, place(j), pitch, plan.tall);
      setAttributes(text, { x: px(place(j)[0]), y: px(place(j)[1] + plan.tall / 2) });
      setAttributes(tile, { class: `attn-dates-tile${pitch < 20 ? " attn-dates-close" : ""}${weights?.[j] >= SEEN ? " attn-dates-seen" : ""}${flags[j] && ` attn-letter-${flags[j]}`}` });
    });
    putLine(read, shown.map((letter, j) => (flags[j] ? NO_BREAK_SPACE : letter)), place, plan.tall);
    return place;
  }

  /** The strings of a symbol; those to what the symbol in hand looks at as well stand out. */
  function paintStrings(i, weights, inHand, place) {
    const { bundle, threads } = strings[i];
    const least = weights === inHand ? SEEN : STRONG;
    const seen = weights.flatMap((/** @type {number} */ weight, /** @type {number} */ j) => (weight >= least ? [j] : []));
    while (threads.length < seen.length) threads.push(draw(bundle, "path"));
    setAttributes(bundle, { class: weights === inHand ? "attn-lit" : "" });
    const [x, y] = [plan.X(i), plan.writing];
    threads.forEach((thread, n) => {
      reveal(thread, n < seen.length);
      if (n >= seen.length) return;
      const [u, v] = place(seen[n]);
      const [end, middle] = [v + plan.tall, (y + v + plan.tall) / 2];
      setAttributes(thread, { d: `M${px(x)} ${px(y)}C${px(x)} ${px(middle)} ${px(u)} ${px(middle)} ${px(u)} ${px(end)}`, "stroke-width": px(1 + 13 * weights[seen[n]]), class: `attn-dates-string${inHand[seen[n]] >= STRONG ? " attn-dates-shared" : ""}` });
    });
  }

  /** Which candidates still fit what is written: the frame is around them. */
  function paintFits(written) {
    const { list } = plan;
    const isAsked = isUnanswered(figure) || figure.dataset.phase === "answered";
    const fitting = names.flatMap(({ name }, n) => (name.startsWith(written) ? [n] : []));
    reveal(frame, isAsked && fitting.length > 0);
    for (const node of back.querySelectorAll(".attn-dates-fits-name")) reveal(node, isAsked);
    if (fitting.length) {
      const [top, bottom] = [list.Y(fitting[0]), list.Y(fitting.at(-1))];
      setAttributes(frame, { x: px(list.x - 20), y: px(top - 20), width: px(list.width), height: px(bottom - top + 40) });
    }
    names.forEach(({ text }, n) => {
      // Where one bets, the bets say it.
      reveal(text, isAsked && figure.dataset.phase !== "ask");
      setAttributes(text, { x: px(list.x + 18), y: px(list.Y(n) + 5), class: `attn-label attn-num${fitting.includes(n) ? "" : " attn-dates-out"}` });
    });
  }

  return {
    paint(view, { row }) {
      now = view;
      map.paint(view.parts.map, row);
      // Elsewhere the live sentence says it.
      hide(looked, view.summary[0] === "row" || view.summary[0] === "unknown");
      spoken = fill(controls.row.valuetext, { ...view.slots, value: String(row) });
      if (!made.width) return;
      const { rows, symbols: iso } = view.parts.map;
      const place = paintReads(view.parts.map, rows[row - 1]);
      // What lies ahead would give the answer away; later it is grey.
      const isOpen = !isUnanswered(figure);
      const at = (/** @type {number} */ i) => [plan.X(i), plan.writing];
      symbols.forEach((rect, i) => {
        const isWritten = i < row;
        putTile(rect, at(i), plan.pitch, plan.tall);
        setAttributes(rect, { class: `attn-dates-symbol${isWritten ? "" : " attn-dates-ahead"}${i === row - 1 ? " attn-dates-now" : ""}` });
        paintStrings(i, isWritten && rows.length ? rows[i] : [], rows[row - 1], place);
      });
      putLine(written, [...iso.slice(0, row)], at, plan.tall);
      putLine(ahead, isOpen ? [...iso.slice(row)] : [], (i) => at(row + i), plan.tall);
      paintFits(iso.slice(0, row));
      putBets(bet.places.map(([line]) => [plan.list.x, plan.list.Y(line)]));
    },
    grabs: [
      hand(stage, "row", {
        keys: ["row"],
        at: ({ row }) => [plan.X(row - 1), plan.hand],
        settings: (x) => ({ row: plan.atX(x) + 1 }),
        spoken: () => spoken,
      }),
    ],
    presses: /** @type {import("../../front/live.js").Press[]} */ ([
      [reads, () => toggle(pressed)],
      ...symbols.map((rect, i) => [rect, { row: i + 1 }]),
      ...map.heads.map((head, j) => [head, () => toggle(j)]),
    ]),
  };
}

/** Put the tile of a character around its middle. @param {Element} rect @param {number[]} middle @param {number} pitch @param {number} tall */
function putTile(rect, [x, y], pitch, tall) {
  const wide = Math.max(4, pitch - (pitch < 20 ? 0 : Math.min(6, 0.12 * pitch)));
  setAttributes(rect, { x: px(x - wide / 2), y: px(y), width: px(wide), height: px(tall) });
}

/** Put the characters of a line to their places. */
function putLine(text, characters, place, tall) {
  setText(text, characters.join(""));
  // Of a character of two units, the second has a place as well.
  const places = characters.flatMap((character, j) => Array(character.length).fill(place(j)));
  setAttributes(text, { x: places.map(([x]) => px(x)).join(" "), y: places.map(([, y]) => px(y + tall / 2)).join(" ") });
}

/** Where everything lies, in pixels. @param {import("../../front/picture.js").Picture} picture */
function planOf({ width, height, narrow }) {
  const left = narrow ? 6 : 66;
  const listX = width - (narrow ? 76 : 158);
  const pitch = narrow ? Math.max(1, (listX - 26 - left) / 10) : 44;
  const [reading, tall] = narrow ? [62, 34] : [72, 40];
  const room = Math.max(LEAST, width - left - (narrow ? 6 : 12));
  const writing = height - (narrow ? 98 : 112);
  const apart = narrow ? 40 : 44;
  return {
    left, pitch, reading, writing, tall, narrow,
    hand: writing + tall + (narrow ? 24 : 28),
    X: (/** @type {number} */ i) => left + pitch * (i + 0.5),
    atX: (/** @type {number} */ x) => Math.round((x - left) / pitch - 0.5),
    list: { x: listX, width: narrow ? 88 : 112, Y: (/** @type {number} */ n) => writing + tall / 2 + (n - 1) * apart },
    /** So many characters: how far apart they are, and where each has its middle and its top. */
    lay(/** @type {number} */ count) {
      const most = Math.floor(room / LEAST);
      const lines = Math.ceil(count / most);
      const inLine = Math.ceil(count / lines);
      const own = Math.min(pitch, room / inLine);
      return {
        pitch: own,
        place: (/** @type {number} */ j) => [left + own * ((j % inLine) + 0.5), reading + Math.floor(j / inLine) * (tall + 4)],
      };
    },
  };
}

/** The map of all weights. How many columns there are depends on what is typed; body.html draws the first ones. */
function mapOf(figure, { data: { fields }, controls, words: { sentences } }) {
  /** @type {HTMLTableElement} */
  const table = figure.querySelector(".attn-body [data-view='dates']");
  const box = table.parentElement;
  const [head, body] = [table.tHead.rows[0], table.tBodies[0]];
  const headers = fields.map((name, i) => body.rows[i]?.cells[0] ?? header(name, i, fields, sentences));
  const letters = Array.from({ length: controls.find(({ key }) => key === "t").longest }, () => {
    const cell = element("th", { scope: "col" });
    cell.append(element("button", { type: "button" }));
    return cell;
  });
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
  let drawn = "";

  const paint = ({ letters: characters, flags, symbols, rows, confidence, least }, row) => {
    table.style.setProperty("--letters", String(characters.length));
    box.classList.toggle("attn-many", characters.length >= Number(box.dataset.many));
    const shown = letters.slice(0, characters.length);
    // What has the focus stays in its place.
    if (shown.length !== head.cells.length - 2 || !head.contains(letters[0])) {
      head.replaceChildren(head.cells[0], ...shown, head.lastElementChild);
      rove(0);
    }
    shown.forEach((cell, j) => nameColumn(cell, characters[j], flags[j], rows.length > 0, sentences));
    if (rows.length !== body.rows.length || rows[0]?.length !== body.rows[0]?.cells.length - 2) {
      body.replaceChildren(...rows.map((weights, i) => line(headers[i], weights.length, i)));
    }
    rows.forEach((weights, i) => {
      body.rows[i].classList.toggle("attn-dates-row", i === row - 1);
      const symbol = headers[i].querySelector(".attn-symbol");
      setText(symbol, symbols[i]);
      const sure = write(body.rows[i], weights, confidence[i]);
      for (const mark of [symbol, sure]) mark.classList.toggle("attn-least", i === least);
    });
  };
  return {
    heads: letters.map((cell) => cell.firstChild),
    paint(part, row) {
      const name = JSON.stringify([part, row]);
      if (name === drawn) return;
      drawn = name;
      // At the body, for what is painted of the table itself drops what waits there.
      paintVisible(body, () => paint(part, row));
    },
  };
}

/** The head of a row: the field that it belongs to, seen once, along all of its rows, and its symbol. */
function header(name, i, fields, words) {
  const cell = element("th", { scope: "row", className: "attn-row" });
  if (name) {
    const first = fields.indexOf(name) === i;
    const field = element("span", { className: first ? "attn-field" : "attn-sr", textContent: `${words[name]} ` });
    if (first) field.style.setProperty("--rows", String(fields.filter((other) => other === name).length));
    cell.append(field);
  }
  cell.append(element("span", { className: "attn-symbol" }));
  return cell;
}

/** Let the head of a column show a character: the cell says what it is, the button in it what a press does. */
function nameColumn(cell, character, flag, isRead, words) {
  const button = cell.firstChild;
  const shown = character === " " ? "␣" : character;
  setAttributes(cell, { class: flag && `attn-letter-${flag}`, "aria-label": flag ? `${shown} ${words[`letter_${flag}`]}` : shown });
  setText(button, shown);
  setAttributes(button, { "aria-label": fill(words.toggle, { letter: shown }), "aria-pressed": String(flag === "hidden") });
  if (button.disabled === isRead) button.disabled = !isRead;
}

/** A row without its numbers. */
function line(head, columns, i) {
  const line = element("tr", {});
  line.style.setProperty("--i", String(i));
  line.append(head);
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

/** The numbers of a row: its weights, and how sure the model is of its symbol; returns the last one. */
function write(line, weights, confidence) {
  const sure = line.querySelector(".attn-sure > .attn-number");
  setText(sure, formatWeight(confidence));
  line.querySelectorAll(".attn-weight").forEach((cell, j) => {
    setAttributes(cell, { "data-weight": weights[j] });
    paintShade(cell, weights[j]);
    setText(nodesOf(cell).number, short(weights[j]));
  });
  return sure;
}

/** A weight in three signs, nothing where it is small. */
function short(weight) {
  return weight < SHOWN_FROM ? "" : formatWeight(weight).replace(/^0|0$/, "");
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
