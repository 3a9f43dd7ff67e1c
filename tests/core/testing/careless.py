"""An application that changes and deletes whatever it is told, carelessly, behind GET as well as POST.

Every question finds all as it was at first. What one changes, removes, sends or moves beyond what the recorded question does is
noted, by the way in and the function that did it. But for a shell's own folder nothing is on the disk that the tests run on.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode

from tests.core.testing import careless_files, careless_rows
from tests.core.testing.shell import leaves, path_outside, run_within
from tests.in_memory import InMemory

from gatecrash.core.message import Request, Response

FORM, JSON = (b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Type", b"application/json")
_COMMANDS = {
    "shell": ("{cmd}", {"cmd": "echo hello"}),
    "echo": ("echo {text}", {"text": "hello"}),
    "rm": ("rm -f files/{file}", {"file": "tea"}),
    "rm-quoted": ('rm -rf "files/{file}"', {"file": "tea"}),
    "mv": ("mv files/{from} files/{to}", {"from": "tea", "to": "tea9"}),
    "tee": ("echo hello > files/{file}", {"file": "tea"}),
}
_ANYWHERE = Path("/srv/app")
_KEPT = ("files/tea", "files/cup", "files/1", "files/deep/tea", "secret", "tea", "etc")
# At a domain that there may be.
_ADDRESS = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+(?:com?|net|org)")
_OVERRIDES = (b"X-HTTP-Method-Override", b"X-Method-Override", b"X-HTTP-Method")
# Of these the address names what is meant.
_BY_PATH = {
    "save": "name", "draft": "name", "notebook": "file", "visit": "file", "remove": "file", "rmtree": "folder", "truncate": "file",
    "read": "file", "rm": "file", "tee": "file", "item-remove": "name", "item-remove-by-id": "id",
}  # fmt: skip
_BOUNDARY = "----x7"
_UPLOAD = (
    f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="tea.txt"\r\n'
    f"Content-Type: text/plain\r\n\r\ngreen\r\n--{_BOUNDARY}--\r\n"
)
FUNCTIONS: dict[str, dict[str, Any]] = {
    **{name: said for name, (_, said) in careless_files.FUNCTIONS.items()},
    **{name: said for name, (_, said) in careless_rows.FUNCTIONS.items()},
    **{name: said for name, (_, said) in careless_rows.OF_DOCUMENTS.items()},
    **{name: said for name, (_, said) in _COMMANDS.items()},
    "mail": {"to": "ann@example.com", "text": "hello"},
    "transfer": {"to": "ben", "amount": "5"},
}
"""Each function by its name, with what it is told when it is recorded."""


def requests(name: str) -> Iterator[tuple[str, Request]]:
    """The recorded questions for a function, by the way in."""
    said = FUNCTIONS[name]
    path = f"/{name}".encode()
    form = urlencode(said).encode()
    yield "query", Request("GET", path + b"?" + form, host="127.0.0.1")
    yield "form", Request("POST", path, (FORM,), form, host="127.0.0.1")
    yield "JSON", Request("POST", path, (JSON,), json.dumps(said).encode(), host="127.0.0.1")
    if name in _BY_PATH:
        yield "path", Request("GET", f"/{name}/{said[_BY_PATH[name]]}".encode(), host="127.0.0.1")


def of_resources() -> Iterator[tuple[str, Request]]:
    """The recorded questions where the method says what is done, and for an upload."""
    yield "GET", Request("GET", b"/shelf/tea.txt", host="127.0.0.1")
    yield "PUT", Request("PUT", b"/shelf/tea.txt", ((b"Content-Type", b"text/plain"),), b"new", host="127.0.0.1")
    yield "DELETE", Request("DELETE", b"/shelf/cup.txt", host="127.0.0.1")
    yield "GET", Request("GET", b"/items/2", host="127.0.0.1")
    yield "POST", Request("POST", b"/items", (JSON,), b'{"name": "new", "price": 4}', host="127.0.0.1")
    yield "PUT", Request("PUT", b"/items/2", (JSON,), b'{"name": "tea2"}', host="127.0.0.1")
    yield "DELETE", Request("DELETE", b"/items/6", host="127.0.0.1")
    yield "DELETE", Request("DELETE", b"/items?ids=2,3", host="127.0.0.1")
    multipart = f"multipart/form-data; boundary={_BOUNDARY}".encode()
    yield "upload", Request("POST", b"/upload", ((b"Content-Type", multipart),), _UPLOAD.encode(), host="127.0.0.1")


class Careless:
    """root: an empty folder, the only one on the disk that anything is done in. beyond: what a question did that the
    recorded one, which is the first, does not.
    """

    def __init__(self, root: Path) -> None:
        self.root = root / "tree"
        self.beyond: list[str] = []
        self.allowed: frozenset[str] | None = None
        self.rows = InMemory()
        self.moved, self.sent_to = 0.0, frozenset[str]()
        self._fill()
        self.untouched = self._state()

    def _fill(self) -> None:
        self.files = careless_files.Files(careless_files.START)
        self.documents = careless_rows.fresh_documents()
        careless_rows.refill(self.rows)
        shutil.rmtree(self.root, ignore_errors=True)
        for name in _KEPT:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text("kept")
        self.moved, self.sent_to = 0.0, frozenset()

    def _state(self) -> dict[str, object]:
        try:
            rows = {f"row {row[0]}": row for row in self.rows.execute("SELECT * FROM items").fetchall()}
        except sqlite3.Error:
            rows = {}
        on_disk = {
            f"~/{name}": (self.root / name).read_text("latin-1") for name in _KEPT if (self.root / name).is_file()
        }
        return {**self.files, **rows, **on_disk, **careless_rows.told(self.documents)}

    def __call__(self, request: Request) -> Response:
        status, said = self._answer(request)
        state = self._state()
        changes = {name for name, was in self.untouched.items() if state.get(name) != was}
        changes |= {f"moves {self.moved}"} if self.moved else set()
        changes |= {f"sends to {each}" for each in self.sent_to}
        if self.allowed is None:
            self.allowed = frozenset(changes)
        elif beyond := changes - self.allowed:
            shown = f"{request.method} {request.target.decode('latin-1')} {request.body[:200].decode('latin-1')}"
            self.beyond.append(f"{shown}: {sorted(beyond)}")
        if changes:
            self._fill()
        kind = b"text/plain" if isinstance(said, str) else b"application/json"
        text = said if isinstance(said, str) else json.dumps(said)
        return Response(status, ((b"Content-Type", kind),), text.encode("utf-8", "replace"))

    def _answer(self, request: Request) -> tuple[int, Any]:
        name, slash, rest = unquote(request.path.decode("latin-1"))[1:].partition("/")
        try:
            said = _said(request)
            if name in ("shelf", "items", "upload"):
                return self._resource(_method(request, said), name, rest, request.body, said)
            if name not in FUNCTIONS or (slash and name not in _BY_PATH):
                return 404, "There is no such page."
            if slash:
                said = {**FUNCTIONS[name], _BY_PATH[name]: rest}
            return 200, self._done(name, said)
        except (sqlite3.Error, LookupError, TypeError, ValueError, ArithmeticError, OSError, re.error) as error:
            return 500, f"internal error: {error}"

    def _done(self, name: str, said: dict[str, Any]) -> Any:
        if name in careless_files.FUNCTIONS:
            texts = {each: value if isinstance(value, str) else json.dumps(value) for each, value in said.items()}
            return careless_files.FUNCTIONS[name][0](self.files, texts)
        if name in careless_rows.FUNCTIONS:
            return careless_rows.FUNCTIONS[name][0](self.rows, said)
        if name in careless_rows.OF_DOCUMENTS:
            return careless_rows.OF_DOCUMENTS[name][0](self.documents, said)
        if name == "mail":
            head = f"To: {said['to']}\nSubject: hello\n\n{said['text']}".replace("\r\n", "\n").partition("\n\n")[0]
            named = re.split(r"[,;\n]", "\n".join(re.findall(r"(?im)^(?:to|b?cc):(.*)$", head)))
            self.sent_to = frozenset(each.strip() for each in named if _ADDRESS.fullmatch(each.strip()))
            return "sent"
        if name == "transfer":
            self.moved = float(said["amount"])
            return {"moved": self.moved}
        return self._command(name, said)

    def _command(self, name: str, said: dict[str, Any]) -> str:
        """What the command prints. One that may leave its folder is not run; that it would have changed what lies there is noted."""
        line = _COMMANDS[name][0].format_map({"file": "", **said})
        if not leaves(line):
            return run_within(self.root, line)
        for value in said.values() if "files/" in _COMMANDS[name][0] else ():
            outside = str(path_outside(_ANYWHERE, str(value)))
            if outside in self.files:
                self.files[outside] = b"changed"
        return ""

    def _resource(self, method: str, name: str, rest: str, body: bytes, said: dict[str, Any]) -> tuple[int, Any]:
        if name == "items":
            return self._item(method, rest, said)
        path = careless_files.path_of(careless_files.FOLDER, rest if name == "shelf" else said["@file"])
        if method == "GET":
            return 200, self.files.read(path).decode("utf-8", "replace")
        if method == "DELETE":
            self.files.remove(path, folders=True)
        else:
            self.files.write(path, body)
        return 201, ""

    def _item(self, method: str, number: str, said: dict[str, Any]) -> tuple[int, Any]:
        if not number and method in ("DELETE", "PUT"):
            ids = [each for each in str(said.get("ids", "")).split(",") if each]
            where = f" WHERE id IN ({', '.join('?' * len(ids))})" if ids else ""
            self.rows.execute(f"DELETE FROM items{where}", ids)
            return 204, ""
        if not number:
            return 201, {"id": 7, "name": said.get("name")}
        row = self.rows.execute("SELECT id, name, price FROM items WHERE id = ?", (number,)).fetchone()
        if row is None:
            return 404, {}
        if method == "DELETE":
            self.rows.execute("DELETE FROM items WHERE id = ?", (number,))
        elif method != "GET":
            self.rows.execute("UPDATE items SET name = ? WHERE id = ?", (str(said.get("name")), number))
        return 200, {"id": row[0], "name": row[1], "price": row[2]}


def _said(request: Request) -> dict[str, Any]:
    """All that the query and the body say; of a format that is not read, nothing."""
    said: dict[str, Any] = dict(parse_qsl((request.query or b"").decode("latin-1"), keep_blank_values=True))
    kind = (request.first(b"Content-Type") or b"").decode("latin-1")
    if "json" in kind:
        read = json.loads(request.body or b"{}")
        said |= read if isinstance(read, dict) else {}
    elif "form-urlencoded" in kind:
        said |= dict(parse_qsl(request.body.decode("latin-1"), keep_blank_values=True))
    elif "multipart" in kind:
        whole: Message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + request.body)
        for part in whole.walk():
            name = part.get_param("name", header="content-disposition")
            said |= {str(name): part.get_payload(), f"@{name}": part.get_filename() or "none"} if name else {}
    return said


def _method(request: Request, said: dict[str, Any]) -> str:
    """The method that is meant, as frameworks take it from a header or a field."""
    override = next((value.decode("latin-1") for each in _OVERRIDES if (value := request.first(each))), "")
    return (override or str(said.get("_method", "")) or request.method).upper()
