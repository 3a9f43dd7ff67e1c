"""A harmless value in the place of a recorded one: what any other value is told, payloads are told as well."""

from random import Random

from gatecrash.core.testing.authorization.callers.credentials import garble

_WITHOUT_VOWELS = bytes.maketrans(b"aeiouyAEIOUY", b"bdfghjBDFGHJ")


def another_like(value: bytes, random: Random) -> bytes:
    """A value of the same form that forms no word: filters in front of applications look for short ones (`OR-1001`).

    Of a path its last part is another: payloads keep its folder, and what is refused below it need not exist elsewhere.
    """
    end = value.rfind(b"/", 0, -1) + 1 if value.startswith(b"/") else 0
    return value[:end] + garble(value[end:], random).translate(_WITHOUT_VOWELS)
