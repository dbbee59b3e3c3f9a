// The field for a sentence of one's own (_ext/content/own_sentence.py): what the 144 heads of a real model look at in it. Its
// weights are fetched when the button is pressed, and nothing is sent. A module, so a page from a disk keeps the field hidden.

const HEADS = 12;
const MOST = 40; // pieces: more maps of more rows are no picture
const MEGA = 1e6;

/** @typedef {import("./e5.js").Reading} Reading */

for (const field of document.querySelectorAll("[data-own-sentence]")) open(/** @type {HTMLElement} */ (field));

/** @param {HTMLElement} field */
function open(field) {
  const words = JSON.parse(field.dataset.words);
  const size = Number(field.dataset.bytes);
  const [form, progress, stop, status, result] = ["form", "progress", ".attn-stop", "[role=status]", ".attn-reading"].map((name) =>
    /** @type {any} */ (field.querySelector(name)));
  const show = showing(result, words);
  /** @type {Worker | null} */
  let worker = null;
  let busy = false;

  const say = (/** @type {string} */ text, slots = {}) => {
    status.textContent = filled(text, slots);
  };
  const idle = () => {
    busy = false;
    progress.hidden = stop.hidden = true;
  };
  const end = () => {
    worker?.terminate();
    worker = null;
    idle();
  };

  function start() {
    const made = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    made.onerror = () => fail();
    made.onmessage = ({ data }) => {
      if (data.failed) fail();
      if (data.loaded) {
        progress.value = data.loaded / size;
        if (data.loaded >= size) say(words.reading);
      }
      if (data.long) {
        idle();
        say(words.long, { count: data.long, most: MOST });
      }
      if (data.layer) progress.value = data.layer / HEADS;
      if (data.reading) found(data.reading, data.seconds);
    };
    return made;
  }

  const fail = () => {
    end();
    say(words.failed);
  };

  function found(/** @type {Reading} */ reading, /** @type {number} */ seconds) {
    idle();
    const { pieces, absent } = reading;
    if (absent.length) return say(words.absent, { pieces: absent.map(shown).join(", ") });
    say(words.done, { count: String(pieces.length), seconds: seconds.toFixed(1) });
    show(reading);
  }

  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = new FormData(form).get("text").toString().trim();
    if (busy) return;
    if (!text) return say(words.empty);
    busy = true;
    progress.value = 0;
    progress.hidden = stop.hidden = false;
    say(worker ? words.reading : words.loading, { size: (size / MEGA).toFixed(0) });
    worker ??= start();
    worker.postMessage({ weights: new URL(field.dataset.weights, import.meta.url).href, text, most: MOST });
  });
  stop.addEventListener("click", () => {
    end();
    say(words.stopped);
    form.elements.text.focus();
  });
  field.hidden = false;
}

/** A function that shows a reading: all maps, and the row of one piece in one head. */
function showing(/** @type {HTMLElement} */ result, words) {
  const canvas = result.querySelector("canvas");
  const list = result.querySelector("ol");
  const told = result.querySelector("p");
  const [layer, head] = /** @type {NodeListOf<HTMLInputElement>} */ (result.querySelectorAll("input"));
  /** @type {Reading} */
  let reading;
  let asker = 1;

  function row() {
    const N = reading.pieces.length;
    const first = (((layer.valueAsNumber - 1) * HEADS + head.valueAsNumber - 1) * N + asker) * N;
    return reading.weights.subarray(first, first + N);
  }

  function paint() {
    const { pieces } = reading;
    const weights = row();
    const top = weights.indexOf(Math.max(...weights));
    const [l, h] = [layer.value, head.value];
    told.textContent = filled(words.look, {
      head: `${l}.${h}`, piece: shown(pieces[asker]), top: shown(pieces[top]), w: weights[top].toFixed(2),
    });
    canvas.parentElement.style.setProperty("--layer", l);
    canvas.parentElement.style.setProperty("--head", h);
    list.querySelectorAll("button").forEach((button, i) => {
      button.setAttribute("aria-pressed", String(i === asker));
      button.style.setProperty("--weight", weights[i].toFixed(3));
      button.querySelector("output").textContent = weights[i].toFixed(2);
    });
  }

  const paintMaps = () => reading && drawMaps(canvas, reading);
  new MutationObserver(paintMaps).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  for (const slider of [layer, head]) slider.addEventListener("input", paint);
  canvas.addEventListener("click", ({ offsetX, offsetY }) => {
    const place = (/** @type {number} */ at, /** @type {number} */ length) => String(1 + Math.floor((HEADS * at) / length));
    head.value = place(offsetX, canvas.clientWidth);
    layer.value = place(offsetY, canvas.clientHeight);
    paint();
  });

  return (/** @type {Reading} */ given) => {
    reading = given;
    asker = Math.min(asker, given.pieces.length - 1);
    list.replaceChildren(...given.pieces.map((piece, i) => item(shown(piece), () => {
      asker = i;
      paint();
    })));
    result.hidden = false;
    paintMaps();
    paint();
  };
}

/** A piece that asks when it is pressed, with the bar of the weight that it gets. */
function item(/** @type {string} */ piece, /** @type {() => void} */ press) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(Object.assign(document.createElement("span"), { textContent: piece }), document.createElement("output"));
  button.addEventListener("click", press);
  const own = document.createElement("li");
  own.append(button);
  return own;
}

/** All maps, one pixel for each weight and one between two maps. */
function drawMaps(/** @type {HTMLCanvasElement} */ canvas, /** @type {Reading} */ { pieces, weights }) {
  const N = pieces.length;
  canvas.width = canvas.height = HEADS * (N + 1);
  const style = getComputedStyle(canvas);
  const context = canvas.getContext("2d");
  context.fillStyle = style.getPropertyValue("--w1");
  weights.forEach((weight, at) => {
    const tile = Math.floor(at / N ** 2);
    const [query, key] = [Math.floor(at / N) % N, at % N];
    context.globalAlpha = weight;
    context.fillRect((tile % HEADS) * (N + 1) + key, Math.floor(tile / HEADS) * (N + 1) + query, 1, 1);
  });
}

/** A piece without the sign for the space before it. */
const shown = (/** @type {string} */ piece) => piece.replace(/^▁/u, "") || "␣";

const filled = (/** @type {string} */ text, /** @type {Record<string, string>} */ slots) =>
  text.replace(/\{(\w+)\}/gu, (slot, key) => slots[key] ?? slot);
