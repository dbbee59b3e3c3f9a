/**
 * Runs what a reader wrote, and shows what the judge found. MicroPython works in a worker that is
 * made of text, as a browser loads none from a disk; after two seconds the worker is ended.
 */
(() => {
  const LIMIT = 2000;
  const LOADING = 60000;
  const MOST = 2000; // characters of what the code prints

  /**
   * Start the page's Python for an exercise, with the code that stands there now. `ask` has it judged, or lets it weigh
   * what is given, one call at a time, and promises what was found.
   * @param {HTMLElement} exercise
   */
  attnJudge.start = async (exercise) => {
    const { exercise: judge, function: wanted } = exercise.dataset;
    await Promise.all([attnJudge.load("python"), attnJudge.load(`exercises/${judge}`)]);
    const end = () => {};
    if (typeof WebAssembly !== "object") return { ask: () => Promise.resolve({ name: "no_wasm" }), end };
    const { python } = attnJudge;
    const own = attnJudge.exercises[judge];
    const code = exercise.querySelector("textarea").value;
    const seed = Number(attnJudge.seed ?? 0);
    const address = URL.createObjectURL(new Blob([python.worker], { type: "text/javascript" }));
    const worker = new Worker(address);
    let first = { wasm: python.wasm, files: { ...python.files, ...own.files }, module: own.module };
    const ask = (/** @type {string | undefined} */ given) =>
      new Promise((done) => {
        let printed = "";
        let timer;
        const found = (finding) => {
          clearTimeout(timer);
          done({ ...finding, printed });
        };
        const wait = (limit, why) => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            worker.terminate();
            found({ name: why });
          }, limit);
        };
        wait(LOADING, "failed");
        worker.onerror = () => found({ name: "failed" });
        worker.onmessage = ({ data }) => {
          if (data.ready) wait(LIMIT, "slow");
          else if (data.printed) printed = (printed + data.printed).slice(0, MOST);
          else if (data.found) found(JSON.parse(data.found));
          else found({ name: "failed" });
        };
        worker.postMessage({ ...first, judge, wanted, code, given, seed });
        first = undefined;
      });
    return {
      ask,
      end() {
        worker.terminate();
        URL.revokeObjectURL(address);
      },
    };
  };

  // `?seed=2027` in the address gives a class cases of its own.
  attnJudge.seed = /^\d{1,9}$/.exec(new URLSearchParams(location.search).get("seed"))?.[0];

  /** @param {HTMLElement} exercise @param {HTMLElement} verdict */
  attnJudge.run = async (exercise, verdict) => {
    const python = await attnJudge.start(exercise);
    const found = await python.ask();
    python.end();
    verdict.dataset.verdict = found.name;
    const words = attnJudge.wordsOf(exercise);
    verdict.replaceChildren(...written(found, words));
    if (exercise.dataset.draws && found.name in words.sentences) offer(exercise, verdict, words.page);
  };

  /** The sentences of an exercise, and those of every exercise, in the page's language. */
  attnJudge.wordsOf = ({ lang, dataset }) =>
    attnJudge.exercises[dataset.exercise].words[(lang || document.documentElement.lang).slice(0, 2)];

  /** What is said of a finding, with its line. @returns {string} */
  attnJudge.said = (found, { sentences, page }) => {
    const say = (text, slots) => text.replace(/\{(\w+)\}/g, (slot, key) => slots[key] ?? slot);
    const text = sentences[found.name] ?? page[found.name];
    const told = say(text, { ...found.slots, line: found.line });
    return found.line && !/\{line\}/.test(text) ? `${told} ${say(page.line, found)}` : told;
  };

  /** Where a figure of the page takes the function, a button that hands it over. */
  function offer(exercise, verdict, page) {
    if (exercise.querySelector(".attn-use")) return;
    const button = Object.assign(element("button", page.use), { type: "button", className: "attn-use" });
    button.addEventListener("click", async () => {
      try {
        await attnJudge.load("use");
        await attnJudge.use(exercise);
      } catch {
        verdict.dataset.verdict = "failed";
        verdict.textContent = exercise.dataset.failed;
      }
    });
    exercise.append(button);
  }

  /** What is shown of a finding: its sentence, its case, what was printed. @returns {Node[]} */
  function written(found, words) {
    const { page } = words;
    const right = found.name === "right";
    const parts = [element("p", `${right ? "✓" : "✗"} ${attnJudge.said(found, words)}`)];
    if (found.shown) parts.push(table(found.shown, page));
    if (found.printed) {
      const text = element("pre", found.printed);
      text.tabIndex = 0; // it scrolls
      parts.push(element("p", page.printed), text);
    }
    if (attnJudge.seed) parts.push(Object.assign(element("p", page.seed.replace("{seed}", attnJudge.seed)), { className: "attn-seed" }));
    return parts;
  }

  /** A case: a row for each key, got beside wanted. */
  function table({ caption, columns }, page) {
    const shown = document.createElement("table");
    if (caption) shown.append(element("caption", page[caption[0]].replace("{n}", caption[1])));
    const head = shown.createTHead().insertRow();
    for (const label of ["row", ...columns.map(([label]) => label)]) {
      const cell = element("th", page[label]);
      cell.setAttribute("scope", "col");
      head.append(cell);
    }
    const [got, wanted] = ["got", "wanted"].map((label) => columns.find((column) => column[0] === label)[1]);
    const body = shown.createTBody();
    wanted.forEach((_, i) => {
      const row = body.insertRow();
      if (got[i] !== wanted[i]) row.className = "attn-wrong";
      for (const text of [String(i + 1), ...columns.map(([, values]) => values[i])]) {
        row.insertCell().textContent = text.replace(/^-(?=[\d∞])/, "−");
      }
    });
    return shown;
  }

  function element(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }
})();
