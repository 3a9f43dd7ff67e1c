"""Proof by errors that tell a path: names with steps up are looked for outside of the folder in which names without them are.

For those who add an extension of their own, so that no known file is shown. Both names are drawn at random and lie in a folder
that is not there: whoever opens files to write makes none by them.
For those who open to write just what is named: files that every Linux has and nobody may write are told as ones that may not be
opened, or, to the superuser, as ones that take nothing that is written to them, and others beside them are not.

    outside = yield from looks_outside(inquiry, namings)

A point where no answer so far told such a path costs no request here.
"""

import posixpath
from collections.abc import Generator, Sequence

from gatecrash.core.testing.dialogues.files.file_existence import OF_PROCESS, Naming
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import shown_by_it_alone
from gatecrash.core.testing.oracles.files.told_paths import denied_paths, takes_nothing, told_paths
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

_LENGTH = 8


def looks_outside(inquiry: Inquiry, namings: Sequence[Naming]) -> Generator[TestRequest, Answer, Proof | None]:
    """The proof by the first of these ways to name a path whose names are looked for outside; None where none is."""
    for naming in namings:
        proof = yield from _denied(inquiry, naming)
        if proof is not None:
            return proof
    if not any(told_paths(reply.text) for reply in inquiry.replies):
        return None
    within = yield from inquiry.send(_fresh(inquiry), purpose="control")
    told = _path_of(within) if within is not None else ""
    if within is None or not told:
        return None
    folder = posixpath.dirname(posixpath.dirname(told))
    for naming in namings:
        proof = yield from _by(inquiry, naming, folder)
        if proof is not None:
            return proof
    return None


def _denied(inquiry: Inquiry, naming: Naming) -> Generator[TestRequest, Answer, Proof | None]:
    """The proof by files that nobody may write, where one of them was told as such already."""
    files = {naming(f"/proc/self/{name}"): f"/proc/self/{name}" for name in OF_PROCESS}
    paths = dict(files)

    def denied(reply: Reply) -> bool:
        path = paths.get(reply.payload)
        if path is None:
            return False
        return takes_nothing(reply.text) or path in map(posixpath.normpath, denied_paths(reply.text))

    def there() -> Asking:
        return (yield from inquiry.send(inquiry.random.choice(list(files)), purpose="confirm"))

    def gone() -> Asking:
        missing = f"/proc/{inquiry.mark(4)}/{inquiry.random.choice(OF_PROCESS)}"
        paths[naming(missing)] = missing
        return (yield from inquiry.send(naming(missing), purpose="control"))

    if not any(map(denied, inquiry.replies)):
        return None
    apart = yield from shown_by_it_alone(inquiry, there, gone, denied)
    return apart and Proof(
        test=apart.shown.exchange,
        control=apart.control.exchange,
        verified_by=(
            f"{apart.shown.payload!r}, which nobody may write, {_how(apart.shown)}; {apart.control.payload!r}, which does not exist, is not. Repeated with several files in random order."
        ),
    )


def _how(shown: Reply) -> str:
    """What tells that it was opened to write."""
    if takes_nothing(shown.text):
        return "is told as what takes nothing that is written to it, in the words of the runtime"
    return "is told as what may not be opened, in the words of the runtime and by its path outside of the folder"


def _by(inquiry: Inquiry, naming: Naming, folder: str) -> Generator[TestRequest, Answer, Proof | None]:
    def outside() -> Asking:
        return (yield from inquiry.send(naming("/" + _fresh(inquiry)), purpose="confirm"))

    def inside() -> Asking:
        return (yield from inquiry.send(_fresh(inquiry), purpose="control"))

    def left(reply: Reply) -> bool:
        path = _path_of(reply)
        return path != "" and posixpath.dirname(posixpath.dirname(path)) != folder and not path.startswith(f"{folder}/")

    first = yield from outside()
    if first is None or not left(first):
        return None
    apart = yield from shown_by_it_alone(inquiry, outside, inside, left)
    return apart and Proof(
        test=apart.shown.exchange,
        control=apart.control.exchange,
        verified_by=(
            f"{apart.shown.payload!r}, drawn at random, is looked for at {_path_of(apart.shown)!r}, as the error says in the words of "
            f"the runtime; {apart.control.payload!r} is looked for at {_path_of(apart.control)!r}. Repeated with fresh names in random order."
        ),
    )


def _fresh(inquiry: Inquiry) -> str:
    return f"{inquiry.mark(_LENGTH)}/{inquiry.mark(_LENGTH)}"


def _path_of(reply: Reply) -> str:
    """The path at which the names of a payload were looked for, without its detours; empty where no error tells it."""
    names = "/".join(reply.payload.rsplit("/", 2)[-2:])
    return next((posixpath.normpath(path) for path in told_paths(reply.text, names) if names in path), "")
