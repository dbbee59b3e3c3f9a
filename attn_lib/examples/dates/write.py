"""Dates as people write them in four languages, each with its ISO form and where its parts stand.

A language is a handful of patterns such as ``ngày {day} tháng {month} năm {year}`` and the ways to
write a year, a month and a day. All dates are made up on the spot; nothing is downloaded.

Two digits can mean the years 1970 to 2069, as in MySQL: 70 to 99 are 1970 to 1999, 00 to 69 are
2000 to 2069, so the first of the two decides. Other years are never written so.
"""

from __future__ import annotations

import random
import re
import unicodedata
from calendar import monthrange
from dataclasses import dataclass

LANGUAGES = ("en", "vi", "ko", "zh")
ALL_YEARS = (1000, 2999)
OUR_YEARS = (1900, 2099)
SHORT_YEARS = (1970, 2069)  # those that two digits can mean

# A field may be written in several ways: {day} 5, {day:2} 05, {day:word} năm, {year:2} 24.
PATTERNS = {
    "en": (
        "{day} {month:name} {year}",
        "{day} {month:short} {year}",
        "{day:th} {month:name} {year}",
        "the {day:th} of {month:name} {year}",
        "{month:name} {day}, {year}",
        "{month:short} {day}, {year}",
        "{month:name} {day:th}, {year}",
        "{month:name} {day} {year}",
        "{month:short} {day} {year}",
        "{day}-{month:short}-{year}",
        "{month}/{day}/{year}",  # as Americans do
        "{month:2}/{day:2}/{year}",
        "{year}-{month:2}-{day:2}",
        "{year}{month:2}{day:2}",
        "{day:word} of {month:name} {year}",
        "the {day:word} of {month:name} {year}",
        "{month:name} {day:word}, {year}",
        "{month}/{day}/{year:2}",
        "{day}-{month:short}-{year:2}",
        "{day} {month:name} '{year:2}",
        "{month:short} {day}, '{year:2}",
    ),
    "vi": (
        "ngày {day} tháng {month} năm {year}",
        "ngày {day} tháng {month:word} năm {year}",
        "ngày {day:word} tháng {month:word} năm {year}",
        "ngày {day:word} tháng {month:word} năm {year}",
        "ngày {day:word} tháng {month} năm {year}",
        "{day} tháng {month}, {year}",
        "{day} tháng {month:word} {year}",
        "mùng {day} tháng {month}/{year}",
        "mồng {day:word} tháng {month:word}, {year}",
        "{day}-{month}-{year}",
        "{day}.{month}.{year}",
        "{day}/{month}/{year}",  # the day first: 3/4 is 3 April here and 4 March above
        "{day:2}/{month:2}/{year}",
        "{day}/{month}/{year:2}",
        "{day:2}/{month:2}/{year:2}",
        "ngày {day}/{month}/{year:2}",
        "{day}-{month}-{year:2}",
    ),
    "ko": (
        "{year}년 {month}월 {day}일",
        "{year}년 {month}월 {day}일",
        "{year}년{month}월{day}일",
        "{year}년 {month:word}월 {day:word}일",
        "{year:word}년 {month:word}월 {day:word}일",
        "{year:word}년 {month}월 {day}일",
        "{year}. {month}. {day}.",
        "{year}.{month:2}.{day:2}",
        "{year}{month:2}{day:2}",
        "{year:2}년 {month}월 {day}일",
        "'{year:2}년 {month}월 {day}일",
        "{year:2}. {month}. {day}.",
        "'{year:2}. {month}. {day}.",
    ),
    "zh": (
        "{year}年{month}月{day}日",
        "{year}年{month}月{day}日",
        "{year}年{month:2}月{day:2}日",
        "{year} 年 {month} 月 {day} 日",
        "{year}年{month}月{day}号",
        "{year:word}年{month:word}月{day:word}日",
        "{year:word}年{month:word}月{day:word}日",
        "{year:word}年{month:word}月{day:word}号",
        "{year}年{month:word}月{day:word}日",
        "{year}{month:2}{day:2}",
        "{year:2}年{month}月{day}日",
        "{year:2}年{month}月{day}号",
    ),
}
WEEKDAYS = {
    "en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "vi": ["chủ nhật", *(f"thứ {number}" for number in ["hai", "ba", "tư", "năm", "sáu", "bảy"])],
    "ko": [f"{day}요일" for day in "월화수목금토일"],
    "zh": [f"星期{day}" for day in "一二三四五六日"],
}
# What may stand around a date: the reader has to learn that it is no part of it.
BEFORE = {
    "en": ("on ", "born ", "until ", *(f"{day}, " for day in WEEKDAYS["en"])),
    "vi": ("hôm nay ", "sinh ", "vào ", *(f"{day}, " for day in WEEKDAYS["vi"])),
    "ko": ("오늘은 ", "생일 ", *(f"{day} " for day in WEEKDAYS["ko"])),
    "zh": ("今天是", "生于", *WEEKDAYS["zh"]),
}
AFTER = {
    "en": (" at noon", ".", *(f" ({day})" for day in WEEKDAYS["en"])),
    "vi": (" lúc nửa đêm", ".", *(f" ({day})" for day in WEEKDAYS["vi"])),
    "ko": ("까지", "에", *(f" {day}" for day in WEEKDAYS["ko"])),
    "zh": ("以前", "。", *WEEKDAYS["zh"]),
}
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
    *(f"twenty-{day}" for day in ("first", "second", "third", "fourth", "fifth", "sixth")),
    *("twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first"),
)
VIETNAMESE = ["không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín", "mười"]
KOREAN = "영일이삼사오육칠팔구"
CHINESE = "〇一二三四五六七八九"
FIELD = re.compile(r"\{(year|month|day):?(\w*)\}")


@dataclass(frozen=True)
class WrittenDate:
    """A date as somebody wrote it.

    Args:
        text: what was written, such as ``15 March 2024``.
        iso: the same day in ISO form, ``2024-03-15``.
        language: the language it is written in.
        spans: for year, month and day the first character in the text and the one after its last.
    """

    text: str
    iso: str
    language: str
    spans: dict[str, tuple[int, int]]

    @property
    def ambiguous(self) -> bool:
        """Whether day and month might as well be exchanged, as in 03/04/2024."""
        day, month = int(self.iso[8:]), int(self.iso[5:7])
        numbers = re.search(r"\d+/\d+/\d", self.text)
        return numbers is not None and day <= 12 and day != month


def write_dates(
    count: int,
    rng: random.Random,
    language: str | None = None,
    years: tuple[int, int] = ALL_YEARS,
    chatter: float = 0.15,
) -> list[WrittenDate]:
    """Write random dates; the same generator state gives the same dates.

    Args:
        count: how many.
        rng: the source of all chance, such as ``random.Random(0)``.
        language: one of ``LANGUAGES``; None: each date draws its own.
        years: first and last year. Half are drawn from 1900 to 2099 where it allows.
        chatter: how often words that are no part of the date stand around it.

    Example:
        >>> import random
        >>> from attn_lib.examples.dates import write_dates
        >>> date = write_dates(1, random.Random(8), "vi", chatter=0)[0]
        >>> date.text, date.iso, date.text[slice(*date.spans["month"])]
        ('ngày bảy tháng ba năm 1996', '1996-03-07', 'ba')
    """
    if language not in (None, *LANGUAGES):
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}. Got {language!r}.")
    if not 1000 <= years[0] <= years[1] <= 9999:
        raise ValueError(f"years must rise within 1000 and 9999. Got {years}.")
    return [
        write_date(*random_day(rng, years), language or rng.choice(LANGUAGES), rng, chatter)
        for _ in range(count)
    ]


def random_day(rng: random.Random, years: tuple[int, int]) -> tuple[int, int, int]:
    """Draw a year, a month and a day that the calendar has."""
    first, last = years
    if rng.random() < 0.5 and first <= OUR_YEARS[0] and OUR_YEARS[1] <= last:
        first, last = OUR_YEARS
    year, month = rng.randint(first, last), rng.randint(1, 12)
    return year, month, rng.randint(1, monthrange(year, month)[1])


def write_date(
    year: int, month: int, day: int, language: str, rng: random.Random, chatter: float = 0.15
) -> WrittenDate:
    """Write one day in one of its language's patterns."""
    text, spans, numbers = "", {}, {"year": year, "month": month, "day": day}
    if rng.random() < chatter:
        text += rng.choice(BEFORE[language])
    is_short = SHORT_YEARS[0] <= year <= SHORT_YEARS[1]
    pattern = rng.choice([p for p in PATTERNS[language] if is_short or "{year:2}" not in p])
    if day > 10:  # only the first ten days of a month are mùng
        pattern = re.sub("^m[ùồ]ng", "ngày", pattern)
    done = 0
    for field in FIELD.finditer(pattern):
        name, style = field.groups()
        text += pattern[done : field.start()]
        done, start = field.end(), len(text)
        text += write_number(numbers[name], name, style, language, rng)
        spans[name] = (start, len(text))
    text += pattern[done:]
    if rng.random() < chatter:
        text += rng.choice(AFTER[language])
    if language == "vi" and rng.random() < 0.4:  # more than in life: the hardest texts
        text = without_tones(text)
    return WrittenDate(text, f"{year}-{month:02}-{day:02}", language, spans)


def write_number(number: int, name: str, style: str, language: str, rng: random.Random) -> str:
    """Write a year, month or day in the style that a pattern asks for."""
    match style:
        case "":
            return str(number)
        case "2":
            return f"{number % 100:02}"
        case "name":
            return MONTHS[number - 1]
        case "short":
            return MONTHS[number - 1][:3]
        case "th":
            return f"{number}{ordinal_ending(number)}"
    match language:
        case "en":
            return ORDINALS[number - 1]
        case "vi":
            return vietnamese(number, name, rng)
        case "ko":
            return korean(number, name)
        case _:
            return chinese(number, name, rng)


def ordinal_ending(number: int) -> str:
    """Return the st, nd, rd or th of an English day."""
    if number in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def vietnamese(number: int, name: str, rng: random.Random) -> str:
    """Write 1 to 31 in Vietnamese; several numbers have two names."""
    if name == "month" and (number == 4 or (number in (1, 12) and rng.random() < 0.5)):
        return {1: "giêng", 4: "tư", 12: "chạp"}[number]
    tens, ones = divmod(number, 10)
    if tens == 0 or number == 10:
        return VIETNAMESE[number]
    ending = VIETNAMESE[ones]
    if ones == 5:
        ending = "lăm"
    elif tens > 1 and ones == 1:
        ending = "mốt"
    elif tens > 1 and ones == 4:
        ending = rng.choice(("bốn", "tư"))
    start = "mười" if tens == 1 else f"{VIETNAMESE[tens]} mươi"
    return f"{start} {ending}" if ones else start


def korean(number: int, name: str) -> str:
    """Write a number below 10,000 in Korean; June and October drop a sound."""
    if name == "month" and number in (6, 10):
        return {6: "유", 10: "시"}[number]
    digits, text = str(number), ""
    for digit, unit in zip(digits, "천백십 "[-len(digits) :], strict=True):
        if digit != "0":
            text += ("" if digit == "1" and unit != " " else KOREAN[int(digit)]) + unit.strip()
    return text


def chinese(number: int, name: str, rng: random.Random) -> str:
    """Write a year digit by digit, a month or a day by tens, in Chinese."""
    if name == "year":
        digits = CHINESE if rng.random() < 0.7 else CHINESE.replace("〇", "零")
        return "".join(digits[int(digit)] for digit in str(number))
    tens, ones = divmod(number, 10)
    start = "" if tens == 0 else "十" if tens == 1 else f"{CHINESE[tens]}十"
    return start + (CHINESE[ones] if ones else "")


def without_tones(text: str) -> str:
    """Write Vietnamese as on a keyboard without its letters: ngày becomes ngay."""
    letters = unicodedata.normalize("NFD", text.replace("đ", "d"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
