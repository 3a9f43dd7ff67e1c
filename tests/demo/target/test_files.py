"""The shop's leaflets over real HTTP: one operation leaves its folder, its twins do not, and the fence holds."""

import tempfile
from pathlib import Path

import httpx
import pytest

UP = "../" * 12


def test_every_operation_shows_a_leaflet_of_the_shop(ada: httpx.Client) -> None:
    answers = [
        ada.get(f"/paper/{path}", params={"file": "sencha.txt"}) for path in ("leaflets", "brochures", "manuals")
    ]
    assert {answer.text.partition(":")[0] for answer in answers} == {"Sencha"}
    assert {answer.headers["Content-Type"] for answer in answers} == {"text/plain; charset=utf-8"}


@pytest.mark.parametrize("name", [f"{UP}etc/passwd", "/etc/passwd", f"./{UP}etc/./passwd"])
def test_a_joined_name_leaves_the_folder(ada: httpx.Client, name: str) -> None:
    assert ada.get("/paper/leaflets", params={"file": name}).text == Path("/etc/passwd").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ["brochures", "manuals"])
@pytest.mark.parametrize(
    "name", [f"{UP}etc/passwd", "/etc/passwd", "....//" * 12 + "etc/passwd", "sencha.txt\0", ".", ""]
)
def test_a_twin_shows_nothing_else(ada: httpx.Client, path: str, name: str) -> None:
    answer = ada.get(f"/paper/{path}", params={"file": name})
    assert answer.status_code in {400, 404}
    assert "root:" not in answer.text


def test_the_fence_keeps_other_files_of_the_machine_shut(ada: httpx.Client) -> None:
    with tempfile.NamedTemporaryFile("w", prefix="not-the-shops-") as file:
        file.write("secret")
        file.flush()
        for name in (file.name, f"{UP}{file.name.removeprefix('/')}", "/proc/self/environ", "/etc", "/dev/zero"):
            assert ada.get("/paper/leaflets", params={"file": name}).status_code == 404


def test_nobody_reads_without_a_token(visitor: httpx.Client) -> None:
    assert visitor.get("/paper/leaflets", params={"file": "/etc/passwd"}).status_code == 401
