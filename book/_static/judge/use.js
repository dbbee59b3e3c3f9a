/**
 * Lets a reader's function compute a figure of its page. The page's Python answers what the figure asks, state by state;
 * numbers that differ from the book's are marked in the figure, and a line below it says so. What goes wrong is said there
 * too, and the figure is the book's again.
 */
(() => {
  const SAME = 1e-4; // numbers that differ by less are equal
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
      const name = asked === 0 ? "figure_unused" : apart > 0 ? "figure_differs" : "figure_same";
      line.say(attnJudge.said({ name, slots: { n: apart } }, words));
      return view;
    };
    explorer.again({ ...explorer.asks[exercise.dataset.exercise](explorer.state), ask: "0" });
    explorer.figure.scrollIntoView({ block: "nearest" });
    line.button.focus({ preventScroll: true });
  };

  /** Put the book's numbers beside those that differ, in all tables of weights and in what is compared too, and count them. */
  function mark(explorer, parts, book, said) {
    const tables = explorer.querySelectorAll('.attn-body :is([data-view="heatmap"], .attn-compared)');
    let apart = 0;
    for (const name of new Set([...tables].map(({ dataset }) => dataset.part))) {
      const { rows } = parts[name];
      const unlike = book[name].rows.map((row, i) => row.map((own, j) => (isSame(own, rows[i][j]) ? undefined : own)));
      parts[name].book = { rows: unlike, said, whole: book[name] };
      apart += unlike.flat().filter((own) => own !== undefined).length;
    }
    return apart;
  }

  /** Whether numbers are equal, or both missing. */
  function isSame(a, b) {
    return a === b || (a !== null && b !== null && Math.abs(a - b) < SAME);
  }

  /** The line below a figure that says whose numbers it shows. */
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
