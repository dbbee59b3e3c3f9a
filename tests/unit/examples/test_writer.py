"""The writer: its texts, what it declines, how well it spells new names, and that it learns."""

import gzip
import itertools
import json
import logging
import random
import re
import sys

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_lib.examples import writer
from attn_lib.examples.writer import __main__ as renewal
from attn_lib.examples.writer import checkpoint, measure, measurements, names
from attn_lib.examples.writer.alphabet import LONGEST, UNNAMED
from attn_lib.examples.writer.model import KINDS
from attn_lib.examples.writer.names import SPARE, take_apart, with_tone
from attn_lib.examples.writer.parties import BYE, GAP, HELLO
from attn_lib.examples.writer.parties import LONGEST as LONGEST_LEARNT
from attn_lib.examples.writer.train import text_groups
from attn_lib.examples.writer.writing import LONGEST as LONGEST_WRITTEN

# What visitors might type; none was chosen by how well a model spells it.
INVENTED = {
    "en": "gribbly, snazzlo, pindrel, mooshka, flumpet, quazzy, tordik, bezzle, yonko, drimble",
    "vi": "tũn, bờm bợp, nhoáy, quệch, khùy, lèng xèng, ú na, cút kít, xoắn, phụng phịu",
    "ko": "뿌앙, 몽실몽, 토롱이, 갸르릉, 쪼꼬미, 빵떡, 두부링, 쑥덕쿵, 푸푸리, 랄라꽁",
    "zh": "咕噜咪, 豆豆龙, 阿呆鹅, 小旋风, 雷小怪, 软糯米, 噗噗, 滚滚球, 喵星星, 胖丁丁",
}

STORED = sorted(path.stem.split("-") for path in checkpoint.FOLDER.glob("*.json"))


def new_parties(language, count=30, guests=3):
    """Parties of a seed by which no model was chosen, of names that no training text has."""
    return writer.parties(language, count, random.Random(7), guests=guests)


def texts_of_training(language, steps, seed=0):
    groups = text_groups(language, random.Random(seed))
    return list(itertools.chain.from_iterable(itertools.islice(groups, steps)))


def times_written(texts):
    """How often the names of the book stand in texts, as a part of another name too."""
    together = "\n".join(texts)  # a name stands in one line
    return sum(together.count(name) for name in writer.book_names())


# Texts


@pytest.mark.parametrize("language", writer.LANGUAGES)
def test_the_same_generator_state_writes_the_same_texts(language):
    texts = texts_of_training(language, 3)
    assert texts == texts_of_training(language, 3) != texts_of_training(language, 3, seed=1)
    for text in texts:
        assert text[0] == text[-1] == writer.END
        assert set(text[1:-1]) <= set(writer.alphabet(language)[1:])
        assert len(text) <= LONGEST_LEARNT + 1


@pytest.mark.parametrize("language", writer.LANGUAGES)
def test_a_party_says_where_its_names_stand(language):
    for party in new_parties(language):
        assert sorted(party.first) != sorted(party.again)
        for name, first, again in zip(party.names, party.first, party.again, strict=True):
            assert party.text[first:].startswith(name + "!")
            assert party.text[again:].startswith(name + "!")
            assert party.text[:first].endswith(HELLO[language])
            assert party.text[:again].endswith(BYE[language])
        assert len({name[0] for name in party.names}) == 3


def test_a_name_has_one_use_and_training_keeps_to_its_own():
    for language in writer.LANGUAGES:
        rng = random.Random(3)
        for use in ("training", "choice", "test"):
            assert {writer.dealt_to(names.guest(language, rng, use)) for _ in range(100)} == {use}
        greeting, bye = HELLO[language], BYE[language]
        for text in texts_of_training(language, 10):
            if greeting in text:
                said = re.findall(f"(?:{greeting}|{bye})([^!]+)!", text)
                assert {writer.dealt_to(name) for name in said} == {"training"}


@pytest.mark.no_cover  # it writes thousands of texts; others run each line of that once
def test_names_of_the_book_occur_in_no_text_unless_they_are_allowed(monkeypatch):
    steps = 400  # so many texts that each language has some to refuse
    texts = {lang: texts_of_training(lang, steps) for lang in writer.LANGUAGES}
    assert {lang: times_written(found) for lang, found in texts.items()} == dict.fromkeys(texts, 0)
    for use in ("choice", "test"):
        rng = random.Random(0)
        assert times_written(names.guest("en", rng, use) for _ in range(3000)) == 0
    for module in ("names", "parties"):
        # By its full name: the package has a function that is called like this module.
        found = sys.modules[f"{writer.__name__}.{module}"]
        monkeypatch.setattr(found, "FORBIDDEN", ())
    for language in writer.LANGUAGES:
        assert times_written(texts_of_training(language, steps)) > 0, language


def test_the_book_has_names_of_its_own_in_each_language():
    for language in writer.LANGUAGES:
        assert len(writer.book_names(language)) >= 10
    assert {"zorblik", "wug"} <= set(writer.book_names("en"))
    assert take_apart("블릭") in writer.book_names("ko")


@pytest.mark.parametrize(
    ("rhyme", "toned"), [("a", "á"), ("oan", "oán"), ("ao", "áo"), ("ươi", "ưới"), ("iên", "iến")]
)
def test_a_tone_stands_on_the_main_vowel(rhyme, toned):
    assert with_tone(rhyme, names.ACUTE) == toned


# Typed texts


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: writer.write(""),
            "text must have at least 1 character that is no space. Got ''.",
        ),
        (lambda: writer.write("  "), "at least 1 character that is no space. Got '  '."),
        (lambda: writer.write("a" * 151), "text must have at most 150 characters. Got 151."),
        (lambda: writer.write("a\nb"), r"text must be one line. Got 'a\nb'."),
        (lambda: writer.write("bye\n"), r"text must be one line. Got 'bye\n'."),
        (
            lambda: writer.write("bye ▪"),
            "text must not have the end mark ▪: the model writes it. Got 'bye ▪'.",
        ),
        (
            lambda: writer.write("".join(map(chr, range(0x561, 0x561 + 25))), "en"),
            "text must have at most 24 characters that the alphabet lacks. Got 25: ա",
        ),
        (lambda: writer.write("a", "fr"), "language must be one of en, vi, ko, zh. Got 'fr'."),
        (lambda: writer.write("a", most=201), "most must be at most 200. Got 201."),
        (lambda: writer.write("a", most=-1), "most must be at least 0. Got -1."),
        (lambda: writer.write("a", off=[(2, 0)]), "off must hold heads (layer, head) from (0, 0)"),
        (lambda: writer.write("a", off=[(0, 4)]), "to (1, 3). Got (0, 4)."),
        (lambda: writer.load("en", "cope"), "kind must be one of "),
        (lambda: writer.load("fr"), "language must be one of en, vi, ko, zh. Got 'fr'."),
        (lambda: writer.alphabet("fr"), "language must be one of en, vi, ko, zh. Got 'fr'."),
        (lambda: writer.parties("fr", 1, random.Random(0)), "language must be one of"),
        (
            lambda: writer.parties("en", 1, random.Random(0), use="fun"),
            "use must be one of training, choice, test. Got 'fun'.",
        ),
        (lambda: writer.Writer(53, "polar"), "places must be one of rope, alibi, learned, none."),
        (
            lambda: writer.Writer(53)(torch.zeros(1, 1).long(), unheard=((0, 0), "scores")),
            "unheard must name one of queries, keys, values. Got 'scores'.",
        ),
        (lambda: writer.Writer(0), "letters must be at least 1. Got 0."),
        (lambda: writer.Writer(53, layers=0), "layers must be at least 1. Got 0."),
        (lambda: writer.Writer(53, kv_heads=2), "kv_heads must be 1 or 4. Got 2."),
        (lambda: writer.measured("fr"), "language must be one of en, vi, ko, zh. Got 'fr'."),
        (lambda: writer.measured("en", "cope"), "kind must be one of rope, alibi, learned, "),
    ],
)
def test_bad_input_is_refused_by_name(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_a_text_must_be_a_string_and_its_bounds_numbers():
    with pytest.raises(TypeError, match=r"text must be a str\. Got int\."):
        writer.write(3)
    with pytest.raises(TypeError, match="most must be an int"):
        writer.write("a", most=2.5)
    with pytest.raises(TypeError, match="seed must be an int"):
        writer.write("a", draw="1")


def test_odd_input_is_refused_before_anything_is_computed(monkeypatch):
    def never(*_):
        raise AssertionError("the model was asked")

    model = writer.Writer(53)
    monkeypatch.setattr(model, "forward", never)
    for text, more in (("", {}), ("a▪", {}), ("a", {"most": 999}), ("a", {"off": [(5, 5)]})):
        with pytest.raises(ValueError, match="must"):
            writer.write(text, "en", model=model, **more)


@pytest.mark.parametrize(
    "text",
    ["x", "hello 🙂! hello 👩‍👩‍👧! bye ", "Привет! שלום", "hello " + "ab" * 72, "\t\ufeff.", "ﷺ"],
)
def test_one_letter_emoji_other_scripts_and_long_texts_are_written_on(text):
    writing = writer.write(text, most=12)
    assert 0 < len(writing.letters) - writing.start <= 12
    assert "".join(writing.letters[1 : writing.start]) == writer.normalise(text)
    assert writing.weights.shape[2] == writing.chances.shape[0] == len(writing.letters)


@given(st.text(max_size=12))
@settings(deadline=None, max_examples=60)
def test_any_text_is_spelt_or_refused(text):
    typed = writer.normalise(text)
    if not typed.strip() or writer.END in typed or typed.splitlines() != [typed]:
        with pytest.raises(ValueError, match=r"^text must "):
            writer.spell(text)
    else:
        spelt = writer.spell(text)
        again = "".join(spelt.letters(spelt.numbers))
        assert again == writer.END + (take_apart(typed) if spelt.language == "ko" else typed)


def test_a_spare_place_that_nobody_has_is_shown_as_unnamed():
    spelt = writer.spell("hello é", "en")
    numbers = [writer.alphabet("en").index(c) for c in SPARE["en"][:2]]
    assert spelt.letters(numbers) == ["é", UNNAMED]


def test_equal_looking_texts_are_the_same_letters():
    assert writer.spell("CHA\u0300O ").numbers == writer.spell("chào ").numbers
    assert writer.spell("你好！").numbers == writer.spell("你好!").numbers
    assert writer.spell("블릭", "ko").numbers == writer.spell(take_apart("블릭"), "ko").numbers


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hello 블릭", "en"),
        ("chào wug", "vi"),
        ("vịt", "vi"),
        ("잘 가", "ko"),
        ("你好zorblik", "zh"),
        ("熊猫", "zh"),
        ("♥", "en"),
    ],
)
def test_the_language_is_told_by_the_greeting_or_the_script(text, language):
    assert writer.language_of(text) == language


# The model


@pytest.mark.parametrize("kind", KINDS)
def test_a_cache_changes_no_number(kind):
    torch.manual_seed(0)
    model = writer.Writer(53, **KINDS[kind]).double()
    letters = torch.randint(53, (2, 140))
    with torch.no_grad():
        whole = model(letters)
        head = model(letters[:, :100])
        parts, cache = [head.logits], head.cache
        for at in range(100, 140):
            look = model(letters[:, at : at + 1], cache)
            cache = look.cache
            parts.append(look.logits)
    torch.testing.assert_close(torch.cat(parts, 1), whole.logits, atol=1e-10, rtol=0)
    for (keys, values), (all_keys, all_values) in zip(cache, whole.cache, strict=True):
        torch.testing.assert_close(keys, all_keys)
        torch.testing.assert_close(values, all_values)


@pytest.mark.parametrize("places", writer.PLACES)
def test_what_follows_changes_nothing_before_it(places):
    torch.manual_seed(0)
    model = writer.Writer(53, places)
    letters = torch.randint(53, (1, 30))
    other = letters.clone()
    other[0, 20:] = torch.randint(53, (10,))
    with torch.no_grad():
        logits, changed = model(letters).logits, model(other).logits
    torch.testing.assert_close(logits[:, :20], changed[:, :20])
    assert (logits[:, 20:] - changed[:, 20:]).abs().max() > 0.01


def test_only_without_places_does_the_order_of_the_past_not_matter():
    letters = torch.arange(1, 11).unsqueeze(0)
    swapped = letters[:, [1, 0, *range(2, 10)]]
    for places in writer.PLACES:
        torch.manual_seed(0)
        model = writer.Writer(53, places, layers=1)
        with torch.no_grad():
            moved = (model(letters).logits[0, -1] - model(swapped).logits[0, -1]).abs().max()
        assert (moved < 1e-5) == (places == "none"), places


def test_places_beyond_the_learned_ones_share_the_last():
    torch.manual_seed(0)
    model = writer.Writer(53, "learned", layers=1)
    letters = torch.zeros(1, 140, dtype=torch.long)
    with torch.no_grad():
        weights = model(letters).weights[0][0, :, -1]
    torch.testing.assert_close(weights[:, 127], weights[:, 139])
    assert (weights[:, 126] - weights[:, 127]).abs().max() > 1e-6


def test_a_head_that_is_off_is_one_whose_output_is_0():
    torch.manual_seed(0)
    model = writer.Writer(53)
    letters = torch.randint(53, (1, 20))
    with torch.no_grad():
        off = model(letters, off=[(1, 2)])
        size = model.layers[1].W_o.weight.shape[1] // writer.HEADS
        model.layers[1].W_o.weight[:, 2 * size : 3 * size] = 0
        zeroed = model(letters)
    torch.testing.assert_close(off.logits, zeroed.logits)
    torch.testing.assert_close(off.weights[1], zeroed.weights[1])


@pytest.mark.parametrize("places", ["rope", "learned"])
def test_an_unheard_head_is_missing_in_one_part_of_the_next_layer(places):
    torch.manual_seed(0)
    model = writer.Writer(53, places)
    letters = torch.randint(53, (1, 20))
    with torch.no_grad():
        plain, off = model(letters), model(letters, off=[(0, 1)])
        queries, keys, values = (
            model(letters, unheard=((0, 1), part)) for part in ("queries", "keys", "values")
        )
    for look in (queries, keys, values):
        torch.testing.assert_close(look.weights[0], plain.weights[0])
        assert (look.logits - plain.logits).abs().max() > 1e-3
    torch.testing.assert_close(queries.cache[1], plain.cache[1])
    for look, changed in ((keys, 0), (values, 1)):
        torch.testing.assert_close(look.cache[1][1 - changed], plain.cache[1][1 - changed])
        torch.testing.assert_close(look.cache[1][changed], off.cache[1][changed])
    torch.testing.assert_close(values.weights[1], plain.weights[1])


def test_no_score_exceeds_the_gain_times_the_root_of_the_size():
    torch.manual_seed(0)
    model = writer.Writer(53, layers=1)
    with torch.no_grad():
        model.layers[0].W_q.weight *= 1000
        weights = model(torch.randint(53, (1, 40))).weights[0]
    spread = weights[0, :, -1].log().amax(1) - weights[0, :, -1].log().amin(1)
    assert spread.max() <= 2 * 2.0 * 16**0.5 + 1e-4


def test_a_shared_key_and_value_are_those_of_every_head():
    torch.manual_seed(0)
    shared = writer.Writer(53, kv_heads=1)
    model = writer.Writer(53)
    same = shared.state_dict()
    for name in [name for name in same if "W_k" in name or "W_v" in name]:
        same[name] = torch.cat([same[name]] * writer.HEADS)
    model.load_state_dict(same)
    letters = torch.randint(53, (1, 20))
    with torch.no_grad():
        look, whole = shared(letters), model(letters)
    torch.testing.assert_close(look.logits, whole.logits)
    assert [part.shape for part in look.cache[0]] == [(1, 1, 20, 16)] * 2


def test_without_the_division_the_gain_is_four_times_as_large():
    torch.manual_seed(0)
    model, unscaled = writer.Writer(53), writer.Writer(53, scaled=False)
    unscaled.load_state_dict(model.state_dict())
    letters = torch.randint(53, (1, 20))
    with torch.no_grad():
        for layer in unscaled.layers:
            layer.gain /= 16**0.5
        torch.testing.assert_close(unscaled(letters).logits, model(letters).logits)


def test_a_sink_takes_what_is_missing_in_the_weights():
    torch.manual_seed(0)
    model, plain = writer.Writer(53, sink=True), writer.Writer(53)
    plain.load_state_dict(model.state_dict(), strict=False)
    letters = torch.randint(53, (1, 20))
    with torch.no_grad():
        weights, all_of_it = model(letters).weights[0], plain(letters).weights[0]
    missing = 1 - weights.sum(3, keepdim=True)
    assert 0 < missing.min() < missing.max() < 1
    torch.testing.assert_close(weights / (1 - missing), all_of_it)


# What is stored


@pytest.mark.parametrize(("language", "kind"), STORED)
def test_a_stored_model_writes_the_same_with_and_without_cache(language, kind):
    model = writer.load(language, kind)
    for party in new_parties(language, 3):
        text = party.text[1 : party.again[0]]
        fast = writer.write(text, language, model=model, most=40)
        slow = writer.write(text, language, model=model, most=40, cached=False)
        assert fast.letters == slow.letters
        torch.testing.assert_close(fast.chances, slow.chances, atol=1e-5, rtol=0)
        torch.testing.assert_close(fast.weights, slow.weights, atol=1e-5, rtol=0)
        torch.testing.assert_close(fast.weights.sum(3), torch.ones_like(fast.weights[..., 0]))
        assert fast.weights.triu(1).count_nonzero() == 0


@pytest.mark.parametrize("guests", [1, 2, 3])
@pytest.mark.parametrize("language", writer.LANGUAGES)
def test_the_stored_models_spell_names_that_they_have_never_met(language, guests):
    found = new_parties(language, 30, guests)
    letters, whole = measure.copied(writer.load(language), language, found)
    assert letters >= 0.95
    assert whole >= 0.9


@pytest.mark.parametrize("language", writer.LANGUAGES)
def test_names_that_a_visitor_invents_are_spelt(language):
    hello, bye, gap = HELLO[language], BYE[language], GAP[language]
    names = INVENTED[language].split(", ")
    lost = []
    for other, name in zip([names[-1], *names], names, strict=False):
        text = f"{hello}{other}{gap}{hello}{name}{gap}{bye}{name[0]}"
        if not writer.write(text, language, most=30).written.startswith(f"{name[1:]}!"):
            lost.append(name)
    assert len(names) == 10
    assert len(lost) <= 2, lost


@pytest.mark.parametrize(
    ("language", "least"), [("en", 0.8), ("vi", 0.8), ("ko", 0.9), ("zh", 0.6)]
)
def test_it_takes_leave_of_all_guests(language, least):
    assert measure.all_named(writer.load(language), language, new_parties(language)) >= least


@pytest.mark.parametrize("language", writer.LANGUAGES)
def test_without_a_layer_no_name_is_right(language):
    model, found = writer.load(language), new_parties(language, 10)
    for layer in range(2):
        off = [head for head in writer.heads(model) if head[0] == layer]
        assert measure.copied(model, language, found, off)[1] < 0.1


@pytest.mark.parametrize("language", writer.LANGUAGES)
def test_some_head_looks_at_the_letter_to_be_written(language):
    model = writer.load(language)
    looks = measure.head_looks(model, language, new_parties(language, 10))
    assert looks["next"].shape == (2, writer.HEADS)
    best = [int(n) for n in divmod(int(looks["next"].argmax()), writer.HEADS)]
    assert best[0] == 1
    assert looks["next"].max() > 0.5 > looks["same"][1, best[1]]


def test_a_letter_is_drawn_by_its_probability_and_the_same_for_a_seed():
    text = "hello zorblik! hello wug! bye "
    drawn = [writer.write(text, draw=seed, most=1).written for seed in range(60)]
    assert drawn == [writer.write(text, draw=seed, most=1).written for seed in range(60)]
    chances = writer.write(text, most=0).chances[-1]
    for guest in "zw":
        chance = float(chances[writer.alphabet("en").index(guest)])
        assert drawn.count(guest) / 60 == pytest.approx(chance, abs=0.25)
    assert writer.write(text, draw=1, cached=False).written == writer.write(text, draw=1).written


def test_it_stops_at_its_end_or_where_it_is_told():
    ended = writer.write("hello zorblik! bye ")
    assert ended.letters[-1] == writer.END
    assert writer.END not in ended.letters[1:-1]
    cut = writer.write("hello zorblik! bye ", most=3)
    assert cut.written == ended.written[:3]
    assert writer.write("hello zorblik! bye ", most=0).written == ""
    assert LONGEST_WRITTEN == 200
    assert LONGEST == 150


def test_korean_parts_are_composed_where_they_are_shown():
    writing = writer.write("안녕 블릭! 잘 가 ")
    assert writing.written.startswith("블릭!")
    assert len(writing.written) < len(writing.letters) - writing.start


def test_all_named_counts_parties_in_which_everybody_leaves_once():
    found = new_parties("en", 8)
    share = measure.all_named(writer.load("en"), "en", found)
    good = 0
    for party in found:
        text = party.text[1 : party.again[0]]
        left = ("bye " + writer.write(text).written).rstrip(writer.END)
        good += sorted(left.split("! ")) == sorted(
            f"bye {name}" + "!" * (name is last_of(left, party.names)) for name in party.names
        )
    assert share == pytest.approx(good / 8)


def last_of(text, guests):
    """The guest who is named last in a text."""
    return max(guests, key=lambda name: text.rfind(name))


# What was measured


def test_what_was_measured_of_a_stored_model_is_measured_again():
    found = [model for language in writer.LANGUAGES for model in writer.measured(language)]
    stored = {(model.language, model.kind): model for model in found if model.stored}
    assert ("en", "rope") in stored
    for (language, kind), was in stored.items():
        model = writer.load(language, kind)
        held = writer.parties(language, measurements.COUNT, random.Random(1003))
        letters, whole = measure.copied(model, language, held)
        assert was.guests[3][:2] == pytest.approx((letters, whole), abs=1e-4)
        head = (len(was.off) - 1, 0)
        without = measure.copied(model, language, held, off=[head])[1]
        assert was.off[head[0]][0] == pytest.approx(without, abs=1e-4)


def test_models_are_measured_at_equal_steps():
    found = writer.measured("en")
    assert [model for model in found if model.kind == "rope"] == writer.measured("en", "rope")
    for model in found:
        assert [step for step, _, _ in model.curve] == list(range(50, model.steps + 1, 50))
        assert list(model.guests) == list(range(1, 9))
        assert {len(heads) for heads in model.off} == {writer.HEADS}
        assert len(model.off) == 1 + bool(model.unheard)


@pytest.fixture
def few(monkeypatch):
    """Measure by few parties and steps: a model that has learnt little writes long texts."""
    for name, count in (("EVERY", 2), ("MOST", 3), ("COUNT", 2), ("WRITTEN", 1)):
        monkeypatch.setattr(measurements, name, count)


@pytest.mark.usefixtures("few")
def test_a_trained_model_is_kept_and_measured_as_it_is_stored(tmp_path):
    run = ("en", "one", 4, 0)
    model, curve = measurements.trained(run, tmp_path)
    assert [step for step, _, _ in curve] == [2, 4]
    again, same_curve = measurements.trained(run, tmp_path)
    assert measurements.same(again, model)
    assert same_curve == curve
    found = measurements.measure(run, again, curve)
    assert (found.parameters, found.stored, found.unheard) == (19_973, False, {})
    assert found.guests[3][1] < 0.1


# Training and storing


@pytest.mark.slow
@pytest.mark.parametrize("places", writer.PLACES)
def test_a_short_training_lowers_the_loss(places):
    torch.manual_seed(0)
    losses = []
    model = writer.Writer(len(writer.alphabet("en")), places)
    writer.train(model, "en", 20, progress=lambda _, loss: losses.append(loss))
    assert sum(losses[-3:]) < 0.9 * sum(losses[:3])
    assert not model.training


def test_a_stored_model_is_the_rounded_one(tmp_path):
    torch.manual_seed(0)
    model = writer.Writer(len(writer.alphabet("vi")), "learned", 1)
    checkpoint.save(model, "vi", 5, tmp_path / "vi-learned.json")
    again = checkpoint.load_file(tmp_path / "vi-learned.json")
    assert (again.places, len(again.layers)) == ("learned", 1)
    for (name, was), now in zip(
        model.state_dict().items(), again.state_dict().values(), strict=True
    ):
        half_a_step = was.abs().max().item() / 127 / 2
        torch.testing.assert_close(now.float(), was, atol=half_a_step * 1.001, rtol=0, msg=name)


def test_a_model_of_another_alphabet_is_refused(tmp_path):
    stored = json.loads((checkpoint.FOLDER / "en-rope.json").read_text(encoding="utf-8"))
    path = tmp_path / "old.json"
    path.write_text(json.dumps(stored | {"alphabet": "▪abc"}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"old\.json must know the 53 letters of today"):
        checkpoint.load_file(path)


def test_a_model_takes_about_forty_kilobytes():
    for path in checkpoint.FOLDER.glob("*.json"):
        assert len(gzip.compress(path.read_bytes(), 9)) < 50_000


def test_another_language_begins_with_what_the_english_model_has_learnt():
    english, korean = writer.load("en"), renewal.beginner("ko", "rope", seed=0)
    assert korean.letters.weight.shape[0] == len(writer.alphabet("ko"))
    for name, learnt in english.layers.state_dict().items():
        torch.testing.assert_close(korean.layers.state_dict()[name].double(), learnt)
    pairs = [(c, c) for c in "▪ !az" + SPARE["en"]]
    pairs += [(said["en"].strip()[-1], said["ko"].strip()[-1]) for said in (HELLO, BYE)]
    for letters in pairs:
        rows = [
            model.letters.weight[writer.alphabet(language).index(letter)].double()
            for language, model, letter in zip(
                ("en", "ko"), (english, korean), letters, strict=True
            )
        ]
        torch.testing.assert_close(*rows)
    assert renewal.beginner("en", "rope", 0).loud == 1 != korean.loud


def test_training_again_says_what_changed(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(renewal, "FOLDER", tmp_path)
    monkeypatch.setattr(renewal, "parties", lambda lang, count, rng, use: new_parties(lang, 1))
    caplog.set_level(logging.INFO)
    renewal.renew("en-one", [], steps=2)
    first = (tmp_path / "en-one.json").read_text()
    assert json.loads(first)["seed"] == 0
    renewal.renew("en-one", [], steps=2)
    assert (tmp_path / "en-one.json").read_text() == first
    assert re.search(r"before seed 0: .* 0 of 19,973 numbers differ, by 0 at most", caplog.text)
    renewal.renew("en-one", [1], steps=2)
    assert json.loads((tmp_path / "en-one.json").read_text())["seed"] == 1
    assert re.search(r"[1-9]\d,\d\d\d of 19,973 numbers differ", caplog.text)


@pytest.mark.usefixtures("few")
def test_only_models_that_were_trained_are_measured(tmp_path, monkeypatch):
    folder, file = tmp_path / "models", tmp_path / "measurements.json"
    folder.mkdir()
    kept = ("en", "one", 1500, 0)
    measurements.file_of(kept, folder).write_bytes((checkpoint.FOLDER / "en-one.json").read_bytes())
    measurements.file_of(kept, folder).with_suffix(".curve").write_text("[[50, 2.5, 0.25]]")
    monkeypatch.setattr(measurements, "runs", lambda seeds: [kept, ("en", "rope", 4000, 0)])
    monkeypatch.setattr(measurements, "FILE", file)
    monkeypatch.setattr("sys.argv", ["measurements", str(folder), "--trained"])
    measurements.main()
    (found,) = json.loads(file.read_text(encoding="utf-8"))
    assert (found["kind"], found["steps"], found["stored"]) == ("one", 1500, True)
    assert found["curve"] == [[50, 2.5, 0.25]]
    assert found["unheard"] == {}
