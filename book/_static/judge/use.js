/**
 * Lets a reader's function compute a figure of its page. The page's Python weighs what the figure asks, state by state;
 * weights that differ from the book's are marked in the figure, and a line below it says how many. What goes wrong is said
 * there too, and the figure is the book's again.
 */
(() => {
  const SAME = 1e-4; // weights that differ by less are equal
  const MOST = 500; // answers that are kept

  /** Thrown where a figure asks what Python has not answered yet. */
  class Unanswered extends Error {}

  /** Hand over the function that stands in an exercise's field now. @param {HTMLElement} exercise */
  attnJudge.use = async (exercise) => {
    /** @type {any} */
    const explorer = document.querySelector(`attn-explorer[data-figure="${exercise.dataset.draws}"]`);
    attnJudge.use.back?.();
    const python = await attnJudge.start(exercise);
    const words = attnJudge.wordsOf(exercise);
    const { compute, prepare } = explorer;
    const known = new Map();
    let asked = 0;
    const own = {
      [exercise.dataset.exercise](given, shape) {
        const question = JSON.stringify([given, shape]);
        asked += 1;
        if (!known.has(question)) throw new Unanswered(question);
        return known.get(question);
      },
    };
    const line = lineOf(explorer, exercise, words.page);

    /** Give the figure back. */
    const back = () => {
      python.end();
      Object.assign(explorer, { compute, prepare });
      attnJudge.use.back = undefined;
      line.end();
      explorer.again();
    };
    attnJudge.use.back = back;
    line.button.addEventListener("click", () => {
      back();
      line.strip.remove();
      explorer.figure.tabIndex = -1;
      explorer.figure.focus({ preventScroll: true });
    });

    let newest = "";
    let queue = Promise.resolve();
    const answer = (question) => {
      newest = question;
      queue = queue.then(async () => {
        // The reader may have moved on, or have had enough.
        if (question !== newest || known.has(question) || attnJudge.use.back !== back) return;
        const found = await python.ask(question);
        if (attnJudge.use.back !== back) return;
        if (known.size >= MOST) known.clear();
        if (found.name === "weights") known.set(question, found.shown);
        else {
          back();
          line.say(`✗ ${attnJudge.said(found, words)} ${words.page.figure_back}`);
        }
      });
      return queue;
    };

    explorer.prepare = (state, data) => {
      try {
        compute(state, data, own);
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        return answer(error.message);
      }
    };
    explorer.compute = (state, data) => {
      asked = 0;
      const view = compute(state, data, own);
      const apart = mark(explorer, view.parts, compute(state, data).parts, words.page.figure_book);
      const said = asked === 0 ? "figure_unused" : apart > 0 ? "figure_differs" : "figure_same";
      line.say(words.page[said].replace("{n}", String(apart)));
      return view;
    };
    explorer.again({ ...explorer.asks[exercise.dataset.exercise](explorer.state), ask: "0" });
    explorer.figure.scrollIntoView({ block: "nearest" });
    line.button.focus({ preventScroll: true });
  };

  /** Put the book's weights beside those that differ, in all tables of weights, and count them. */
  function mark(explorer, parts, book, said) {
    const names = new Set([...explorer.querySelectorAll('.attn-body [data-view="heatmap"]')].map(({ dataset }) => dataset.part));
    let apart = 0;
    for (const name of names) {
      const { rows } = parts[name];
      const unlike = book[name].rows.map((row, i) => row.map((w, j) => (Math.abs(w - rows[i][j]) < SAME ? null : w)));
      parts[name].book = { rows: unlike, said };
      apart += unlike.flat().filter((w) => w !== null).length;
    }
    return apart;
  }

  /** The line below a figure that says whose weights it shows. */
  function lineOf(explorer, exercise, page) {
    const strip = Object.assign(document.createElement("div"), { className: "attn-yours" });
    const text = document.createElement("p");
    text.setAttribute("role", "status");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: page.back });
    const link = Object.assign(document.createElement("a"), { href: `#${exercise.dataset.judge}`, textContent: page.label });
    strip.append(text, button, link);
    explorer.querySelector(".attn-yours")?.remove();
    explorer.summary.after(strip);
    let said = "";
    return {
      strip,
      button,
      /** Say it once the figure shows it, in the words of the last state. */
      say(sentence) {
        if (!said) requestAnimationFrame(() => ([text.textContent, said] = [said, ""]));
        said = sentence;
      },
      end: () => (button.hidden = true),
    };
  }
})();
