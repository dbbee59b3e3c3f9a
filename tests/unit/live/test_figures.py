"""What every figure promises, whatever it shows. Its own numbers are in test_<figure>.py."""

import json
import math
import re
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from ipywidgets.widgets.widget import _instances

import attn_lib
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.host import bundle, develop, page
from attn_lib.live.host.controls import Choice, Numbers, Words, active
from attn_lib.live.host.stored import MIME

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(params=FIGURES)
def figure(request):
    return FIGURES[request.param]


def settings_worth_a_look(figure):
    """The defaults, and each choice a reader can make from there."""
    yield {}
    for control in figure.controls:
        if isinstance(control, Choice) and not isinstance(control.default, tuple):
            for option in control.options:
                yield dict(control.when) | {control.key: option}
    yield from figure.tries


def test_a_default_device_without_numbers_changes_nothing(figure):
    """On the device meta, as whoever builds a large model without memory has it."""
    settings = figure.prediction.after
    expected = figure.compute(figure.state(**settings))
    with torch.device("meta"):
        assert explore(figure.id, **settings).view == expected
        assert figure.declaration() is not None


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: explore(["mask"]), ValueError, "figure must be one of additive, arrows"),
        (
            lambda: explore("mask", softmax=torch.softmax),
            ValueError,
            "mask takes the functions masked_softmax. Got softmax.",
        ),
        (
            lambda: explore("mask", masked_softmax=lambda X, lens: X.tolist()),
            TypeError,
            "masked_softmax must return a torch.Tensor. Got list.",
        ),
        (
            lambda: explore("mask", masked_softmax=lambda X, lens: None),
            TypeError,
            "masked_softmax must return a torch.Tensor. Got NoneType.",
        ),
    ],
)
def test_what_explore_refuses(call, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        call()


def test_settings_may_be_arrays():
    lens = explore("mask", len=np.array([1, 2])).state["len"]
    assert lens == (1, 2)
    assert explore("mask", len=torch.tensor([1, 2])).state["len"] == lens


def test_weights_of_a_row_sum_to_one_or_are_all_zero_by_default(figure):
    view = figure.compute(figure.state())
    for name, part in view.parts.items():
        if name.startswith("weights") and part is not None:
            for row in part["rows"]:
                assert math.isclose(sum(row), 1, abs_tol=1e-9) or not any(row)


def test_no_slot_of_a_drawn_figure_is_left_empty(figure):
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        html = page.render(figure, figure.state(), figure.compute(figure.state()))
        drawn = re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.DOTALL)
        assert re.findall(r"\{\w+\}", drawn) == []


def test_every_sentence_label_and_spoken_value_can_be_filled(figure):
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        own = words(figure.id)
        for settings in settings_worth_a_look(figure):
            state = figure.state(**settings)
            view = figure.compute(state)
            assert "{" not in figure.sentences(view)
            slots = {**view.slots, "value": "1"}
            for control in active(figure.controls, state):
                control_words = own["controls"][control.name]
                texts = page.labels(control_words, len(control.defaults))
                spoken = control_words.get("valuetext", [])
                texts += [spoken] if isinstance(spoken, str) else spoken
                for text in texts:
                    assert "{" not in text.format(**slots)


def test_each_option_has_a_reply_that_can_be_filled_in_every_language(figure):
    after = figure.compute(figure.state(**figure.prediction.after))
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        replies = words(figure.id)["replies"]
        assert len(set(replies)) == 3
        assert all("{" not in reply.format(**after.slots) for reply in replies)


def test_the_answer_is_another_state_than_the_question(figure):
    asked = figure.prediction
    assert figure.fragment(asked.before) != figure.fragment(asked.after)


def test_two_instances_share_no_id(figure):
    drawn = [explore(figure.id)._figure_view.html for _ in range(2)]
    first, second = (set(re.findall(r' id="([^"]+)"', html)) for html in drawn)
    assert first
    assert not first & second


def test_a_closed_figure_leaves_no_widget(figure):
    there_before = set(_instances)
    explorer = explore(figure.id)
    assert set(_instances) > there_before
    explorer.close()
    assert set(_instances) == there_before


def test_the_question_stays_while_a_slider_moves_and_goes_with_a_state_of_ones_own(figure):
    explorer = explore(figure.id)
    assert explorer.state["ask"] == "1"
    item = explorer.controls[-1].items[0]
    item.value = other_text(figure.controls[-1]) or last_value(item)
    assert explorer.state != figure.state()
    assert explorer.state["ask"] == "1"
    explorer.set(**figure.prediction.after)
    assert explorer.state["ask"] == "0"
    assert explore(figure.id, **figure.prediction.before).state["ask"] == "1"
    assert explore(figure.id, **figure.prediction.after).state["ask"] == "0"
    assert explore(figure.id, **figure.prediction.after, ask=1).state["ask"] == "1"


def test_widget_is_one_script_without_imports(figure):
    script = bundle.widget(figure.id)
    assert not re.search(r"^\s*(import|export) (?!default)", script, re.MULTILINE)
    assert "data:text/javascript" not in script
    assert ("function mount(" in script) == bundle.has_drawing(figure.id)


def test_a_page_gets_classic_scripts_and_what_figures_share_only_once(figure):
    shared, part = bundle.shared(), bundle.part(figure.id)
    assert not re.search(r"^\s*(import|export) ", shared + part, re.MULTILINE)
    assert f'.register("figures/{figure.id}", {{ ...' in part
    bound = re.findall(r"^const (module_\w+) =", shared + part, re.MULTILINE)
    assert sorted(bound) == sorted(set(bound))
    assert ("function mount(" in part) == bundle.has_drawing(figure.id)


@pytest.mark.parametrize(
    "line", ['import * as svg from "./svg.js";', "export { draw };", "export default draw;"]
)
def test_the_bundler_refuses_what_it_does_not_know(line, monkeypatch):
    sources = {"front/a.js": f"const draw = 1;\n{line}\n"}
    monkeypatch.setattr(bundle, "_read", sources.__getitem__)
    with pytest.raises(ValueError, match=r"front/a\.js has a form of import or export"):
        bundle._add("front/a.js", {})


def test_widget_brings_the_styles_of_its_own_figure_under_a_name_of_their_own(figure):
    view = explore(figure.id)._figure_view
    assert view._css == bundle.stylesheet(figure.id)
    # anywidget keeps one style sheet for each of these names.
    assert view._anywidget_id.endswith(f"_{figure.id}")


def test_links_are_valid_states_that_differ_from_the_default(figure):
    for settings in (*figure.tries, figure.prediction.after, figure.surprise):
        assert figure.fragment(settings).startswith(f"#{figure.id}?")
        assert len(figure.fragment(settings)) <= 200


def test_default_state_is_written_without_settings(figure):
    assert figure.fragment({}) == f"#{figure.id}"


def test_a_link_is_read_as_it_is_written(figure):
    asked = figure.prediction
    for settings in (asked.before, asked.after, *asked.by, figure.surprise, *figure.tries):
        link = figure.fragment(settings)
        assert figure.fragment(figure.read(link.partition("?")[2])) == link


def test_unknown_setting_is_named(figure):
    with pytest.raises(ValueError, match=rf"{figure.id} has the settings .*Got colour\."):
        figure.state(colour=1)


def test_page_shows_the_default_weights_without_a_script(figure):
    state = figure.state()
    view = figure.compute(state)
    html = page.render(figure, state, view)
    for name, part in view.parts.items():
        if name.startswith("weights") and part is not None:
            for row in part["rows"]:
                for weight in row:
                    assert f'data-weight="{weight:.9g}"' in html


def test_declaration_on_the_page_is_json_that_cannot_close_its_script(figure):
    html = page.render(figure, figure.state(), figure.compute(figure.state()))
    text = html.split('<script type="application/json">')[1].split("</script>")[0]
    assert json.loads(text)["id"] == figure.id


def test_rendering_is_repeatable(figure):
    state = figure.state()
    first, second = (page.render(figure, state, figure.compute(state)) for _ in range(2))
    assert first == second


def test_a_notebook_keeps_numbers_and_state_and_nothing_of_the_drawing(figure):
    before = figure.prediction.before | {"ask": "0"}
    states = [("ko", {}), *(("en", some) for some in ({}, *figure.tries, figure.surprise, before))]
    for lang, settings in states:
        attn_lib.set_language(lang)
        state = figure.state(**(settings or figure.opening))
        kept = {k: v for k, v in shown(figure.id, **settings).items() if k != "text/plain"}
        assert kept.keys() == {MIME}
        kept = kept[MIME]
        assert kept == json.loads(json.dumps(kept))
        assert kept.keys() == {"figure", "state", "language"}
        assert (kept["figure"], kept["language"]) == (figure.id, lang)
        assert figure.state(**kept["state"]) == state
        assert (kept["state"] == {}) == (state == figure.state())


def test_a_notebook_shows_every_number_as_text_in_its_language(figure):
    view = figure.compute(figure.state(**figure.opening))
    text = shown(figure.id)["text/plain"]
    heading, *tables = text.split("\n\n")
    assert figure.id in heading
    expected = [name for name, part in view.parts.items() if part and "rows" in part]
    assert [table.partition("\n")[0] for table in tables] == expected
    for name, table in zip(expected, tables, strict=True):
        rows = [row.split() for row in table.splitlines()[1:]]
        assert [len(row) for row in rows] == [len(row) for row in view.parts[name]["rows"]]
        assert len({len(line) for line in table.splitlines()[1:] if line}) <= 2
    attn_lib.set_language("zh")
    assert shown(figure.id)["text/plain"].partition("\n\n")[0] != heading


def test_what_a_function_of_the_reader_does_is_no_figure_for_a_page():
    bundle = shown("mask", masked_softmax=lambda scores, lens: scores * 0 + 0.25)
    assert "0.2500 0.2500 0.2500 0.2500" in bundle["text/plain"]
    assert MIME not in bundle


def test_a_saved_script_reaches_an_open_notebook(monkeypatch, tmp_path):
    for folder in ("front", "figures/mask"):
        shutil.copytree(ROOT / "attn_lib/live" / folder, tmp_path / folder)
    monkeypatch.setattr(bundle, "_LIBRARY", tmp_path)
    monkeypatch.setattr(develop, "EVERY", 0.01)
    monkeypatch.setenv("ANYWIDGET_HMR", "1")
    bundle.forget()
    explorer = explore("mask")
    view = explorer._figure_view
    for name, kept in (("figures/mask/drawing.js", "_esm"), ("figures/mask/style.css", "_css")):
        assert "seen anew" not in getattr(view, kept)
        with (tmp_path / name).open("a") as file:
            file.write("/* seen anew */\n")
        for _ in range(500):
            if "seen anew" in getattr(view, kept):
                break
            time.sleep(0.01)
        assert "seen anew" in getattr(view, kept)
    explorer.close()
    monkeypatch.undo()
    bundle.forget()


def shown(name, **settings):
    bundle = explore(name, **settings)._repr_mimebundle_()
    return {mime: data for mime, data in bundle.items() if "widget" not in mime}


def test_widgets_move_the_view_with_torch(figure):
    """Each control in turn goes to its last value; the view is what compute gives there."""
    for position, control in enumerate(figure.controls):
        explorer = explore(figure.id, **control.when)
        before = explorer.state
        for item in explorer.controls[position].items:
            item.value = other_text(control) or last_value(item)
        assert explorer.state != before, control.key
        assert explorer.view == figure.compute(explorer.state)


def test_typed_values_stand_below_the_sliders_in_jupyter():
    explorer = explore("mask")
    typed = [box for setting in explorer.controls[:2] for box in setting.boxes]
    sliders, _ = explorer.children
    assert list(sliders.children[-2:]) == typed


def other_text(control):
    """Return a typed text that is not the default, none for a control that takes no such text."""
    if isinstance(control, Numbers):
        return control.example
    return "we drink tea; birds sing" if isinstance(control, Words) else None


def last_value(item):
    """Return a value of this widget other than the one it starts with."""
    if hasattr(item, "options"):
        values = [option[1] if isinstance(option, tuple) else option for option in item.options]
        return values[-1] if item.value != values[-1] else values[0]
    if isinstance(item.value, bool):
        return not item.value
    if isinstance(item.value, str):
        return "Smola"
    if isinstance(item.value, tuple):
        return () if item.value else (1,)
    return item.max if item.value != item.max else item.min
