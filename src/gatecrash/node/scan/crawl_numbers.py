"""What a form that only reads finds by a number where it finds nothing by a word.

numbered(form)             the form with 1 where a word was made up; None where none was
tells_more(word, number)   whether the number finds what the word does not

A field that does not say what it takes is given a word, and one that wants the number of an account answers it with "not
found", or with a page that says nothing. All that is asked there then is asked of nothing. Most tables begin with 1.
"""

from urllib.parse import parse_qsl, quote, urlencode

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.difference import read
from gatecrash.formats.descriptions.sample_text import FORMATS

_WORD, _NUMBER = FORMATS["binary"], "1"


def numbered(form: Request) -> Request | None:
    """The form with the number; None where it changes something, or no word of it was made up."""
    if not is_safe(form) or not form.query:
        return None
    written = parse_qsl(form.query.decode("latin-1"), keep_blank_values=True)
    if all(value != _WORD for _, value in written):
        return None
    values = [(name, _NUMBER if value == _WORD else value) for name, value in written]
    query = urlencode(values, quote_via=quote, encoding="latin-1").encode()
    changed: Request = msgspec.structs.replace(form, target=form.path + b"?" + query)
    return changed


def tells_more(word: Response | None, number: Response | None) -> bool:
    """Whether the answer to the number tells more than that to the word; what only repeats either of them is as much."""
    if number is None or number.status >= FIRST_ERROR:
        return False
    if word is None or word.status >= FIRST_ERROR:
        return True
    found, sought = read(number).facts, read(word).facts
    return len(found - sought) > len(sought - found)
