"""What a test or a trial has found out."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What a test found out; true if the test passed.

    Args:
        passed: whether the attention did what the test expects.
        expected: the numbers that the test expects.
        got: the numbers that it got, or the error that it met.

    Example:
        >>> from attn_lib import museum
        >>> museum.Finding(2 + 2 == 5, expected="5", got="4")
        ✗ expected 5, got 4
    """

    passed: bool
    expected: str
    got: str

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"{'✓' if self.passed else '✗'} expected {self.expected}, got {self.got}"
