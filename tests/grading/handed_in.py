"""What students of a course hand in for a chapter, and the points that it gets."""

CHAPTER = "masked-softmax"
SEED = 2027  # of the class
RIGHT, BOOK = "", "book"  # as the lecturer's copy has it; as the published solution
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
    # Neither the library's function is an answer, nor what the page prints of other numbers.
    "copied": ({"causal": BOOK, "average": BOOK, "write": OURS}, 0),
    "copied-whole": ({"average": RIGHT, "write": "my_masked_softmax = attn_lib.masked_softmax"}, 2),
    "endless": ({"causal": RIGHT, "average": RIGHT, "write": LOOP}, 3),
    "leaves": ({"causal": RIGHT, "average": RIGHT, "write": LEAVES}, None),
}
