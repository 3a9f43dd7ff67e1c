"""Labels over real HTTP: a shell reads the text of one operation, no shell reads its twins', and the fence holds."""

import time

import httpx
import pytest

from gatecrash.demo.target.commands import is_harmless

COMPUTED = str(21_926 * 24_629)


def test_every_operation_shows_its_text(ada: httpx.Client) -> None:
    answers = [ada.get(f"/paper/{path}", params={"text": "Sencha"}).text for path in ("labels", "stickers", "tags")]
    assert answers == ["Label: Sencha\n", "Sticker: Sencha\n", "Tag: Sencha\n"]


@pytest.mark.parametrize(
    "way", ["a;echo x{}y", "a|echo x{}y", "a&&echo x{}y", "a$(echo${{IFS}}x{}y)", "a`echo x{}y`", "a\necho x{}y\n"]
)
def test_a_shell_computes_what_it_is_sent(ada: httpx.Client, way: str) -> None:
    payload = way.format("$((21926*24629))")
    assert f"x{COMPUTED}y" in ada.get("/paper/labels", params={"text": payload}).text
    for twin in ("stickers", "tags"):
        answer = ada.get(f"/paper/{twin}", params={"text": payload})
        assert answer.status_code == 200
        assert COMPUTED not in answer.text
        assert payload.strip() in answer.text, "it comes back as it was sent"


def test_a_waiting_command_holds_nobody_else_up(ada: httpx.Client) -> None:
    started = time.monotonic()
    ada.get("/paper/labels", params={"text": "a;sleep 1"})
    waited = time.monotonic() - started
    assert waited >= 1
    with pytest.raises(httpx.ReadTimeout):
        ada.get("/paper/labels", params={"text": "a;sleep 6"}, timeout=httpx.Timeout(60, read=0.2))
    began = time.monotonic()
    assert ada.get("/health").status_code == 200
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "text",
    [
        "a;rm x",
        "a;/bin/rm x",
        "a;r''m x",
        "a;'rm' x",
        'a;"rm" x',
        "a;echo x>y",
        "a;X=rm;$X x",
        "a;eval rm x",
        "a;exec rm x",
        "a;cd ..",
        "a$(rm x)",
        "a`rm x`",
        "a|rm x",
        "a\nrm x",
        "a&rm x",
        "a;r\\m x",
        "a;{ rm x; }",
        "a;! rm x",
        "a;if rm x",
        "a;echo ~",
        "a;$IFS rm x",
        "a;$(echo rm) x",
        "a;echo #\nrm x",
        "a'#';rm x",
        'a"#";rm x',
        "a;${IFS}rm x",
        "a;`echo rm x`",
        'a;""`echo rm x`',
        "a;$(echo rm x)",
        "a;echo() rm x",
        "a;date -s 2000",
        "a;echo$(rm x)",
        "a" * 600,
    ],
)
def test_the_fence_runs_nothing_else(ada: httpx.Client, text: str) -> None:
    assert not is_harmless(f"echo {text}")
    assert ada.get("/paper/labels", params={"text": text}).status_code == 400


def test_nobody_prints_without_a_token(visitor: httpx.Client) -> None:
    assert visitor.get("/paper/labels", params={"text": "a;id"}).status_code == 401
