"""Search that keeps the vowel signs of Devanagari inside their words."""

from __future__ import annotations

import re

from sphinx.search.en import SearchEnglish


class SearchEnglishHindi(SearchEnglish):
    """English search whose words may also be Hindi."""

    lang = "en"
    language_name = "English"
    _word = re.compile(r"[\w\u0900-\u0963\u0966-\u097f\u200c\u200d]+")
    js_splitter_code = r"""
function splitQuery(query) {
    return query.split(/[^\p{Letter}\p{Mark}\p{Number}_\u200c\u200d]+/gu).filter(Boolean);
}
"""

    def split(self, text: str) -> list[str]:
        return self._word.findall(text)
