/**
 * Runs what a reader wrote, and shows what the judge found. MicroPython works in a worker that is
 * made of text, as a browser loads none from a disk; after two seconds the worker is ended.
 */
(() => {
  const LIMIT = 2000;
  const LOADING = 60000;
  const MOST = 2000; // characters of what the code prints

  /** @param {HTMLElement} exercise @param {HTMLElement} verdict */
  attnJudge.run = async (exercise, verdict) => {
    const name = exercise.dataset.exercise;
    const show = (found) => {
      verdict.dataset.verdict = found.name;
      verdict.replaceChildren(...written(found, exercise.lang || document.documentElement.lang, name));
    };
    await Promise.all([attnJudge.load("python"), attnJudge.load(`exercises/${name}`)]);
    if (typeof WebAssembly !== "object") return show({ name: "no_wasm" });
    const { python } = attnJudge;
    const own = attnJudge.exercises[name];
    const code = exercise.querySelector("textarea").value;
    const address = URL.createObjectURL(new Blob([python.worker], { type: "text/javascript" }));
    const worker = new Worker(address);
    let printed = "";
    let timer;
    const end = (found) => {
      clearTimeout(timer);
      worker.terminate();
      URL.revokeObjectURL(address);
      show({ ...found, printed });
    };
    const wait = (limit, why) => {
      clearTimeout(timer);
      timer = setTimeout(() => end({ name: why }), limit);
    };
    wait(LOADING, "failed");
    worker.onerror = () => end({ name: "failed" });
    worker.onmessage = ({ data }) => {
      if (data.ready) wait(LIMIT, "slow");
      else if (data.printed) printed = (printed + data.printed).slice(0, MOST);
      else if (data.found) end(JSON.parse(data.found));
      else end({ name: "failed" });
    };
    const wanted = exercise.dataset.function;
    worker.postMessage({ wasm: python.wasm, files: { ...python.files, ...own.files }, module: own.module, judge: name, wanted, code });
  };

  /** What is shown of a finding: its sentence, its case, what was printed. @returns {Node[]} */
  function written(found, tag, name) {
    const { sentences, page } = attnJudge.exercises[name].words[tag.slice(0, 2)];
    const say = (text, slots) => text.replace(/\{(\w+)\}/g, (slot, key) => slots[key] ?? slot);
    const slots = { ...found.slots, line: found.line };
    const told = [say(sentences[found.name] ?? page[found.name], slots)];
    if (found.line && !/\{line\}/.test(sentences[found.name] ?? page[found.name])) told.push(say(page.line, slots));
    const right = found.name === "right";
    const parts = [element("p", `${right ? "✓" : "✗"} ${told.join(" ")}`)];
    if (found.shown) parts.push(table(found.shown, page));
    if (found.printed) {
      const text = element("pre", found.printed);
      text.tabIndex = 0; // it scrolls
      parts.push(element("p", page.printed), text);
    }
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
