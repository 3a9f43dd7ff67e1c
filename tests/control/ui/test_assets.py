"""Scripts and styles: a digest in each address, kept by browsers for ever, and nothing else is served."""

import hashlib
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from gatecrash.control.ui import assets


@pytest.mark.parametrize("name", assets.SERVED)
def test_an_asset_is_served_by_ourselves_and_may_be_kept(name: str) -> None:
    address = assets.address(name)
    answer = Client().get(address)
    content = b"".join(answer.streaming_content)
    assert answer.status_code == 200
    assert address.endswith(f"?v={hashlib.sha256(content).hexdigest()[:12]}")
    assert f"max-age={assets.ONE_YEAR}" in answer["Cache-Control"]


@pytest.mark.parametrize("name", assets.SERVED)
def test_no_asset_asks_another_host(name: str) -> None:
    text = Path(str(finders.find(name))).read_text("utf-8")
    loads = re.findall(r"""(?:@import|url\(|src=|import\s*\()\s*["']?(https?:)?//""", text)
    assert loads == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["admin/css/base.css", "gatecrash/nothing.css", "../settings.py", "gatecrash/"])
def test_nothing_else_is_served(name: str) -> None:
    answer = Client().get(f"/static/{name}")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")
