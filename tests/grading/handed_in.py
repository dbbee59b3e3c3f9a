"""What students of a course hand in for a chapter, and the points that it gets."""

CHAPTER = "masked-softmax"
RIGHT = ""  # as the lecturer's copy has it
LOOP = "def my_masked_softmax(X, valid_lens):\n    while True:\n        pass"
LEAVES = "import os\n\n\ndef my_masked_softmax(X, valid_lens):\n    os._exit(1)"
EXITS = "def my_masked_softmax(X, valid_lens):\n    raise SystemExit"
WARNS = """import warnings


def my_masked_softmax(X, valid_lens):
    warnings.warn("slow")
    return masked_softmax(X, valid_lens)"""
OURS = "def my_masked_softmax(X, valid_lens):\n    return attn_lib.masked_softmax(X, valid_lens)"
PLAIN = "def my_masked_softmax(X, valid_lens):\n    return X.softmax(-1)"
# What each hands in for its three judged exercises, worth 1, 2 and 2 points, and what it gets.
HANDED_IN = {
    "right": ({"causal": RIGHT, "average": RIGHT, "write": RIGHT}, 5),
    "warns": ({"causal": RIGHT, "average": RIGHT, "write": WARNS}, 5),
    "half": ({"causal": RIGHT, "average": "value = 0.5", "write": RIGHT}, 3),
    "wrong": ({"causal": "my_lens = torch.ones(2, 4)", "average": "value =", "write": PLAIN}, 0),
    "exits": ({"causal": RIGHT, "write": EXITS}, 1),
    "empty": ({}, 0),
    # The library's function is no answer; a number that the page prints is one.
    "copied": ({"average": RIGHT, "write": OURS}, 2),
    "copied-whole": ({"average": RIGHT, "write": "my_masked_softmax = attn_lib.masked_softmax"}, 2),
    "endless": ({"causal": RIGHT, "average": RIGHT, "write": LOOP}, 3),
    "leaves": ({"causal": RIGHT, "average": RIGHT, "write": LEAVES}, None),
}
