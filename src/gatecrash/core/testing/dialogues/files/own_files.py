"""Proof by files of the application itself, which lie above the folder that a value is looked up in.

Whoever adds an extension to a name, or never leaves the folder that all of the application lies in, shows no file of
the system. The manifest of its packages, a package's own words, or a servlet's description, he does show, where steps
up are followed: their content has a shape.

A point where beginnings change nothing costs no request here, any other one; what is read as a path three to six more.
"""

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.files.makes_files import makes_files
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import shown_by_it_alone
from gatecrash.core.testing.oracles.difference import says_all_of
from gatecrash.core.testing.oracles.files.own_files import (
    COMPOSER,
    EXPRESS,
    MANIFEST,
    PACKAGE,
    PROPERTIES,
    REQUIREMENTS,
    WEB_XML,
    OwnFile,
    shows_file,
)
from gatecrash.core.testing.oracles.platforms import never_in_java, on_java, on_node, on_php
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

_UP = "../"
_EXTENSION = re.compile(r"\.[A-Za-z]\w{0,5}")


class OwnRead(NamedTuple):
    """The last answer that shows the file, and the last to a name that leads nowhere."""

    file: OwnFile
    shown: Reply
    nothing: Reply

    def told(self) -> Proof:
        """The proof in words."""
        return Proof(
            test=self.shown.exchange,
            control=self.nothing.exchange,
            verified_by=(
                f"{self.shown.payload!r} is answered with the content of the application's {self.file.name}, known by its shape, "
                f"which the baseline does not show. {self.nothing.payload!r} and the same name within the folder show nothing of "
                f"the kind. Repeated with several spellings in random order."
            ),
        )


def is_path(inquiry: Inquiry) -> Generator[TestRequest, Answer, bool]:
    """Whether `./` before the value changes nothing where other beginnings did: then it is read as a path."""
    facts = inquiry.basis[0].facts

    def asked() -> Generator[TestRequest, Answer, bool]:
        if not inquiry.replies or any(says_all_of(reply.reading, facts) for reply in inquiry.replies):
            return False
        same = yield from inquiry.send(f"./{inquiry.value}")
        return same is not None and says_all_of(same.reading, facts)

    return (yield from inquiry.situation.memory.once(f"path {'/'.join(inquiry.situation.point)}", asked))


def is_sought_in(inquiry: Inquiry) -> bool:
    """Whether a text that nothing calls a file's name may be one: not all other beginnings broke the answer, and none is shown in it."""
    replies = inquiry.replies
    return not all(reply.broke for reply in replies) and not any(reply.payload in reply.text for reply in replies)


def reads_own_files(inquiry: Inquiry) -> Generator[TestRequest, Answer, OwnRead | None]:
    """The first file of the application that the value reads; None where it reads none."""
    if not (yield from is_path(inquiry)) or (yield from makes_files(inquiry)):
        return None
    for file, steps in _files(inquiry):
        if shows_file(file, inquiry.good_text):
            continue
        reply = yield from inquiry.send(_UP * steps + _named(inquiry, file))
        if reply is not None and shows_file(file, reply.text):
            return (yield from _again(inquiry, file, steps))
    return None


def _named(inquiry: Inquiry, file: OwnFile) -> str:
    """The file as the value names one: without an extension where the value has none, as one is added then."""
    return file.name if _EXTENSION.search(inquiry.value) else file.path


def _files(inquiry: Inquiry) -> Iterator[tuple[OwnFile, int]]:
    """Files to ask for, by what answers, and how many steps up."""
    request, good = inquiry.situation.baseline.request, inquiry.good
    if on_java(request, [good, *(response_of(reply.exchange) for reply in inquiry.replies)]):
        yield from ((WEB_XML, 1), (WEB_XML, 0), (PROPERTIES, 1), (MANIFEST, 1))
    elif on_php(request, good):
        yield from ((COMPOSER, 1), (COMPOSER, 2))
    elif on_node(good):
        yield from ((PACKAGE, 1), (PACKAGE, 2))
        # Other documents are asked for by those alone who read documents, or add what they end with.
        if _EXTENSION.search(inquiry.value) is None or inquiry.value.endswith(EXPRESS.extension):
            yield from ((EXPRESS, 1), (EXPRESS, 2))
    elif never_in_java(request, good):
        yield from ((REQUIREMENTS, 1), (REQUIREMENTS, 2))
    else:
        yield from ((WEB_XML, 1), (PACKAGE, 1), (REQUIREMENTS, 1), (PROPERTIES, 1))


def _again(inquiry: Inquiry, file: OwnFile, steps: int) -> Generator[TestRequest, Answer, OwnRead | None]:
    """Once more in other spellings of the same path, and neither in a folder that is not there nor without the steps up."""
    name = _named(inquiry, file)

    def there() -> Asking:
        # One dot is the folder itself, wherever it stands.
        dots = ["./"] * inquiry.random.randrange(3) + [_UP] * steps
        inquiry.random.shuffle(dots)
        return (yield from inquiry.send("".join(dots) + name, purpose="confirm"))

    def nowhere() -> Asking:
        folder = f"{inquiry.mark(8)}/"
        return (yield from inquiry.send(_UP * steps + folder + name, purpose="control"))

    def shows(reply: Reply) -> bool:
        return shows_file(file, reply.text)

    if steps:
        within = yield from inquiry.send(name, purpose="control")
        if within is None or shows(within):
            return None  # what the folder itself holds may be meant for everybody
    apart = yield from shown_by_it_alone(inquiry, there, nowhere, shows)
    return apart and OwnRead(file, apart.shown, apart.control)
