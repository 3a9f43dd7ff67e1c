"""Files in memory, and functions that read, write and delete those that they are told, carelessly: all of a machine's, its own
folder's and the system's. Nothing of it is on the disk that the tests run on.
"""

import posixpath
from collections.abc import Callable
from fnmatch import fnmatch

FOLDER = "/srv/app/notes"
LOGS = "/srv/app/log"
_NAMES = """/etc/passwd /etc/hosts /etc/shadow /etc/crontab /proc/self/environ /proc/self/status /proc/version /windows/win.ini
/srv/app/app.py /srv/app/.env /srv/app/.git/HEAD /srv/app/requirements.txt /srv/app/package.json /srv/app/WEB-INF/web.xml
/srv/app/index.php /srv/app/notes/index.html /srv/app/notes/tea.txt /srv/app/notes/cup.txt /srv/app/notes/tea /srv/app/notes/1.txt
/srv/app/notes/deep/tea.txt /srv/app/notes/deep/cup.txt /srv/app/notes.bak/tea.txt /srv/app/log/app.log /srv/app/log/audit.log
/srv/secret.txt /srv/tea.txt /tea.txt /root/.ssh/id_rsa"""
START = {name: f"what {name} says".encode() for name in _NAMES.split()} | {
    "/etc/passwd": b"root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n",
    "/windows/win.ini": b"; for 16-bit app support\n[fonts]\n[extensions]\n",
    "/srv/app/requirements.txt": b"flask==3.0.0\nrequests==2.32.3\njinja2==3.1.4\n",
}
Values = dict[str, str]


def path_of(folder: str, name: str) -> str:
    """Where a name leads to, steps up and absolute paths included."""
    return posixpath.normpath(posixpath.join(folder, name.split("\0")[0]))


class Files(dict[str, bytes]):
    """By their whole paths. What lies in /proc nobody writes."""

    def is_folder(self, path: str) -> bool:
        return path == "/" or any(each.startswith(f"{path.rstrip('/')}/") for each in self)

    def read(self, path: str) -> bytes:
        if path in self:
            return self[path]
        raise IsADirectoryError(path) if self.is_folder(path) else FileNotFoundError(path)

    def write(self, path: str, data: bytes, *, make_folders: bool = False, append: bool = False) -> None:
        if path.startswith("/proc/"):
            raise PermissionError(path)
        if self.is_folder(path):
            raise IsADirectoryError(path)
        if not make_folders and not self.is_folder(posixpath.dirname(path)):
            raise FileNotFoundError(path)
        self[path] = (self.get(path, b"") if append else b"") + data

    def remove(self, path: str, *, folders: bool = False) -> None:
        if path.startswith("/proc/"):
            raise PermissionError(path)
        below = [each for each in self if each.startswith(f"{path.rstrip('/')}/")] if folders else []
        if path not in self and not below:
            raise FileNotFoundError(path)
        for each in [path, *below]:
            self.pop(each, None)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _save(files: Files, said: Values) -> str:
    files.write(path_of(FOLDER, said["name"]), said.get("text", "hello").encode("utf-8", "replace"))
    return "saved"


def _save_as_text(files: Files, said: Values) -> str:
    files.write(posixpath.normpath(f"{FOLDER}/{said['name']}.txt"), said["text"].encode("utf-8", "replace"))
    return "saved"


def _export(files: Files, said: Values) -> str:
    files.write(path_of("/", said["file"]), b"exported")
    return "exported"


def _draft(files: Files, said: Values) -> str:
    files.write(path_of(FOLDER, said["name"]), f"A draft of {said['name']}".encode("utf-8", "replace"))
    return _text(files[path_of(FOLDER, said["name"])])


def _notebook(files: Files, said: Values) -> str:
    """Reads it, and makes it where it is not there."""
    path = path_of(FOLDER, said["file"])
    if path not in files:
        files.write(path, b"", make_folders=True)
    return _text(files[path])


def _queue(files: Files, said: Values) -> str:
    """Reads what was there, and nothing is left."""
    path = path_of(FOLDER, said["file"])
    text = _text(files.read(path))
    files.write(path, b"")
    return text


def _log(files: Files, said: Values) -> str:
    files.write(path_of(LOGS, said["file"]), said["line"].encode("utf-8", "replace"), append=True)
    return "logged"


def _visit(files: Files, said: Values) -> str:
    """Adds a line, and shows all of them."""
    path = path_of(LOGS, said["file"])
    files.write(path, b"visited\n", append=True)
    return _text(files[path])


def _rename(files: Files, said: Values) -> str:
    old, new = path_of(FOLDER, said["from"]), path_of(FOLDER, said["to"])
    data = files.read(old)
    files.remove(old)
    files.write(new, data)
    return "renamed"


def _copy(files: Files, said: Values) -> str:
    files.write(path_of(FOLDER, said["to"]), files.read(path_of(FOLDER, said["from"])))
    return "copied"


def _remove(files: Files, said: Values) -> str:
    files.remove(path_of(FOLDER, said["file"]))
    return "removed"


def _discard(files: Files, said: Values) -> str:
    """Tells nothing of what is not there."""
    if path_of(FOLDER, said["file"]) in files:
        files.remove(path_of(FOLDER, said["file"]))
    return "ok"


def _rmtree(files: Files, said: Values) -> str:
    """Of a name that is not there, the whole folder."""
    files.remove(path_of(FOLDER, said.get("folder", "")), folders=True)
    return "ok"


def _truncate(files: Files, said: Values) -> str:
    files.read(path_of(FOLDER, said["file"]))
    files.write(path_of(FOLDER, said["file"]), b"")
    return "ok"


def _download_once(files: Files, said: Values) -> str:
    text = _text(files.read(path_of(FOLDER, said["file"])))
    files.remove(path_of(FOLDER, said["file"]))
    return text


def _clean(files: Files, said: Values) -> str:
    found = [each for each in files if fnmatch(each, f"{FOLDER}/{said.get('pattern', '*')}")]
    for each in found:
        files.remove(each)
    return f"{len(found)} removed"


def _read(files: Files, said: Values) -> str:
    return _text(files.read(path_of(FOLDER, said["file"])))


def _convert(files: Files, said: Values) -> str:
    """Reads one, and writes beside it."""
    path = path_of(FOLDER, said["file"])
    files.write(f"{path}.{said.get('format') or 'pdf'}", files.read(path))
    return "converted"


FUNCTIONS: dict[str, tuple[Callable[[Files, Values], str], Values]] = {
    "save": (_save, {"name": "tea.txt", "text": "green"}),
    "save-as-text": (_save_as_text, {"name": "tea", "text": "green"}),
    "export": (_export, {"file": "/srv/app/notes/tea.txt"}),
    "draft": (_draft, {"name": "tea.txt"}),
    "notebook": (_notebook, {"file": "tea.txt"}),
    "queue": (_queue, {"file": "tea.txt"}),
    "log": (_log, {"file": "app.log", "line": "hello"}),
    "visit": (_visit, {"file": "app.log"}),
    "rename": (_rename, {"from": "tea.txt", "to": "tea2.txt"}),
    "copy": (_copy, {"from": "tea.txt", "to": "tea3.txt"}),
    "remove": (_remove, {"file": "tea.txt"}),
    "discard": (_discard, {"file": "tea.txt"}),
    "rmtree": (_rmtree, {"folder": "deep"}),
    "truncate": (_truncate, {"file": "tea.txt"}),
    "download-once": (_download_once, {"file": "tea.txt"}),
    "clean": (_clean, {"pattern": "tea.txt"}),
    "read": (_read, {"file": "tea.txt"}),
    "convert": (_convert, {"file": "tea.txt", "format": "pdf"}),
}
"""Each function by its name, with what it is told when it is recorded."""
