"""The shop's leaflets, as files. One operation joins what it is sent to its folder; its twins do not get out of it.

The flaw is real: the name is joined and the file is opened. A fence behind it keeps the demo harmless: besides the
shop's own folder it opens only files that every user of the machine may read and that hold no secret.
"""

import os
from http import HTTPStatus
from pathlib import Path

from gatecrash.demo.target.http import TEXT, Call, Reply
from gatecrash.demo.target.store import Store

LEAFLETS = {
    "sencha.txt": "Sencha: seventy degrees, ninety seconds. The second cup is the better one.\n",
    "assam.txt": "Assam: boiling water, four minutes. It takes milk.\n",
    "keemun.txt": "Keemun: ninety degrees, three minutes. No sugar, please.\n",
}
_BEHIND_THE_FENCE = frozenset({"/etc/passwd"})
_MOST = 64 * 1024
_NAMES = {"1": "sencha.txt", "2": "assam.txt", "3": "keemun.txt", **{name: name for name in LEAFLETS}}


def lay_out(folder: Path) -> None:
    """Write the shop's files."""
    for name, text in LEAFLETS.items():
        (folder / name).write_text(text, encoding="utf-8")


def leaflets(store: Store, call: Call) -> Reply:
    """FLAW, ptrav: joins the name to the folder; steps up leave it, and an absolute path is another file altogether."""
    path = os.path.normpath(os.path.join(store.folder, call.query.get("file", "")))  # noqa: PTH118 - pathlib would do the same, less plainly
    inside = path.startswith(os.path.join(store.folder, ""))  # noqa: PTH118 - as above
    return _file(Path(path)) if inside or path in _BEHIND_THE_FENCE else _missing()


def brochures(store: Store, call: Call) -> Reply:
    """Twin of `leaflets`: normalises first, and refuses what is not in its folder."""
    try:
        path = (store.folder / call.query.get("file", "")).resolve()
    except ValueError:  # a null byte
        return _missing()
    if not path.is_relative_to(store.folder.resolve()):
        return Reply(
            HTTPStatus.BAD_REQUEST, {"error": "This is none of our brochures: /etc/passwd and the like stay shut."}
        )
    return _file(path)


def manuals(store: Store, call: Call) -> Reply:
    """Twin of `leaflets`: the same names, looked up in a table; nothing that is sent becomes part of a path."""
    name = _NAMES.get(call.query.get("file", ""))
    return _missing() if name is None else _file(store.folder / name)


def _file(path: Path) -> Reply:
    try:
        if not path.is_file():
            return _missing()
        with path.open("rb") as file:
            text = file.read(_MOST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return _missing()
    return Reply(HTTPStatus.OK, text, {"X-Content-Type-Options": "nosniff"}, TEXT)


def _missing() -> Reply:
    return Reply(HTTPStatus.NOT_FOUND, {"error": "There is no such leaflet."})
