/**
 * The field of an exercise that the page judges (_ext/content/judged.py). What runs the code is
 * loaded when *Run* is pressed, judge/run.js first. A classic script, for pages from a disk.
 */
(() => {
  const own = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  globalThis.attnJudge ??= {};

  /** Load a script beside this one, once. @param {string} name @returns {Promise<void>} */
  attnJudge.load = (name) =>
    (attnJudge.load[name] ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = own.replace("judge.js", `judge/${name}.js`);
      script.onload = () => done();
      script.onerror = () => {
        delete attnJudge.load[name];
        failed(new Error(name));
      };
      document.head.append(script);
    }));

  for (const exercise of document.querySelectorAll("[data-judge]")) {
    const field = exercise.querySelector("textarea");
    const lines = /** @type {HTMLElement} */ (field.previousElementSibling);
    const number = () => {
      const n = field.value.split("\n").length;
      lines.textContent = Array.from({ length: n }, (_, i) => i + 1).join("\n");
      field.rows = Math.max(2, n);
    };
    let leaves = false; // after Escape, Tab is the browser's
    field.addEventListener("blur", () => (leaves = false));
    field.addEventListener("input", number);
    field.addEventListener("keydown", (event) => {
      const { key } = event;
      if (key === "Escape") leaves = true;
      if (leaves || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      const before = field.value.slice(0, field.selectionStart).split("\n").at(-1);
      const indent = /^ */.exec(before)[0];
      // execCommand, alone, keeps the browser's undo.
      const insert = (text) => document.execCommand("insertText", false, text);
      if (key === "Tab" && !event.shiftKey) insert(" ".repeat(4 - (before.length % 4)));
      else if (key === "Tab" && field.selectionStart === field.selectionEnd && before === indent && indent) {
        field.selectionStart -= ((indent.length - 1) % 4) + 1;
        document.execCommand("delete");
      } else if (key === "Enter") insert(`\n${indent}${/:\s*$/.test(before) ? "    " : ""}`);
      else if (key !== "Tab") return;
      event.preventDefault();
    });
    exercise.querySelector("button").addEventListener("click", async () => {
      const verdict = exercise.querySelector("[data-verdict]");
      if (verdict.dataset.verdict === "running") return;
      verdict.dataset.verdict = "running";
      verdict.textContent = exercise.dataset.running;
      try {
        await attnJudge.load("run");
        await attnJudge.run(exercise, verdict);
      } catch {
        verdict.dataset.verdict = "failed";
        verdict.textContent = exercise.dataset.failed;
      }
    });
    number();
    exercise.hidden = false;
  }
})();
