"""A shelf of documents in a real folder: names looked up carelessly, and twins that look like it and keep inside.

The well-known files of the machine are replaced by own ones: an absolute path outside of the folder is read below `root`.
"""

import html
import json
import os.path
import re
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl, unquote

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.files.file_existence import FILES

PASSWD = "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
STATUS = "Name:\tshelf\nUmask:\t0022\nState:\tR (running)\n"
PACKAGE = '{"name": "shelf", "version": "1.0.2", "scripts": {"start": "node shelf.js"}}'
WIN_INI = "; for 16-bit app support\r\n[fonts]\r\n[extensions]\r\n"


class Shelf:
    """One shelf. root: an empty folder for a small file system of its own."""

    def __init__(self, root: Path) -> None:
        self.root, self.base = root, root / "srv" / "docs"
        self.random = Random(7)
        for name, text in (
            ("etc/passwd", PASSWD),
            *((f"etc/{name}", "") for name in ("group", "hosts", "resolv.conf")),
            *((name.lstrip("/"), "") for name in FILES),
            ("dev/null", ""),
            ("windows/win.ini", WIN_INI),
            ("proc/self/status", STATUS),
            *((f"proc/self/{name}", "") for name in ("cmdline", "environ", "mountinfo", "oom_score_adj", "statm")),
            ("srv/docs/tea.txt", "Green tea."),
            ("srv/docs/tea", "Tea."),
            ("srv/docs/de/tea.txt", "Tee."),
            ("srv/docs/5", "Five."),
            ("srv/package.json", PACKAGE),
            ("srv/docs/about.json", '{"title": "About us"}'),
            ("srv/shown/package.json", PACKAGE),
            ("srv/shown/about.json", '{"title": "About us"}'),
        ):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text.encode())

    def __call__(self, request: Request) -> Response:
        path = request.path.decode()
        if path.startswith("/raw/"):
            return self.served(path.removeprefix("/raw/"))
        given = dict(parse_qsl((request.query or b"").decode(), keep_blank_values=True))
        if request.body:
            given |= json.loads(request.body)
        name = str(given.get("f", given.get("dir", "")))
        return getattr(self, path.strip("/").replace("-", "_"))(name)

    def read(self, path: str) -> Response:
        """The content of a file of the small file system; steps up end at its root, as everywhere."""
        if "\0" in path:
            raise ValueError(path)
        plain = os.path.normpath("/" + path)
        found = self.root / plain.lstrip("/")
        return text(found.read_bytes().decode()) if found.is_file() else text("no such file", 404)

    def joined(self, name: str) -> str:
        return os.path.join("/srv/docs", name)  # noqa: PTH118 -- joins as careless programs do

    def within(self, name: str) -> Response:
        """Another folder, which steps up do not leave."""
        return self.read("/srv/shown" + os.path.normpath("/" + name))

    # Leaves its folder

    def plain(self, name: str) -> Response:
        return self.read(self.joined(name))

    def appended(self, name: str) -> Response:
        """Steps up only: an absolute path is appended."""
        return self.read("/srv/docs/" + name)

    def extension_added(self, name: str) -> Response:
        return self.read(f"/srv/docs/{name}.json")

    def only_absolute(self, name: str) -> Response:
        return text("no", 400) if ".." in name else self.read(self.joined(name))

    def refuses_beginnings(self, name: str) -> Response:
        """Found as the system finds it: steps lead up from folders alone."""
        if name.startswith(("..", "/")):
            return text("not allowed", 400)
        first, slash, _ = name.partition("/")
        return (
            self.read("/srv/docs/" + name) if not slash or (self.base / first).is_dir() else text("no such file", 404)
        )

    def filtered_once(self, name: str) -> Response:
        return self.read("/srv/docs/" + name.replace("../", ""))

    def decoded_again(self, name: str) -> Response:
        return text("no", 400) if ".." in name and "/" in name else self.read("/srv/docs/" + unquote(name))

    def begins_with_folder(self, name: str) -> Response:
        return self.read("/srv/docs/" + name) if name.startswith("de/") else text("no", 400)

    def cut_off(self, name: str) -> Response:
        """The extension is looked at, and the system stops at the null byte."""
        return self.read("/srv/docs/" + name.partition("\0")[0]) if name.endswith(".txt") else text("no", 400)

    def in_json(self, name: str) -> Response:
        found = self.read(self.joined(name))
        return answer({"name": name, "content": found.body.decode()}, found.status)

    def in_page(self, name: str) -> Response:
        found = self.read(self.joined(name))
        return page(f"<pre>{html.escape(found.body.decode())}</pre>", found.status)

    def by_size(self, name: str) -> Response:
        """As many bytes as the system says the file has: none of one that it makes while it is read."""
        found = self.read(self.joined(name))
        return text("") if "/proc/" in self.joined(name) and found.status < 400 else found

    def by_size_in_page(self, name: str) -> Response:
        found = self.by_size(name)
        return page(f"<h1>Document</h1><pre>{html.escape(found.body.decode())}</pre>", found.status)

    def told_past_a_filter(self, name: str) -> Response:
        """Where to go next, by whether the file is there."""
        there = self.filtered_once(name).status < 400
        return Response(302, ((b"Location", b"/ready" if there else b"/missing"),))

    def length(self, name: str) -> Response:
        """How long the file is, as the system says: one that it makes while it is read has no length, as one that is not there."""
        there = self.read(self.joined(name)).status < 400 and "/proc/" not in self.joined(name)
        return page(f"<p>Length: {20 + len(os.path.normpath(self.joined(name))) if there else 0}</p>")

    def first_line(self, name: str) -> Response:
        found = self.read(self.joined(name))
        return text(found.body.decode().partition("\n")[0], found.status)

    def without_proc(self, name: str) -> Response:
        """A system that is no Linux."""
        return text("no such file", 404) if "/proc/" in self.joined(name) else self.read(self.joined(name))

    def windows(self, name: str) -> Response:
        found = self.read("/srv/docs/" + name.replace("\\", "/"))
        return Response(found.status, (*found.headers, (b"Server", b"Microsoft-IIS/10.0")), found.body)

    def served(self, path: str) -> Response:
        return self.read("/srv/docs/" + unquote(path))

    def folder(self, name: str) -> Response:
        found = self.root / os.path.normpath("/" + self.joined(name)).lstrip("/")
        return page("<br>".join(sorted(each.name for each in found.iterdir())) if found.is_dir() else "no such folder")

    # Keeps inside

    def folder_inside(self, name: str) -> Response:
        path = os.path.normpath(self.joined(name))
        return self.folder(name) if path.startswith("/srv/docs") else page("no such folder")

    def folder_told(self, name: str) -> Response:
        """Explains some of what would be in the folder of any process."""
        told = "There are cmdline, environ, oom_score_adj and statm." if "proc" in name else ""
        return page(f"No folder {html.escape(name)}. {told}")

    def inside(self, name: str) -> Response:
        path = os.path.normpath(self.joined(name))
        if "\0" in name or not path.startswith("/srv/docs/"):
            return text("no such file", 404)
        return self.read(path)

    def listed(self, name: str) -> Response:
        return text("Green tea.") if name in ("tea.txt", "tea") else text("unknown document", 404)

    def last_part(self, name: str) -> Response:
        return self.read("/srv/docs/" + name.replace("\0", "").rpartition("/")[2])

    def echo(self, name: str) -> Response:
        return answer({"error": f"open /srv/docs/{name}: no such file"})

    def manual(self, name: str) -> Response:
        """A page about the file: its content is in the baseline."""
        return page(f"<pre>{PASSWD}</pre><p>{html.escape(name)}</p>")

    def helpful(self, name: str) -> Response:
        """Explains the file to whoever names it, wherever it would be."""
        return text(f"About passwd: {PASSWD}" if "passwd" in name else "Ask me about a file.")

    def firewall(self, name: str) -> Response:
        return text("Forbidden", 403) if re.search(r"\.\.|^/|%2|file:", name) else self.inside(name)

    def soft(self, name: str) -> Response:
        found = self.inside(name)
        return found if found.status == 200 else page(f"<h1>Nothing like {html.escape(name)}</h1>")

    def breaks(self, name: str) -> Response:
        return self.inside(name) if re.fullmatch(r"\w+(\.txt)?", name) else text("internal", 500)

    def moving(self, name: str) -> Response:
        return page(f"<p>{self.random.randbytes(12).hex()}</p><p>root:0:0</p>")

    def static(self, name: str) -> Response:
        return page("<h1>Documents</h1>")


def text(content: str, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"text/plain; charset=utf-8"),), content.encode())


def page(content: str, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"text/html; charset=utf-8"),), content.encode())


def answer(document: object, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())
