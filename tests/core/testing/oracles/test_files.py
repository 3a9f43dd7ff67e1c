"""Well-known files are known by their content, however it is written; names and descriptions are none."""

import html
import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.files import shapes_in

PASSWD = "root:x:0:0:root:/root:/bin/bash\nbin:x:1:1:bin:/bin:/sbin/nologin\n"
STATUS = "Name:\tpython3\nUmask:\t0022\nState:\tR (running)\n"
WIN_INI = "; for 16-bit app support\r\n[fonts]\r\n"


@pytest.mark.parametrize("written", [str, html.escape, json.dumps, lambda text: "<pre>" + text.replace("\n", "<br>")])
def test_passwd_is_known_however_it_is_written(written):
    assert shapes_in(Response(200, body=written(PASSWD).encode())) == {"/etc/passwd"}


@pytest.mark.parametrize("written", [str, json.dumps])
def test_other_files(written):
    assert shapes_in(Response(200, body=written(STATUS).encode())) == {"/proc/self/status"}
    assert shapes_in(Response(200, body=written(WIN_INI).encode())) == {"win.ini"}


@pytest.mark.parametrize(
    "text",
    ["../../etc/passwd", "root:0:0", "root:x:0:0", "chroot:x:0:0:a:/b:", "win.ini", "16-bit apps", "root: x:0:0:a:b:c"],
)
def test_names_and_pieces_are_no_content(text):
    assert shapes_in(Response(200, body=text.encode())) == frozenset()
