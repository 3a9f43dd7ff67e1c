"""Changes in a document store that are answered with how many were changed, and with nothing else."""

import contextlib
import json

from gatecrash.core.message import Response
from tests.range.documents import UnknownOperator, find, parsed
from tests.range.place import FORM, JSON, Given, answer, flaw, miss, twin

CHANGES: list[str] = []


@flaw("nosqli", ways=(JSON,))
def says_how_many(given: Given) -> Response:
    """An operator that it does not know changes none."""
    with contextlib.suppress(UnknownOperator):
        return answer({"acknowledged": True, "modified": len(find(name=parsed(given)))})
    return answer({"acknowledged": True, "modified": 0})


@miss("nosqli", ways=(FORM,))
def says_how_many_of_a_form(given: Given) -> Response:
    """Who does not read brackets finds no value, and may take that for all: nothing is written there."""
    return says_how_many(given)


@twin("nosqli", ways=(FORM, JSON))
def says_how_many_in_turn(given: Given) -> Response:
    """Every other change is none, whoever is named."""
    CHANGES.append(given.q)
    return answer({"acknowledged": True, "modified": len(CHANGES) % 2})


@twin("nosqli", ways=(FORM, JSON))
def says_how_many_letters(given: Given) -> Response:
    """The number is that of the letters that came."""
    return answer({"acknowledged": True, "kept": len(json.dumps(parsed(given)))})
