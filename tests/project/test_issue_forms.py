"""The forms by which readers report something: one for each edition, with the same fields."""

from pathlib import Path

import pytest
import yaml

from book._ext.editions.languages import EDITIONS

FORMS = Path(__file__).resolve().parents[2] / ".github" / "ISSUE_TEMPLATE"
OTHERS = [edition.code for edition in EDITIONS if edition.code != "en"]


def form(language):
    """The form that the pages of an edition link to (`report` in book/_ext/site/page.py)."""
    return yaml.safe_load((FORMS / f"page-{language}.yml").read_text(encoding="utf-8"))


def fields(language):
    """What every form has to have alike: ids, kinds, what is required, how many options."""
    return [
        (
            field["id"],
            field["type"],
            field.get("validations", {}),
            len(field["attributes"].get("options", [])),
        )
        for field in form(language)["body"]
    ]


def words(language):
    """Every text that a reader sees."""
    found = [form(language)["name"], form(language)["description"]]
    for field in form(language)["body"]:
        attributes = field["attributes"]
        found += [attributes["label"], attributes.get("description", "")]
        found += attributes.get("options", [])
    return [text for text in found if text]


def test_the_english_form_asks_what_is_needed():
    assert form("en").keys() == {"name", "description", "labels", "body"}
    asked = [name for name, *_ in fields("en")]
    assert asked == ["page", "kind", "what", "screenshot", "browser"]
    required = [name for name, _, validations, _ in fields("en") if validations.get("required")]
    assert required == ["page", "kind", "what"]


@pytest.mark.parametrize("language", OTHERS)
def test_each_edition_has_a_form_with_the_same_fields(language):
    assert fields(language) == fields("en")
    assert form(language)["labels"] == form("en")["labels"]


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_of_a_form_was_left_in_english(language):
    assert set(words(language)) & set(words("en")) == set()
    assert len(words(language)) == len(words("en"))


def test_options_of_a_menu_differ_and_are_texts():
    """GitHub refuses a form with two equal options, or with a bare yes or no."""
    for edition in EDITIONS:
        for field in form(edition.code)["body"]:
            options = field["attributes"].get("options", [])
            assert all(isinstance(option, str) for option in options)
            assert len(options) == len(set(options))


def test_names_of_forms_differ():
    assert len({form(edition.code)["name"] for edition in EDITIONS}) == len(EDITIONS)
