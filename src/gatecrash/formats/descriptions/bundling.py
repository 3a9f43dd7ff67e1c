"""An OpenAPI or Swagger document of several files, as one: what `$ref` names in other files is put behind its own members.

Only files in the document's own folder and below it are asked for. What cannot be had stays as it is, and is told where it is
needed.
"""

import io
import json
import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.descriptions.document import References, as_object, load

MOST_FILES = 1000
_MOST_NODES = 2_000_000
_FILES = "x-files"
_OUTSIDE = re.compile(rb"""\$ref["']?\s*:\s*["']?[^#"'\s]""")

Read = Callable[[str], bytes | None]


def leads_out(data: bytes) -> bool:
    """Whether a document names other files."""
    return _OUTSIDE.search(data) is not None


def bundled(data: bytes, own: str, read: Read) -> bytes:
    """The document with all that it names elsewhere; itself where it names nothing, or is none.

    own: its file's name. read: what a file holds, by its path from the document's folder; None where there is none.
    """
    if not leads_out(data):
        return data
    try:
        return json.dumps(_Bundle(load(io.BytesIO(data), "document"), own, read).whole()).encode()
    except (UnreadableCapture, RecursionError):
        return data  # its reader tells what is wrong


class _Bundle:
    """The files of one document."""

    def __init__(self, document: dict[str, Any], own: str, read: Read) -> None:
        self._own = own
        self._read = read
        self._files: dict[str, Any] = {own: document}
        self._nodes = 0

    def whole(self) -> dict[str, Any]:
        """The document with every file that is named. Raises UnreadableCapture."""
        waiting, written = [self._own], dict[str, Any]()
        while waiting:
            place = waiting.pop()
            known = len(self._files)
            written[place] = self._rewritten(self._files[place], place)
            waiting += [*self._files][known:]
        whole: dict[str, Any] = written.pop(self._own)
        whole[_FILES] = written
        references = References(whole)
        for holder in (whole, as_object(whole.get("components"))):
            for name, one in holder.items():  # `paths: {$ref: …}` is followed by no reader, as no version allows it
                if "$ref" in as_object(one):
                    holder[name] = _followed(references, one)
        return whole

    def _rewritten(self, value: Any, place: str) -> Any:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise UnreadableCapture("The document is too large.")
        if isinstance(value, list):
            return [self._rewritten(one, place) for one in value]
        if not isinstance(value, dict):
            return value
        made = {name: self._rewritten(one, place) for name, one in value.items()}
        if isinstance(value.get("$ref"), str):
            made["$ref"] = self._pointer(value["$ref"], place)
        mapping = as_object(as_object(value.get("discriminator")).get("mapping"))
        if mapping:
            words = {word: self._pointer(leads, place) for word, leads in mapping.items() if isinstance(leads, str)}
            made["discriminator"]["mapping"] = words
        return made

    def _pointer(self, written: str, place: str) -> str:
        """Where it leads within the whole; itself where it leads elsewhere."""
        file, _, steps = written.partition("#")
        if "://" in file or file.startswith("/"):
            return written
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), unquote(file))) if file else place
        if not self._has(target) or (target == place and not file and not _is_in(self._files[place], steps)):
            return written  # many mean the document itself by `#/components/…` in another file
        if target == self._own:
            return "#" + steps
        return f"#/{_FILES}/{target.replace('~', '~0').replace('/', '~1').replace('%', '%25')}{steps}"

    def _has(self, target: str) -> bool:
        """Whether the file is there, and is read now where it was not."""
        if target in self._files:
            return True
        if target.startswith("..") or len(self._files) >= MOST_FILES:
            return False
        data = self._read(target)
        try:
            found = None if data is None else load(io.BytesIO(data), "part")
        except UnreadableCapture:
            found = None
        if found is not None:
            self._files[target] = found
        return found is not None


def _followed(references: References, value: Any) -> Any:
    try:
        return references.follow(value)
    except ValueError:
        return value


def _is_in(document: Mapping[str, Any], steps: str) -> bool:
    try:
        References(document).at("#" + steps)
    except ValueError:
        return False
    return True
