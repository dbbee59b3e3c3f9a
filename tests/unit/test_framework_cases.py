"""The numbers that every framework is held to are those that attn_lib gives today."""

import json

import torch

from book.frameworks import cases


def test_the_file_of_cases_is_up_to_date():
    stored = json.loads(cases.FILE.read_text(encoding="utf-8"))
    fresh = json.loads(cases.text())
    assert stored.keys() == fresh.keys()
    for name, case in fresh.items():
        expected, found = case.pop("expected"), stored[name].pop("expected")
        assert stored[name] == case, (
            f"{name}: write the cases again, python -m book.frameworks.cases"
        )
        assert found.keys() == expected.keys()
        for part, numbers in expected.items():
            torch.testing.assert_close(torch.tensor(found[part]), torch.tensor(numbers))


def test_the_cases_say_what_the_page_says():
    stored = json.loads(cases.FILE.read_text(encoding="utf-8"))
    outputs = {name: case["expected"].get("outputs") for name, case in stored.items()}
    assert [round(row[0], 2) for row in outputs["additive"][0]] == [16.34, 19.01]
    assert [[round(x, 4) for x in row[0]] for row in outputs["published toy"]] == [
        [2, 3, 4, 5],
        [10, 11, 12, 13],
    ]
    assert round(stored["features"]["expected"]["weights"][0][0][0], 4) == 0.7758
