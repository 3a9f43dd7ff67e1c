"""Well-known files are known by their content, however it is written; names and descriptions are none."""

import base64
import html
import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.files.files import missing_beside, says_missing, shapes_asked_for, shapes_in

PASSWD = "root:x:0:0:root:/root:/bin/bash\nbin:x:1:1:bin:/bin:/sbin/nologin\n"
STATUS = "Name:\tpython3\nUmask:\t0022\nState:\tR (running)\n"
WIN_INI = "; for 16-bit app support\r\n[fonts]\r\n"


@pytest.mark.parametrize("written", [str, html.escape, json.dumps, lambda text: "<pre>" + text.replace("\n", "<br>")])
def test_passwd_is_known_however_it_is_written(written):
    assert shapes_in(Response(200, body=written(PASSWD).encode())) == {"/etc/passwd"}


@pytest.mark.parametrize(
    "written",
    [
        str,
        json.dumps,
        lambda text: "<pre>" + text.replace("\n", "<br />\n"),
        lambda text: "".join(f"<li class='line'>{line}</li>" for line in text.splitlines()),
        lambda text: json.dumps(text.splitlines()),
    ],
)
def test_the_status_of_a_process_is_known_however_its_lines_are_written(written):
    assert shapes_in(Response(200, body=written(STATUS).encode())) == {"/proc/self/status"}


@pytest.mark.parametrize("name", ["node /app/index.", "gunicorn: maste", "(sd-pam)"])
@pytest.mark.parametrize("written", [str, json.dumps, lambda text: json.dumps(text.splitlines())])
def test_so_is_that_of_a_process_whose_name_has_blanks(name, written):
    status = STATUS.replace("python3", name)
    assert shapes_in(Response(200, body=written(status).encode())) == {"/proc/self/status"}


@pytest.mark.parametrize("written", [str, json.dumps, "<p>{}</p>".format, lambda text: json.dumps({"line": text})])
def test_so_is_its_first_line_alone(written):
    shown = Response(200, body=written("Name:\tjava").encode())
    assert shapes_asked_for("/proc/self/status", shown, alone=True) == {"/proc/self/status"}
    assert shapes_asked_for("/proc/self/status", shown) == shapes_asked_for("/etc/passwd", shown, alone=True) == set()


@pytest.mark.parametrize("text", ["File Name:\tstatus", "Name:\t../proc/self/status is missing", "Name: java"])
def test_another_line_with_its_word_is_not(text):
    assert shapes_asked_for("/proc/self/status", Response(200, body=text.encode()), alone=True) == set()


@pytest.mark.parametrize("text", ["Name: tea Umask: 0022", "Name: a, State: R (running), Umask: 0022"])
def test_words_of_a_status_are_none(text):
    assert shapes_in(Response(200, body=text.encode())) == frozenset()


@pytest.mark.parametrize("pack", [base64.b64encode, base64.encodebytes])
@pytest.mark.parametrize("written", [str, json.dumps, lambda text: f'<img src="data:image/png;base64,{text}">'])
@pytest.mark.parametrize(
    ("content", "name"), [(PASSWD, "/etc/passwd"), (STATUS, "/proc/self/status"), (WIN_INI * 2, "win.ini")]
)
def test_files_in_base64_are_known_too(pack, written, content, name):
    packed = pack(content.encode() + b"more of it\n" * 9).decode()
    assert shapes_in(Response(200, body=written(packed).encode())) == {name}


@pytest.mark.parametrize("written", [str, json.dumps])
def test_other_files(written):
    assert shapes_in(Response(200, body=written(WIN_INI).encode())) == {"win.ini"}


@pytest.mark.parametrize(
    "written", ["\n".join, json.dumps, lambda names: "".join(f"<a href='x/{n}'>{n}</a>" for n in names)]
)
def test_the_folder_of_a_process_is_known_by_its_names_in_any_order(written):
    names = ["statm", "cmdline", "maps", "environ", "oom_score_adj", "mountinfo", "fd"]
    assert shapes_in(Response(200, body=written(names).encode())) == {"/proc/self"}
    assert shapes_in(Response(200, body=written(names[1:]).encode())) == set()


@pytest.mark.parametrize(
    "text",
    ["../../etc/passwd", "root:0:0", "root:x:0:0", "chroot:x:0:0:a:/b:", "win.ini", "16-bit apps", "root: x:0:0:a:b:c"],
)
def test_names_and_pieces_are_no_content(text):
    assert shapes_in(Response(200, body=text.encode())) == frozenset()


def test_another_file_than_the_one_that_was_asked_for_is_not_its_content():
    shown = Response(200, body=(PASSWD + WIN_INI).encode())
    assert shapes_asked_for("/etc/passwd", shown) == {"/etc/passwd"}
    assert shapes_asked_for("/c:/windows/win.ini", shown) == {"win.ini"}
    assert shapes_asked_for("/proc/self/status", shown) == set()


def test_a_missing_file_has_the_words_of_the_one_that_is_there():
    assert missing_beside("/etc/passwd", "bcd") == "/etc/bcd/passwd"


def test_a_long_script_is_read_from_its_beginning_only():
    """Looked for from each of its letters, the names of a folder would take hours; the suite would not end."""
    script = ":root:not(.a){margin:0}" + "var a=b.c;" * 45_000
    assert shapes_in(Response(200, body=script.encode())) == frozenset()
    listing = "oom_score_adj mountinfo cmdline environ statm"
    assert shapes_in(Response(200, body=(script + listing).encode())) == {"/proc/self"}


@pytest.mark.parametrize(
    ("text", "file", "is_said"),
    [
        ("failed to load external entity /a/b", "/a/b", True),
        ("failed to load external entity /a/b", "/a/c", False),
        ("/a/b" + " " * 300 + "no such file", "/a/b", False),
        ("no such file", "", True),
        ("all is well with /a/b", "/a/b", False),
    ],
)
def test_a_complaint_stands_near_the_file_that_it_is_about(text, file, is_said):
    assert says_missing(text, file) is is_said
