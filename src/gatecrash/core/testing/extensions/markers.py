"""Markers: texts of an extension that are fresh in each request, and what an answer shows of them.

STR_MARKER is a word that stands nowhere else. CALC_MARKER is a product as a task, and its result in what is detected: who
shows the result has computed it. DNS_MARKER is an address of the node's listener.
"""

import re
from random import Random
from typing import NamedTuple

from gatecrash.core.testing.extensions.extension import CALC, DNS, STR
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.out_of_band import OutOfBand

_LOW, _HIGH = 10_001, 39_999


class Markers(NamedTuple):
    """The markers of one request. address: of the listener, "" where there is none."""

    word: str
    left: int
    right: int
    address: str = ""

    def fill(self, text: str) -> str:
        """A text that is sent."""
        return text.replace(STR, self.word).replace(CALC, f"{self.left}*{self.right}").replace(DNS, self.address)

    def expect(self, expression: str) -> str:
        """An expression about an answer: the word as it is, the result of the task."""
        return expression.replace(STR, re.escape(self.word)).replace(CALC, str(self.left * self.right))


def fresh(random: Random, oob: OutOfBand | None, number: int) -> Markers:
    """Markers that no other request has. number: of the listener's address."""
    word = fresh_letters(random, 10)
    return Markers(word, random.randint(_LOW, _HIGH), random.randint(_LOW, _HIGH), address_of(oob, number))


def address_of(oob: OutOfBand | None, number: int) -> str:
    """A name of the zone; without a zone what may stand behind `http://` instead: the listener's address with the name."""
    if oob is None:
        return ""
    return oob.host(number) or oob.url(number).removeprefix("http://")


SAMPLE = Markers("sample", 2, 3, "sample.example")
