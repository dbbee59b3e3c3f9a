"""Figure `writer`: a trained model writes on, letter by letter, and shows where its heads look.

A hand goes along what it writes. A head's weights are those of one letter, the query: the last one
that something was written after, or the one that is pressed. Before anything is written nothing is
computed, so that a page needs no model to open.
"""

import random
import unicodedata
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attn_lib.examples import writer
from attn_lib.examples.writer.alphabet import LONGEST as LONGEST_TYPED
from attn_lib.examples.writer.alphabet import UNNAMED
from attn_lib.examples.writer.checkpoint import FOLDER
from attn_lib.examples.writer.measure import head_looks
from attn_lib.examples.writer.model import HEADS, LAYERS, SIZE
from attn_lib.examples.writer.names import LEADS, SPARE, TAILS, VOWELS, take_apart
from attn_lib.examples.writer.parties import END
from attn_lib.examples.writer.parties import LONGEST as LONGEST_TRAINED
from attn_lib.examples.writer.writing import LONGEST as LONGEST_WRITTEN
from attn_lib.language import words
from attn_lib.live.figures.writer.faults import FAULTS, faulty
from attn_lib.live.host.controls import Checklist, Choice, Range, State, Text
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import UNDEFINED, format_count, format_weight, never_exact

# All heads, layer by layer. The one that copies best may be asked for by that: each model has it
# elsewhere.
NAMES = tuple(f"{layer}.{head}" for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1))
COPIER = "copier"
# The kinds of models, in the order of the list; some exist in some languages only.
STORED = {path.stem: path for path in sorted(FOLDER.glob("*.json"))}
KINDS = tuple(
    kind
    for kind in ("rope", "alibi", "learned", "none", "one")
    if any(name.endswith(f"-{kind}") for name in STORED)
)
# The texts by which heads are judged, and the share of a head's weight that names what it does. One
# with more than half of its weight on the last letters, but on none of them most, looks close by.
PARTIES, MOSTLY, CLOSE = 24, 0.4, 0.5
LAST = ("itself", "one back", "two back")
# Which of the three names it writes.
RIGHT = 2
# So many of the likeliest letters are listed.
LIKELIEST = 5
# Bytes of a number in the cache; so many letters of what is written are said, and of strangers.
BYTES, SAID, NAMED = 4, 24, 6
SPACE = "␣"
# Weights that differ by less are equal.
SAME = 1e-9
# Parts of syllables as they are shown alone, in the order in which Unicode composes them.
ALONE = dict(
    zip(
        LEADS + VOWELS + TAILS,
        "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
        "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
        "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ",
        strict=True,
    )
)


def data() -> dict[str, Any]:
    """Return what the page computes with."""
    own = words("writer")
    example, name = own["controls"]["t"]["example"], own["names"][RIGHT]
    return {
        "example": example,
        # So many letters of the name are typed.
        "typed": max(
            end
            for end in range(len(name) + 1)
            if take_apart(writer.normalise(example)).endswith(take_apart(name)[:end])
        ),
        "names": own["names"],
        "candidates": [_letters(name.rstrip("…")) for name in own["names"]],
        "stored": list(STORED),
        "jobs": {name: _jobs(name) for name in STORED},
        "alone": ALONE,
        "spare": {language: len(places) for language, places in SPARE.items()},
        "trained": LONGEST_TRAINED,
        "said": own["jobs"],
    }


def compute(state: State) -> View:
    """Compute the figure."""
    own = words("writer")
    text = writer.normalise(state["t"] or own["controls"]["t"]["example"])[:LONGEST_TYPED]
    language = writer.language_of(text)
    kind = state["model"] if f"{language}-{state['model']}" in STORED else "rope"
    jobs = _jobs(f"{language}-{kind}")
    apart = take_apart(text) if language == "ko" else text
    known = set(writer.alphabet(language)) - set(SPARE[language])
    strangers = [c for c in dict.fromkeys(apart) if c not in known]
    slots = dict.fromkeys(("written", "query", "top", "back", "weight", "first", "chance"), "")
    slots |= {"plain": "", "trained": str(LONGEST_TRAINED), "count": str(len(strangers))}
    slots |= {"strangers": "".join(strangers[:NAMED])}
    slots |= {"room": str(len(SPARE[language])), "value": ""}
    head = _head(state["head"], jobs)
    slots |= {"head": _named(head), "cached": "0", "each": "", "bytes": "0"}
    slots |= _blank(jobs, own["jobs"])
    shown = {
        "letters": [_shown(c) for c in END + apart],
        "start": len(apart) + 1,
        "query": None,
        "given": [],
    }
    heads = {"head": head, "on": [True] * len(jobs["jobs"]), "copier": jobs["copier"]}
    parts = {"text": shown, "heads": heads, "weights": {"rows": []}}
    parts["cache"] = {"letters": 0, "layers": 0}
    if len(strangers) > len(SPARE[language]):
        return View(parts=parts, slots=slots, summary=("unknown",))
    if state["w"] == state["at"] == 0:
        return View(parts=parts, slots=slots, summary=("begin",))

    off = sorted({jobs["copier"] if one == 0 else one - 1 for one in state["off"]})
    heads["on"] = [one not in off for one in range(len(jobs["jobs"]))]
    off = [divmod(one, HEADS) for one in off if one < len(jobs["jobs"])]
    draw = None if state["draw"] == "top" else int(state["draw"])
    model = faulty(writer.load(language, kind), state["fault"])
    how: dict[str, Any] = {"language": language, "most": state["w"]}
    writing = writer.write(text, model=model, off=off, draw=draw, **how)
    letters, start = writing.letters, writing.start
    count = len(letters)
    # The last letter has looked as well, though nothing was written after it: it can be pressed.
    query = min(state["at"], count - 1) if state["at"] else count - 2
    rows = writing.weights[:, :, query, : query + 1].flatten(0, 1)  # (heads, letters so far)
    cornered = rows == 0 if state["fault"] == "corner" else None
    rows = never_exact(rows, cornered)
    shown |= {
        "letters": [_shown(c) for c in letters],
        "query": query,
        # How probable each letter was, given those before it.
        "given": [writing.chances[i, n].item() for i, n in enumerate(writing.numbers[1:])],
    }
    parts["weights"] = {"rows": rows.tolist()}
    parts["cache"] = {"letters": count, "layers": len(model.layers)}
    each = BYTES * 2 * SIZE * len(model.layers)
    slots |= {
        "written": _said(letters, start),
        "query": _shown(letters[query]),
        "cached": str(count),
        "each": format_count(each),
        "bytes": format_count(each * count),
    }
    slots |= _looks(letters, rows, jobs, own["jobs"])
    slots |= {name: slots[f"{name}_{head}"] for name in ("top", "back", "weight")}
    slots |= _likeliest(writing.chances[query], strangers, language)
    summary = ["pressed" if state["at"] else "looks"]
    if slots["back"] == "0":
        summary = ["pressed_itself" if state["at"] else "looks_itself"]
    if not heads["on"][head]:
        summary = ["silent"]
    if off or draw is not None or state["fault"] != "none":
        plain = writer.write(text, model=writer.load(language, kind), **how)
        slots["plain"] = _said(plain.letters, start)
        summary.append("same" if plain.letters == letters else "plain")
    elif kind != state["model"]:
        summary.append("only")
    elif count > LONGEST_TRAINED + 1:
        summary.append("long")
    elif strangers:
        summary.append("spare")
    else:
        summary.append("next")
    return View(parts=parts, slots=slots, summary=tuple(summary))


def _head(name: str, jobs: dict[str, Any]) -> int:
    """Return which head is looked at; one that the model lacks is the one that copies."""
    asked = NAMES.index(name) if name in NAMES else jobs["copier"]
    return asked if asked < len(jobs["jobs"]) else jobs["copier"]


@cache
def _jobs(name: str) -> dict[str, Any]:
    """Return what the heads of a stored model do, as measured, and which copies best."""
    language, kind = name.split("-")
    parties = writer.parties(language, PARTIES, random.Random(0))
    looks = head_looks(writer.load(language, kind), language, parties)
    shares = torch.stack(list(looks.values())).flatten(1).T.tolist()  # (heads, jobs)
    return {
        "jobs": [_job(dict(zip(looks, row, strict=True))) for row in shares],
        "copier": int(looks["next"].argmax()),
    }


def _job(shares: dict[str, float]) -> str:
    """Name what a head mostly does, by its mean weights.

    >>> _job({"itself": 0.26, "one back": 0.28, "two back": 0.18, "same": 0.0, "next": 0.0})
    'near'
    """
    most = max(shares, key=lambda job: shares[job])
    if shares[most] >= MOSTLY:
        return most.replace(" ", "_")
    return "near" if sum(shares[job] for job in LAST) > CLOSE else "mixed"


def _blank(jobs: dict[str, Any], said: dict[str, str]) -> dict[str, str]:
    """Return the slots of all heads where none has looked yet."""
    slots = {}
    for one in range(len(NAMES)):
        exists = one < len(jobs["jobs"])
        slots[f"job_{one}"] = said[jobs["jobs"][one]] if exists else UNDEFINED
        slots |= {f"{name}_{one}": UNDEFINED for name in ("top", "back", "weight")}
    for one in range(LIKELIEST):
        slots |= {f"next_{one}": UNDEFINED, f"chance_{one}": UNDEFINED}
    return slots


def _looks(
    letters: tuple[str, ...], rows: Tensor, jobs: dict[str, Any], said: dict[str, str]
) -> dict[str, str]:
    """Return where each head looks most, how far back that is and with which weight."""
    slots = _blank(jobs, said)
    for one, row in enumerate(rows):
        # Without places equal letters have equal weights, but for their last bits.
        top = int((row > row.max() - SAME).int().argmax())
        slots[f"top_{one}"] = _shown(letters[top])
        slots[f"back_{one}"] = str(len(row) - 1 - top)
        slots[f"weight_{one}"] = format_weight(row[top].item())
    return slots


def _likeliest(chances: Tensor, strangers: list[str], language: str) -> dict[str, str]:
    """Return the letters that are likeliest to come next, each with its probability."""
    slots = {}
    spare = dict(zip(SPARE[language], strangers, strict=False))
    order = sorted(range(len(chances)), key=lambda i: -chances[i].item())
    for one, number in enumerate(order[:LIKELIEST]):
        letter = writer.alphabet(language)[number]
        letter = spare.get(letter, UNNAMED if letter in SPARE[language] else letter)
        slots[f"next_{one}"] = _shown(letter)
        slots[f"chance_{one}"] = format_weight(never_exact(chances)[number].item())
    return slots | {"first": slots["next_0"], "chance": slots["chance_0"]}


def _letters(text: str) -> list[str]:
    return [_shown(c) for c in take_apart(text)]


def _shown(letter: str) -> str:
    return SPACE if letter == " " else ALONE.get(letter, letter)


def _named(head: int) -> str:
    """Return the name of a head: its layer, and its number in it.

    >>> _named(5)
    '2·2'
    """
    return f"{head // HEADS + 1}·{head % HEADS + 1}"


def _said(letters: tuple[str, ...], start: int) -> str:
    """Return what was written, from where the word begins that was typed last.

    >>> _said(tuple("▪hi wug! bye wug!▪"), 14)
    'wug!▪'
    """
    first = start
    while letters[first - 1] not in " !" + END:
        first -= 1
    composed = unicodedata.normalize("NFC", "".join(letters[first:])).strip(" ")
    said = "".join(ALONE.get(c, c) for c in composed)
    return said if len(said) <= SAID else f"…{said[1 - SAID :]}"


FIGURE = Figure(
    id="writer",
    chapter="a-model-that-writes",
    controls=(
        # In place of the greetings of the page's language.
        Text(key="t", longest=LONGEST_TYPED, without=END),
        Range(key="w", min=0, max=LONGEST_WRITTEN, step=1, default=0),
        Choice(key="head", options=(COPIER, *NAMES), default=COPIER, look="select"),
        # The one that copies, then all heads.
        Checklist(key="off", options=tuple(range(len(NAMES) + 1)), default=()),
        # The letter to look from; 0 is that of the last step.
        Range(key="at", min=0, max=3 * LONGEST_TYPED + LONGEST_WRITTEN, step=1, default=0),
        Choice(key="draw", options=("top", "1", "2", "3"), default="top", look="select"),
        Choice(key="model", options=KINDS, default="rope", look="select"),
        Choice(key="fault", options=FAULTS, default="none", look="select"),
    ),
    compute=compute,
    prediction=Prediction(
        right=RIGHT,
        before={"w": 0},
        after={"w": 6},
        places=((0.0,), (1.0,), (2.0,)),  # lines of the list of candidates
        ms=2800,
    ),
    tries=(
        {"w": 6, "off": (0,)},
        {"t": "hello wump! hello wumblo! bye wum", "w": 20},
        {"t": "안녕 블릭! 안녕 워그! 잘 가", "w": 24},
        {"t": "你好魑魅!你好饕餮!再见", "w": 9},
        {"t": "hello", "w": 60, "draw": "1"},
        {"w": 12, "fault": "counter"},
    ),
    surprise={"w": 6},
    data=data,
    hues={"query": "query", "top": "key", "weight": "weight"},
)
