"""Six records of a published example: a figure looks them up, and so does an exercise."""

# Surname and first name as published; the desks are ours, so that each value also has a number
# that can be averaged.
RECORDS = (
    ("Zhang", "Aston", 10),
    ("Lipton", "Zachary", 20),
    ("Li", "Mu", 30),
    ("Smola", "Alex", 40),
    ("Hu", "Rachel", 50),
    ("Werness", "Brent", 60),
)
KEYS = tuple(surname for surname, _, _ in RECORDS)


def levenshtein(a: str, b: str) -> int:
    """Count the letters to insert, delete or replace to turn one word into the other."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a):
        # `row` is for a[:i], `below` for a[: i + 1]: entry j is the distance to b[:j].
        below = [i + 1]
        for j, other in enumerate(b):
            below.append(min(row[j] + (letter != other), row[j + 1] + 1, below[j] + 1))
        row = below
    return row[-1]
