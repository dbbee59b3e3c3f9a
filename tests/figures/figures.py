"""A reader who operates a live figure on a page, and looks at the numbers it shows."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from attn_lib.live.host.controls import Listed, Range
from attn_lib.live.host.figure import Figure, View

# Waits for what is painted a moment after the rest, as in a closed fold, and for what a figure
# fetches when it is first used.
PAINTED = """async (figure) => {
  for (let tries = 0; figure.matches("[data-waiting]") || figure.querySelector("[aria-busy]"); ) {
    if ((tries += 1) > 1_000) throw new Error("the figure is never painted");
    await new Promise((done) => setTimeout(done, 5));
  }
}"""

# The state and every part's numbers, as the cells carry them; a hidden part is null. A part is a
# table's body, or rows that stand among others.
READ = """async (figure) => {
  await (PAINTED)(figure);
  const parts = {};
  for (const part of figure.querySelectorAll(".attn-body [data-part]")) {
    const trs = part.matches("tr") ? [part] : [...part.querySelectorAll("tbody tr")];
    const rows = trs.map((row) => [...row.querySelectorAll("[data-weight], [data-value]")]
      .filter((cell) => !cell.hidden).map((cell) => cell.dataset.weight ?? cell.dataset.value));
    const { part: name } = part.dataset;
    parts[name] = part.hidden ? null : [...(parts[name] ?? []), ...rows];
  }
  return { state: figure.state, parts };
}""".replace("PAINTED", PAINTED)

# The texts of a drawing that a mark of it touches, tried at every second pixel of their letters.
TOUCHED = """(drawing, [texts, marks]) => {
  const shown = [...drawing.querySelectorAll(texts)]
    .filter((text) => text.textContent && getComputedStyle(text).visibility !== "hidden");
  const on = (mark, point) =>
    mark.matches("path, polyline") ? mark.isPointInStroke(point) : mark.isPointInFill(point);
  const touches = (mark, text) => {
    const [box, other] = [mark, text].map((one) => one.getBoundingClientRect());
    const edge = 4; // a box leaves out how thick a line is
    if (box.right + edge < other.left || other.right < box.left - edge
      || box.bottom + edge < other.top || other.bottom < box.top - edge) return false;
    const { x, y, width, height } = text.getBBox();
    const across = mark.getCTM().inverse().multiply(text.getCTM());
    for (let u = x + 1; u < x + width; u += 2) {
      for (let v = y + 3; v < y + height - 2; v += 2) {
        if (on(mark, new DOMPoint(u, v).matrixTransform(across))) return true;
      }
    }
    return false;
  };
  const all = [...drawing.querySelectorAll(marks)];
  return shown.filter((text) => all.some((mark) => touches(mark, text)))
    .map((text) => text.textContent);
}"""

# The texts of a drawing that reach beyond it, to the left or to the right.
OUTSIDE = """(drawing) => {
  const { left, right } = drawing.getBoundingClientRect();
  return [...drawing.querySelectorAll("text")].filter((text) => text.checkVisibility()
    && (text.getBoundingClientRect().left < left - 1
      || text.getBoundingClientRect().right > right + 1)).map((text) => text.textContent);
}"""

# The texts of a drawing that lie on another one, tried by their letters' boxes.
OVERLAPPING = """(drawing, texts) => {
  const shown = [...drawing.querySelectorAll(texts)]
    .filter((text) => text.textContent && getComputedStyle(text).visibility !== "hidden")
    .map((text) => [text.textContent, text.getBoundingClientRect()]);
  const meet = (a, b) => a.left + 1 < b.right && b.left + 1 < a.right
    && a.top + 3 < b.bottom - 3 && b.top + 3 < a.bottom - 3;
  return shown.flatMap(([text, box], i) =>
    shown.slice(0, i).filter(([, other]) => meet(box, other)).map(([other]) => `${other}/${text}`));
}"""

# How far down the fold begins.
FOOT = """(figure) => Math.round(figure.querySelector(".attn-foot").getBoundingClientRect().y
  - figure.getBoundingClientRect().y)"""

# Where the lines of a drawing's vertical axis lie.
LEVELS = """(drawing) => [...drawing.querySelectorAll(".attn-axis-line, .attn-hairline")]
  .map((line) => line.getBBox()).filter((box) => box.height < 1).map((box) => box.y)"""

# The figure of a page as the server sent it, put in place of the one that is there. A field that is
# left has its say first, not when it is taken away.
ARRIVE = """async (figure, link) => {
  document.activeElement?.blur();
  const page = await (await fetch(location.pathname)).text();
  const sent = new DOMParser().parseFromString(page, "text/html");
  history.replaceState(null, "", link || location.pathname);
  const selector = `attn-explorer[data-figure="${figure.dataset.figure}"]`;
  figure.replaceWith(document.adoptNode(sent.querySelector(selector)));
}"""

A_FRAME = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"

# Follow a link to a state on this page.
FOLLOW = """(link) => location.hash === link || new Promise((done) => {
  addEventListener("hashchange", done, { once: true });
  location.hash = link;
})"""

# A name for a control that stays when other controls come and go.
SELECTOR = """(control) => {
  const { key, item } = control.dataset;
  const place = control.closest("[data-control]").dataset.control;
  const value = control.type === "radio" ? `[value="${control.value}"]` : "";
  return `[data-control="${place}"] [data-key="${key}"][data-item="${item}"]${value}`;
}"""


def ends(control: Any) -> list[float]:
    """Return the ends of a control of one number; of any other nothing."""
    if len(control.defaults) > 1 or not isinstance(control, Listed | Range):
        return []
    is_listed = isinstance(control, Listed)
    return [control.values[0], control.values[-1]] if is_listed else [control.min, control.max]


def unasked(link: str) -> str:
    """The link without the figure's question, which takes room where a state is asked about."""
    return f"{link}{'&' if '?' in link else '?'}ask=0"


def centred(mark: Locator) -> dict[str, float]:
    """Bring a mark to the middle of the window at once; return its box there."""
    mark.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    return mark.bounding_box()


def middle(mark: Locator) -> tuple[float, float]:
    """Bring a mark to the middle of the window; return the pixels of its own middle there."""
    box = centred(mark)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hundredths(mark: Locator) -> int:
    """Return the weight by which a drawn mark is tinted, in hundredths."""
    (share,) = re.findall(r"\battn-w(\d+)", mark.get_attribute("class"))
    return int(share)


@dataclass
class LiveFigure:
    """A figure on an open page."""

    page: Page
    figure: Figure

    @property
    def element(self) -> Locator:
        return self.page.locator(f'attn-explorer[data-figure="{self.figure.id}"]')

    @property
    def said(self) -> Locator:
        """The live sentence."""
        return self.element.locator(".attn-summary")

    @property
    def summary(self) -> str:
        return self.said.inner_text()

    @property
    def height(self) -> float:
        """How high it is laid out; its element follows a frame later."""
        height: float = self.element.locator("figure").first.bounding_box()["height"]
        return height

    def open_fold(self) -> "LiveFigure":
        """Open what else there is to try, where a figure keeps it closed."""
        self.element.locator(".attn-more").evaluate_all(
            "all => all.forEach((e) => (e.open = true))"
        )
        self.element.evaluate(PAINTED)
        return self

    @property
    def reply(self) -> Locator:
        """What the figure answers to a bet."""
        return self.element.locator(".attn-verdict:not([inert])")

    def bet(self, option: int) -> None:
        """Bet on an option; the figure answers."""
        self.element.locator(".attn-bet").nth(option).click()
        self.fetched()

    def ask_again(self) -> None:
        self.element.locator(".attn-again").click()

    def unfold(self) -> "LiveFigure":
        """Open the box that the figure lies in, if it lies in one."""
        self.element.evaluate(
            "(e) => { const box = e.closest('details'); if (box) box.open = true; }"
        )
        return self

    def ready(self) -> "LiveFigure":
        """Wait until the figure's script runs and a frame has given its drawings their size."""
        expect(self.element).to_have_attribute("data-ready", "")
        self.fetched()
        self.page.evaluate(A_FRAME)
        return self

    def fetched(self) -> None:
        """Wait for what the state needs from elsewhere."""
        expect(self.element).not_to_have_attribute("data-waiting", "")

    @property
    def start(self) -> dict[str, Any]:
        """The state that the figure opens in."""
        return self.figure.state(**self.figure.opening)

    def state(self) -> dict[str, Any]:
        """What the figure takes its settings to be; Python agrees that they are valid.

        Whether the question is asked as well depends on how the reader came there.
        """
        return self.settled(self.element.evaluate("({ state }) => state"))

    def settled(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The same for a state that was read with something else."""
        return self.figure.state(**{key: value for key, value in state.items() if key != "ask"})

    def parts(self) -> dict[str, list[list[str]] | None]:
        """The numbers of each part, as its cells carry them."""
        parts: dict[str, Any] = self.element.evaluate(READ)["parts"]
        return parts

    def arrive(self, link: str = "") -> "LiveFigure":
        """Arrive by a link, or none, as on a new page; to save time, all but the figure stays."""
        self.ready().element.evaluate(ARRIVE, link)
        return self.ready()

    def go(self, link: str) -> None:
        """Follow a link to a state of this figure; wait until it is there and has its size.

        Without a question that stood there, it takes less room from the next frame on.
        """
        self.page.evaluate(FOLLOW, link)
        self.page.evaluate(A_FRAME)

    def controls(self) -> dict[str, Locator]:
        """Every native control of the figure that a reader can reach in this state, by selector."""
        reached = "[data-key]:enabled:visible, label:visible > [data-key]:enabled"
        found = self.element.locator(reached).evaluate_all(f"all => all.map({SELECTOR})")
        return {selector: self.element.locator(selector) for selector in found}

    def check(self) -> View:
        """Compare all numbers on the page with attn_lib's for the same state."""
        read = self.element.evaluate(READ)
        state, shown = self.settled(read["state"]), read["parts"]
        view = self.figure.compute(state)
        for name, part in view.parts.items():
            if part is None:
                assert shown[name] is None, f"{name} is shown"
            elif "rows" in part and name in shown:
                compare(shown[name], part["rows"], f"{state}: {name}")
        return view


def compare(shown: list[list[str]] | None, rows: list[list[float]], where: str) -> None:
    """Compare a table with rows of numbers, to 1e-6 and for the same infinities."""
    assert shown is not None, f"{where} is hidden"
    assert [len(row) for row in shown] == [len(row) for row in rows], where
    for texts, numbers in zip(shown, rows, strict=True):
        for text, number in zip(texts, numbers, strict=True):
            if number is None:
                assert text == "null", where
            else:
                assert math.isclose(float(text), number, rel_tol=1e-9, abs_tol=1e-6), (
                    f"{where}: the page has {text}, attn_lib {number}"
                )
