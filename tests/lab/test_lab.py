"""JupyterLab with a kernel: ipywidgets sliders move torch's weights in the drawn figure."""

import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect, sync_playwright

import attn_lib
from attn_lib.language import words
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.published import site
from book._tools.browser import launch

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
ADDITIVE = FIGURES["additive"]
# What the browser has asked for.
ASKED: list[str] = []
# Scripts that failed in it.
FAILED: list[str] = []


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that shows one notebook, without the settings of this account."""
    folder = tmp_path_factory.mktemp("lab")
    sources = [
        'import attn_lib\n\nattn_lib.set_language("ko")\nattn_lib.explore("additive", t=2)',
        'attn_lib.set_language("en")\n'
        "for figure in attn_lib.live.figures.FIGURES:\n"
        "    display(attn_lib.explore(figure))",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / "figure.ipynb")
    log = (folder / "log").open("w")
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port=0"),
            *("--IdentityProvider.token=", f"--notebook-dir={folder}"),
        ],
        env={
            "PATH": str(Path(sys.executable).parent),
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "JUPYTER_PREFER_ENV_PATH": "1",
            "JUPYTER_CONFIG_PATH": str(ROOT / "deploy" / "jupyter"),
        },
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        yield address_of(server, folder / "log")
    finally:
        server.terminate()
        server.wait(START_SECONDS)
        log.close()


def address_of(server: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the server answers; it chose a free port itself and wrote it to its log."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        lines = [line.split()[-1] for line in log.read_text().splitlines() if "http://" in line]
        if lines:
            address = lines[-1].split("/lab")[0]
            try:
                urllib.request.urlopen(f"{address}/api", timeout=1)
            except OSError:
                pass
            else:
                return address
        time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")


@pytest.fixture(scope="module")
def page(lab: str) -> Iterator[Page]:
    """The notebook after its cell was run."""
    with sync_playwright() as playwright, launch(playwright) as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1600})
        page.on("request", lambda request: ASKED.append(request.url))
        page.on("pageerror", lambda error: FAILED.append(str(error)))
        page.goto(f"{lab}/lab/tree/figure.ipynb")
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=120_000)
        run_cell(page, 0)
        expect(page.locator(".attn-alive")).to_be_visible(timeout=120_000)
        yield page


@pytest.fixture(scope="module")
def all_figures(page: Page) -> Page:
    """The notebook after every figure was shown, too."""
    page.set_viewport_size({"width": 1440, "height": 900})
    run_cell(page, 1)
    expect(page.locator(".attn-alive")).to_have_count(1 + len(FIGURES), timeout=120_000)
    return page


def run_cell(page: Page, position: int) -> None:
    """Press the keys until they work: JupyterLab loses them while it arranges its panels."""
    deadline = time.monotonic() + START_SECONDS
    while page.locator(".jp-InputPrompt").nth(position).inner_text().strip() == "[ ]:":
        assert time.monotonic() < deadline, "JupyterLab does not run the cell"
        page.locator(".jp-Notebook-cell .jp-InputArea-editor").nth(position).click()
        page.keyboard.press("Control+Enter")
        page.wait_for_timeout(1000)


def expect_view(page: Page, **settings: object) -> None:
    """Wait until the page shows the weights that Python computes for these settings."""
    rows = ADDITIVE.compute(ADDITIVE.state(**settings)).parts["weights"]["rows"]
    page.wait_for_function(
        """(weights) => {
             const cells = [...document.querySelectorAll(".attn-body td[data-weight]")];
             return cells.length === weights.length &&
               cells.every((cell, i) => Math.abs(cell.dataset.weight - weights[i]) < 1e-6);
           }""",
        arg=[weight for row in rows for weight in row],
        timeout=10_000,
    )


def test_figure_shows_the_starting_state_in_the_notebooks_language(page: Page) -> None:
    expect_view(page, t=2)
    attn_lib.set_language("ko")
    question = words("additive")["question"]
    attn_lib.set_language("en")
    expect(page.locator(".attn-question")).to_have_text(question)
    expect(page.locator(".attn-surprise")).to_be_hidden()


def test_slider_moves_the_weights(page: Page) -> None:
    handle = page.locator(".widget-slider .noUi-handle").first
    for _ in range(4):
        handle.press("ArrowLeft")
    expect_view(page, t=0)
    handle.press("Home")
    expect_view(page, t=-6)


def test_buttons_move_the_weights(page: Page) -> None:
    page.locator(".widget-toggle-button").nth(1).click()
    expect_view(page, t=-6, tanh="before")


def test_link_goes_to_the_kernel_and_comes_back_to_the_sliders(page: Page) -> None:
    page.locator(".attn-more > summary").click()
    page.locator(".attn-tries a").nth(0).click()
    expect_view(page, **ADDITIVE.tries[0])
    expect(page.locator(".widget-slider .widget-readout").first).to_have_text("0.0")


def test_figure_leads_to_its_published_page_in_the_state_it_shows(page: Page) -> None:
    link = page.locator(".attn-published")
    book = f"{site()}ko/{ADDITIVE.chapter}.html"
    expect(link).to_have_attribute("href", book + ADDITIVE.fragment(ADDITIVE.tries[0]))
    page.locator(".widget-slider .noUi-handle").first.press("End")
    expect(link).to_have_attribute("href", book + ADDITIVE.fragment({"t": 7}))
    # By keyboard it comes right before what asks again.
    page.locator(".attn-again").press("Shift+Tab")
    expect(link).to_be_focused()


def test_nothing_asks_another_host(page: Page, lab: str) -> None:
    """Nor does JupyterLab ask its own server for news, which would fetch them elsewhere."""
    assert any(url.startswith(f"{lab}/lab/api/settings") for url in ASKED)
    assert [url for url in ASKED if url.startswith("http") and not url.startswith(lab)] == []
    assert [url for url in ASKED if re.match(f"{lab}/lab/api/(news|update)", url)] == []
    expect(page.get_by_text("Jupyter news")).to_have_count(0)


# A figure's box in the notebook notes what changes in the figure.
NOTE = """(box) => {
  box.changed = new Set();
  box.changes = [];
  const note = (records) => records.forEach(({ target }) => box.changed.add(target));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(note).observe(box.querySelector(".attn-body"), all);
}"""
# What changed since then came of the slider of this name.
KEEP = """(box, name) => {
  box.changes.push([name, [...box.changed]]);
  box.changed.clear();
}"""
# How much of what a slider changes is in sight together with all sliders, where its middle is in
# the middle of the window.
SEEN = """(box) => {
  const notebook = document.querySelector(".jp-WindowedPanel-outer");
  const rectOf = (node) => node.getBoundingClientRect();
  const [sliders, figure] = [box.querySelector(".attn-sliders"), box.querySelector("figure")];
  notebook.scrollTop += rectOf(box).top - rectOf(notebook).top;
  const stand = rectOf(sliders).top <= rectOf(figure).top + 5;
  const seen = box.changes.map(([name, nodes]) => {
    const drawn = nodes
      .map((node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node))
      .filter((node) => node?.isConnected && node.checkVisibility() && !node.closest(".attn-sr"))
      .filter((node) => rectOf(node).width && rectOf(node).height);
    const tops = drawn.map((node) => rectOf(node).top).sort((one, other) => one - other);
    const window = rectOf(notebook);
    notebook.scrollTop += tops[Math.floor(tops.length / 2)] - (window.top + window.bottom) / 2;
    const held = rectOf(sliders);
    const clear = drawn.map(rectOf).filter((rect) =>
      rect.top >= window.top - 1 && rect.bottom <= window.bottom + 1 &&
      (rect.left >= held.right || rect.right <= held.left || rect.top >= held.bottom - 1));
    const inSight = held.top >= window.top - 1 && held.bottom <= window.bottom + 1;
    return [name, inSight ? clear.length / drawn.length : 0];
  });
  // A widget that is wider than its place reaches into the next one.
  const wide = [...sliders.querySelectorAll(".widget-label")].map((label) => label.parentElement)
    .filter((widget) => widget.scrollWidth > widget.clientWidth + 1)
    .map((widget) => widget.querySelector(".widget-label").textContent);
  return { stand, seen, wide, height: rectOf(figure).height };
}"""


def test_sliders_stay_in_sight_with_what_they_change(all_figures: Page) -> None:
    """Each slider is moved by key; then two windows are asked what of it can be seen."""
    boxes = {
        name: all_figures.locator(f'.attn-notebook:has([data-figure="{name}"])').last
        for name in FIGURES
    }
    for box in boxes.values():
        box.evaluate(NOTE)
        for slider in box.locator(".widget-slider:visible").all():
            label = slider.locator(".widget-label").inner_text()
            if slider.locator("[disabled]").count():
                continue  # it is idle: it moves nothing here
            handle = slider.locator(".noUi-handle")
            at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
            handle.press("ArrowLeft" if at_end else "ArrowRight")
            changed = "(box) => box.changed.size"
            all_figures.wait_for_function(changed, arg=box.element_handle(), timeout=60_000)
            # A view is painted over several frames.
            all_figures.wait_for_timeout(100)
            box.evaluate(KEEP, label)
    # anywidget complains where a figure took more than two seconds to start.
    wrong = [failed for failed in FAILED if "Failed to initialize" not in failed]
    for width in (1000, 1440):
        all_figures.set_viewport_size({"width": width, "height": 900})
        all_figures.wait_for_timeout(500)
        for name, box in boxes.items():
            found = box.evaluate(SEEN)
            if not found["seen"] and name != "museum":
                wrong.append(f"{name}: no slider was moved")
            if not found["stand"]:
                wrong.append(f"{name} at {width}: sliders stand below the figure's top")
            wrong += [f"{name} at {width}: {slider!r} is too wide" for slider in found["wide"]]
            if found["height"] > 2 * 900:
                wrong.append(f"{name} at {width}: {found['height']:.0f} px tall")
            wrong += [
                f"{name} at {width}: {share:.0%} of what {slider!r} changes is in sight"
                for slider, share in found["seen"]
                if share < 0.5
            ]
    assert wrong == []
