"""What an application shows to whoever uses it, in one language: labels and sentences under names of their own.

Such a file has a name for every word of a form (`"password": "Password"`), and so for whatever people keep to themselves,
and nothing of anybody.
"""

import re
from collections.abc import Sequence

from gatecrash.core.testing.oracles.leaves import Leaf

# An object of somebody's has fewer fields, and of his settings hardly all are words.
_LEAST = 40
_NEARLY_ALL = 0.95
# Labels are often one word; a file of settings has hardly a sentence.
_SENTENCES = 0.3
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_NO_TEXT = re.compile(r"true|false", re.IGNORECASE)
# What is made by chance, and addresses of people; a text has blanks between such signs.
_NO_WORD = re.compile(r"(?=\S*\d)(?=\S*[a-z])[\w+/=.$-]{8,}|[\w.+-]+@[\w.-]+", re.IGNORECASE)


def are_texts_of_an_interface(told: Sequence[Leaf]) -> bool:
    """Whether all that an answer tells are the texts of an interface: every value has a place of its own, which no
    entry of a list has, is made of words, and many are of several.
    """
    if len(told) < _LEAST or len({leaf.path for leaf in told}) < len(told):
        return False
    if any(_NO_WORD.fullmatch(leaf.value) for leaf in told):
        return False
    words = [0 if _NO_TEXT.fullmatch(leaf.value) else len(_WORD.findall(leaf.value)) for leaf in told]
    texts = sum(count > 0 for count in words)
    return texts >= _NEARLY_ALL * len(told) and sum(count > 1 for count in words) >= _SENTENCES * len(told)
