"""Numbers that a text writes in words, in each language."""

import re

# Small numbers may be written out: "two keys" is "2개의 키", "7 keys" is "bảy khóa". From 0 to 12.
# English names the months, the others number them; "may" and "march" are no months without a year.
NUMBER_WORDS = {
    "en": "zero zeros no,one ones once first single january,two twice second both pair february,"
    r"three third thirds march_\d{4},four fourth april,five fifth may_\d{4},six sixth june,"
    "seven seventh july,eight eighth eighths august,nine ninth september,ten tenth october,"
    "eleven november,twelve december",
    "vi": "số_không,một nhất,hai đôi,ba,bốn tư,năm,sáu,bảy,tám,chín,mười,mười_một,mười_hai",
    "ko": "영 제로,하나 한 첫,둘 두 양쪽,셋 세,넷 네,다섯,여섯,일곱,여덟,아홉,열,열하나 열한,"
    "열둘 열두",
    "zh": "零,一 首,二 两 双,三,四,五,六,七,八,九,十,十一,十二",
}


def written_out(prose: str, language: str) -> set[str]:
    """The numbers from 0 to 12 that a text names in words."""
    # A Korean numeral begins a word, 두 개; a Chinese one stands anywhere, 这两个.
    whole = {"ko": r"\b(?:{})", "zh": "(?:{})"}.get(language, r"\b(?:{})\b")
    return {
        str(number)
        for number, words in enumerate(NUMBER_WORDS.get(language, "").split(","))
        if words
        and re.search(whole.format(words.replace(" ", "|").replace("_", " ")), prose, re.IGNORECASE)
    }


# 200만 is "two million", and the 1 of 10분의 1 is grammar: it is "a tenth".
LARGE = {"ko": r"(\d+)[만억]", "zh": r"(\d+)[万亿]"}
LARGE_WORDS = re.compile(r"\b(?:thousand|million|billion)\b")


def of_large_words(prose: str, language: str, english: str) -> set[str]:
    """The digits that a text writes where English names a large number or a fraction in words."""
    fractions = {"1"} if language == "ko" and re.search(r"\d분의 1(?!\d)", prose) else set()
    if language not in LARGE or not LARGE_WORDS.search(english):
        return fractions
    return fractions | set(re.findall(LARGE[language], prose))
