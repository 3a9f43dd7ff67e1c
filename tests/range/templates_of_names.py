"""People's own templates in languages of names and sections, of JavaScript: as their engines were seen to answer.

No arithmetic is in them. Old engines follow a path of names wherever it leads, into the functions that every value has;
new ones give what the value itself holds.
"""

import re

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, Given, flaw, text, twin

LETTER = "Dear {{name}}, greetings to {{town}}"
NAMES = {"name": "Ines", "town": "Ulm"}
EVERY_NUMBER_HAS = {"toFixed.constructor.name": "Function"}
EVERY_OBJECT_HAS = {"toString.constructor.name": "Function", "constructor.name": "Object"}
_OPPOSITE = re.compile(r"\{\{\^(\w+)\}\}(.*?)\{\{/\1\}\}", re.DOTALL)
_SECTION = re.compile(r"\{\{#(\w+)\}\}(.*?)\{\{/\1\}\}", re.DOTALL)
_WITH_NUMBER = re.compile(r"\{\{#with (\d+)\}\}(.*?)\{\{/with\}\}", re.DOTALL)
_SAID = re.compile(r"\{\{([^{}]*)\}\}")
_PATH = re.compile(r"[\w.\[\]]+")


def rendered(template: str, names: dict[str, str]) -> str:
    """Sections of names that nobody gave are left out. Raises ValueError for what is no name."""

    def say(found: re.Match[str]) -> str:
        if not _PATH.fullmatch(found[1]):
            raise ValueError(f"Parse error: {found[1]}")
        return names.get(found[1], "")

    template = _SECTION.sub(lambda found: found[2] if found[1] in names else "", template)
    template = _OPPOSITE.sub(lambda found: "" if found[1] in names else found[2], template)
    return _SAID.sub(say, template)


def letter_of(template: str, of_numbers: dict[str, str], names: dict[str, str]) -> Response:
    try:
        template = _WITH_NUMBER.sub(lambda found: rendered(found[2], of_numbers), template)
        return text(rendered(template, names))
    except ValueError:
        return text("template error", 400)


@flaw("ssti", value=LETTER, ways=(FORM, JSON), replayed=True)
def letter_that_reaches_functions(given: Given) -> Response:
    return letter_of(given.q, EVERY_NUMBER_HAS, {**NAMES, **EVERY_OBJECT_HAS})


@twin("ssti", value=LETTER, ways=(FORM, JSON))
def letter_of_own_names(given: Given) -> Response:
    """The same language in an engine that gives what a value itself holds."""
    return letter_of(given.q, {}, NAMES)


@twin("ssti", value=LETTER, ways=(FORM, JSON))
def letter_without_helpers(given: Given) -> Response:
    """Knows sections alone, and what every object has: nothing in it can be called with a text."""
    try:
        return text(rendered(given.q, {**NAMES, **EVERY_OBJECT_HAS}))
    except ValueError:
        return text("template error", 400)
