"""A folder of files on disk, left by a name or not."""

import atexit
import base64
import html
import os
import posixpath
import re
import shutil
import tempfile
from pathlib import Path

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, miss, page, text, twin

FOLDER = Path(tempfile.gettempdir())
LEAFLETS = {"tea.txt": "Tea is best fresh.", "cup.txt": "Cups break."}
WAYS = (QUERY, FORM, JSON)


def read(path: str) -> Response:
    if path in LEAFLETS or path.removeprefix("./") in LEAFLETS:
        return text(LEAFLETS[path.removeprefix("./")])
    try:
        return text((FOLDER / path).read_text("utf-8", "replace")[:2000])
    except (OSError, ValueError):
        return text("no such file", 404)


@flaw("ptrav", value="tea.txt", name="file", ways=WAYS)
def joined(given: Given) -> Response:
    return read(str(given.values["file"]))


def line_of(path: str) -> Response:
    """The first line of a file; of one that is not there an empty one."""
    found = read(path)
    return answer({"ok": True, "line": found.body.decode().partition("\n")[0] if found.status == 200 else ""})


@flaw("ptrav", value="tea.txt", name="file", ways=(JSON,))
def first_line_alone(given: Given) -> Response:
    return line_of(str(given.values["file"]))


@twin("ptrav", value="tea.txt", name="file", ways=(JSON,))
def first_line_by_last_name(given: Given) -> Response:
    return line_of(posixpath.basename(str(given.values["file"])))


def packed(content: bytes) -> Response:
    return answer({"name": "leaflet", "content": base64.b64encode(content).decode()})


@flaw("ptrav", value="tea.txt", name="file", ways=(QUERY, JSON))
def packed_into_a_document(given: Given) -> Response:
    found = read(str(given.values["file"]))
    return packed(found.body) if found.status == 200 else answer({"error": "no such leaflet"}, 404)


@twin("ptrav", value="tea.txt", name="file", ways=(QUERY, JSON))
def packed_by_last_name(given: Given) -> Response:
    found = LEAFLETS.get(str(given.values["file"]).rpartition("/")[2])
    return packed(found.encode()) if found else answer({"error": "no such leaflet"}, 404)


@twin("ptrav", value="tea.txt", name="file", ways=(QUERY, JSON))
def packed_name(given: Given) -> Response:
    """A receipt for what was asked for: its very words, and the accounts of a manual's example."""
    return packed(f"Asked for: {given.values['file']}. An example: root:x:0:0:root:/root:/bin/sh".encode())


def listing(path: Path) -> Response:
    return page("<br>".join(sorted(each.name for each in path.iterdir())) if path.is_dir() else "no such folder")


SHELF = Path(tempfile.mkdtemp(prefix="range-shelf-"))
atexit.register(shutil.rmtree, SHELF, ignore_errors=True)
(SHELF / "green").mkdir()
(SHELF / "green" / "en.json").write_text('{"tea": "Tea"}', "utf-8")
(SHELF / "package.json").write_text('{"name": "shelf", "version": "1.0.2", "scripts": {"start": "node ."}}', "utf-8")


def labels(path: Path) -> Response:
    return text(path.read_text("utf-8")) if path.is_file() else text("no such language", 404)


@flaw("ptrav", value="en", name="lang", ways=(QUERY,))
def extension_added_to_labels(given: Given) -> Response:
    return labels(SHELF / "green" / f"{given.values['lang']}.json")


@twin("ptrav", value="en", name="lang", ways=(QUERY,))
def labels_resolved(given: Given) -> Response:
    path = (SHELF / "green" / f"{given.values['lang']}.json").resolve()
    return labels(path) if path.is_relative_to((SHELF / "green").resolve()) else text("no such language", 404)


@twin("ptrav", value="en", name="lang", ways=(QUERY,))
def labels_by_last_name(given: Given) -> Response:
    return labels(SHELF / "green" / f"{str(given.values['lang']).rpartition('/')[2]}.json")


@twin("ptrav", value="green/en.json", name="file", ways=(QUERY,))
def shelf_shown_as_it_is(given: Given) -> Response:
    """Shows all of the shelf, its manifest too, and nothing above it."""
    return labels(SHELF / os.path.normpath("/" + str(given.values["file"]).replace("\0", "")).lstrip("/"))


@flaw("ptrav", value="green", name="dir", ways=(QUERY,))
def folder_listed(given: Given) -> Response:
    return listing(SHELF / str(given.values["dir"]))


@flaw("ptrav", value="green", ways=(QUERY,))
def folder_listed_under_any_name(given: Given) -> Response:
    """Neither the parameter nor the value says that it is one."""
    return listing(SHELF / given.q)


@twin("ptrav", value="green", ways=(QUERY,))
def folder_listed_within_under_any_name(given: Given) -> Response:
    path = (SHELF / given.q.replace("\0", "")).resolve()
    return listing(path) if path.is_relative_to(SHELF.resolve()) else page("no such folder")


@twin("ptrav", value="green", name="dir", ways=(QUERY,))
def folder_listed_within(given: Given) -> Response:
    path = (SHELF / str(given.values["dir"])).resolve()
    return listing(path) if path.is_relative_to(SHELF.resolve()) else page("no such folder")


@twin("ptrav", value="green", name="dir", ways=(QUERY,))
def folder_of_a_list(given: Given) -> Response:
    known = {"green": "sencha<br>matcha"}
    return page(
        known.get(str(given.values["dir"]), "no folders of ours: cmdline, environ, mountinfo, oom_score_adj, statm")
    )


@flaw("ptrav", value="tea.txt", ways=WAYS)
def taken_out_once(given: Given) -> Response:
    return read(given.q.replace("../", "").lstrip("/"))


@flaw("ptrav", value="tea", name="page", ways=(QUERY, FORM))
def extension_added(given: Given) -> Response:
    """What is behind a null byte is cut off, as by C."""
    return read((str(given.values["page"]) + ".txt").partition("\0")[0])


@flaw("ptrav", value="tea.txt", name="file", ways=(QUERY, JSON))
def absolute_only(given: Given) -> Response:
    return read(str(given.values["file"]).replace("..", ""))


@flaw("ptrav", value="leaflets/tea.txt", name="file", ways=(QUERY, JSON))
def must_begin_with_folder(given: Given) -> Response:
    path = str(given.values["file"])
    if not path.startswith("leaflets/"):
        return text("not allowed", 400)
    return read(path.removeprefix("leaflets/"))


@flaw("ptrav", value="tea.txt", name="file", ways=(QUERY,))
def decoded_once_more(given: Given) -> Response:
    from urllib.parse import unquote

    path = str(given.values["file"])
    return text("not allowed", 400) if "../" in path or path.startswith("/") else read(unquote(path))


@flaw("ptrav", value="tea.txt", name="file", ways=(QUERY,))
def decoded_behind_a_search_for_dots(given: Given) -> Response:
    from urllib.parse import unquote

    path = str(given.values["file"])
    return text("not allowed", 400) if ".." in path or path.startswith("/") else read(unquote(path))


@twin("ptrav", value="tea.txt", name="file", ways=(QUERY,))
def decoded_before_a_search_for_dots(given: Given) -> Response:
    from urllib.parse import unquote

    path = unquote(unquote(str(given.values["file"])))
    return text("not allowed", 400) if ".." in path or path.startswith("/") else read(path)


@flaw("ptrav", value="tea.txt", name="file", ways=(QUERY,))
def backslashes_too(given: Given) -> Response:
    path = str(given.values["file"])
    return text("not allowed", 400) if "../" in path or path.startswith("/") else read(path.replace("\\", "/"))


@flaw("ptrav", value="Leaflet", ways=(FORM,))
def told_of(given: Given) -> Response:
    """Shows nothing but whether the file is there."""
    path = FOLDER / given.q.replace("\0", "")
    there = " And it is there already." if path.exists() else " But it is not there yet."
    return page(f"Access to {html.escape(path.name)} is prepared.{there}")


def beside_its_address(given: Given, told: str) -> Response:
    return page(f"<p>{told}</p><p>You asked for {html.escape((given.request.query or b'').decode('latin-1'))}</p>")


@flaw("ptrav", value="Leaflet", ways=(QUERY,))
def told_of_beside_its_address(given: Given) -> Response:
    """Shows its own address as it was written."""
    there = (FOLDER / given.q.replace("\0", "")).exists()
    return beside_its_address(given, "It is there already." if there else "It is not there yet.")


@flaw("ptrav", value="Leaflet", ways=(QUERY, FORM))
def told_of_by_a_number(given: Given) -> Response:
    return answer({"there": int((FOLDER / given.q.replace("\0", "")).exists())})


@twin("ptrav", value="Leaflet", ways=(QUERY, FORM))
def told_of_inside_by_a_number(given: Given) -> Response:
    path = (FOLDER / given.q.replace("\0", "")).resolve()
    return answer({"there": int(path.is_relative_to(FOLDER.resolve()) and path.exists())})


@twin("ptrav", value="Leaflet", ways=(QUERY, FORM))
def counted_by_a_number(given: Given) -> Response:
    """Whether there are as many steps as there may be."""
    return answer({"fine": int(given.q.count("/") % 3 == 0)})


@twin("ptrav", value="Leaflet", ways=(QUERY,))
def told_of_inside_beside_its_address(given: Given) -> Response:
    """Tells of its own folder alone."""
    path = (FOLDER / given.q.replace("\0", "")).resolve()
    there = path.is_relative_to(FOLDER.resolve()) and path.exists()
    return beside_its_address(given, "It is there already." if there else "It is not there yet.")


def ready_to_write(path: Path) -> Response:
    """As a process that runs as nobody in particular opens files to write: those of a folder of its own, and what the kernel
    lets it write of itself.
    """
    place = Path(os.path.normpath(path))
    opened = place.parent == FOLDER or str(place) in ("/proc/self/uid_map", "/proc/self/gid_map")
    return page(f"{html.escape(path.name)} is {'open: go on' if opened else 'not to be opened'}.")


@flaw("ptrav", value="plan.txt", ways=WAYS)
def opened_to_write(given: Given) -> Response:
    return ready_to_write(FOLDER / given.q.replace("\0", ""))


@twin("ptrav", value="plan.txt", ways=WAYS)
def opened_to_write_by_its_last_name(given: Given) -> Response:
    return ready_to_write(FOLDER / posixpath.basename(given.q.replace("\0", "")))


@twin("ptrav", value="plan.txt", ways=WAYS)
def opened_to_write_inside(given: Given) -> Response:
    name = given.q.replace("\0", "")
    return page("Not allowed.") if "/" in name else ready_to_write(FOLDER / name)


def as_php(path: str, *, filters: bool) -> Response:
    """As PHP's include of a name with an extension: code is run, what is no code is shown."""
    found = re.fullmatch(r"php://filter/([\w.|-]+)/resource=(.*)", path) if filters else None
    name = found[2] if found else path
    content = b'<?php $key = "sesame"; echo "About us";' if name == "about.php" else b""
    for _ in found[1].split("|") if found else ():
        content = base64.b64encode(content)
    shown = content.decode() if found else "About us" if content else ""
    return Response(200, ((b"Content-Type", b"text/html"), (b"X-Powered-By", b"PHP/8.2")), f"<p>{shown}</p>".encode())


@flaw("ptrav", value="about", name="page", ways=(QUERY,), replayed=True)
def included_with_an_extension(given: Given) -> Response:
    return as_php(f"{given.values['page']}.php", filters=True)


@twin("ptrav", value="about", name="page", ways=(QUERY,), replayed=True)
def included_by_its_last_name(given: Given) -> Response:
    return as_php(f"{given.values['page']}.php".rpartition("/")[2], filters=True)


@twin("ptrav", value="about", name="page", ways=(QUERY,), replayed=True)
def told_in_base64(given: Given) -> Response:
    """Shows what was asked for in base64, and no file."""
    asked = base64.b64encode(base64.b64encode(str(given.values["page"]).encode())).decode()
    return Response(200, as_php("about.php", filters=False).headers, f"<p>About us</p><i>{asked}</i>".encode())


@twin("ptrav", value="Leaflet", ways=(FORM,))
def told_of_inside(given: Given) -> Response:
    """Resolves the name, and tells that it lies outside, of what is there alone."""
    path = FOLDER / given.q.replace("\0", "")
    if not path.exists():
        return page("But it is not there yet.")
    inside = path.resolve().is_relative_to(FOLDER.resolve())
    return page("And it is there already." if inside else "Outside of the folder.")


@twin("ptrav", value="Leaflet", ways=(FORM,))
def told_of_by_words(given: Given) -> Response:
    """Looks names up in a list, and is wary of what it has heard of."""
    known = given.q in LEAFLETS or re.search(r"(?:^|(?<=\.\./))(?:etc/passwd|proc/self)", given.q)
    return page("And it is there already." if known else "But it is not there yet.")


@twin("ptrav", value="tea.txt", name="file", ways=WAYS)
def resolved(given: Given) -> Response:
    path = (FOLDER / str(given.values["file"]).replace("\0", "")).resolve()
    inside = path.is_relative_to(FOLDER.resolve())
    return read(path.name) if inside and path.parent == FOLDER.resolve() else text("no such file", 404)


@twin("ptrav", value="tea.txt", name="file", ways=WAYS)
def last_part_only(given: Given) -> Response:
    name = str(given.values["file"]).replace("\\", "/").rpartition("/")[2]
    return text(LEAFLETS.get(name, "no such file"), 200 if name in LEAFLETS else 404)


@twin("ptrav", value="tea.txt", name="file", ways=WAYS)
def name_echoed(given: Given) -> Response:
    return answer({"error": f"{given.values['file']} was not found"})


@twin("ptrav", value="tea.txt", name="file", ways=(QUERY,))
def page_about_accounts(given: Given) -> Response:
    return text("Each line is as root:x:0:0:root:/root:/bin/bash, with seven fields.")


@twin("ptrav", value="tea.txt", name="file", ways=(QUERY,))
def example_for_anything(given: Given) -> Response:
    if given.values["file"] == "tea.txt":
        return text("Tea is best fresh.")
    return text("Try a file of lines such as root:x:0:0:root:/root:/bin/bash")


@miss("ptrav", value="tea.txt", name="file", ways=(QUERY,))
def read_and_kept(given: Given) -> Response:
    read(str(given.values["file"]))
    return text("printed")


def as_php_with_warnings(name: str, folder: str = "pages") -> Response:
    """As PHP's include where errors are shown; nothing lies outside that has the extension."""
    path = f"{folder}/{name}.php"
    if posixpath.normpath(path) == "pages/about.php":
        return as_php("about.php", filters=False)
    # PHP escapes what its own warnings tell in pages.
    shown = html.escape(path)
    words = f"<b>Warning</b>:  include({shown}): Failed to open stream: No such file or directory in <b>index.php</b>"
    return Response(200, as_php("", filters=False).headers, words.encode())


@flaw("ptrav", value="about", name="page", ways=(QUERY,))
def included_with_warnings(given: Given) -> Response:
    return as_php_with_warnings(str(given.values["page"]))


@twin("ptrav", value="about", name="page", ways=(QUERY,))
def included_with_warnings_by_its_last_name(given: Given) -> Response:
    return as_php_with_warnings(str(given.values["page"]).rpartition("/")[2])


@twin("ptrav", value="about", name="page", ways=(QUERY,))
def included_with_warnings_within_the_folder(given: Given) -> Response:
    """Steps up end at the folder."""
    return as_php_with_warnings(posixpath.normpath("/" + str(given.values["page"])).lstrip("/"))


def saved(name: str, *, within: bool) -> Response:
    """As Python tells of what it opens to write, where it does not run as the superuser. within: steps up end at the folder."""
    path = posixpath.normpath(f"{'' if within else '/srv/notes'}/{name}")
    path = f"/srv/notes{path}" if within else path
    if path.startswith("/proc/self/"):
        return answer({"error": f"[Errno 13] Permission denied: '{path}'"}, 500)
    if posixpath.dirname(path) != "/srv/notes":
        return answer({"error": f"[Errno 2] No such file or directory: '{path}'"}, 500)
    return answer({"saved": True})


@flaw("ptrav", value="tea.txt", name="file", ways=(JSON,), replayed=True)
def saved_by_its_name(given: Given) -> Response:
    return saved(str(given.values["file"]), within=False)


@twin("ptrav", value="tea.txt", name="file", ways=(JSON,), replayed=True)
def saved_within_the_folder(given: Given) -> Response:
    return saved(str(given.values["file"]), within=True)
