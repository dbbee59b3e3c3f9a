"""Entries of the glossary: names first, then the definition, then the other languages."""

from book._ext.content.glossary import entry, place

ROW = {
    "en": "query",
    "vi": "truy vấn",
    "ko": "쿼리",
    "zh": "查询",
    "definition": "The vector that asks.",
    "chapter": "queries-keys-values",
}


def test_an_entry_leads_with_the_editions_own_name_and_keeps_the_english_one():
    names, text = list(entry(ROW, "ko"))[:2], "\n".join(entry(ROW, "ko"))
    assert names == ["쿼리", "query"]
    assert '<span lang="vi">truy vấn</span>' in text
    assert '<span lang="zh-CN">查询</span>' in text
    assert 'lang="ko"' not in text


def test_equal_names_are_written_once():
    lines = list(entry(ROW | {"vi": "query"}, "vi"))
    assert lines[:2] == ["query", "  The vector that asks. → {doc}`queries-keys-values`"]


def test_a_definition_in_the_editions_language_goes_before_the_english_one():
    row = ROW | {"definition_ko": "묻는 벡터입니다.", "chapter": ""}
    assert "  묻는 벡터입니다." in list(entry(row, "ko"))
    assert "  The vector that asks." in list(entry(row, "vi"))


def test_chinese_terms_stand_in_the_order_of_their_sound():
    terms = ["查询", "点积", "分数", "广播", "键", "批量", "权重", "上下文向量", "头", "掩码", "值"]
    assert sorted(sorted(terms), key=place) == terms


def test_vietnamese_terms_stand_in_the_order_of_a_vietnamese_dictionary():
    terms = ["bản đồ nhiệt", "chú ý", "chuẩn", "dropout", "đầu", "đệm", "điểm số", "embedding"]
    terms += ["gradient", "hàm", "hạng", "khóa", "kích thước", "kiểm thử", "ma trận", "mẫu"]
    assert sorted(sorted(terms), key=place) == terms
