"""What waits in a folder is written down as it changes, holds no value, and waits on in the next process."""

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.inventory.tally import EndpointHour
from gatecrash.core.inventory.templates import shape_of
from gatecrash.core.inventory.waiting import HELD, KeptFolder, KeptPath, decode, encode, grown, nameless
from gatecrash.core.message import Exchange, Request, Response

NOW = 1_760_000_000.0
TOKEN = b"Bearer tok-3f9a8b7c6d5e4f3a2b1c"
CHALLENGE = ((b"WWW-Authenticate", b'Digest realm="r", nonce="n"'),)


def seen(path: bytes, status: int | None = 200, *, token: bool = True, **named: object) -> Exchange:
    headers = ((b"Authorization", TOKEN),) if token else ()
    response = None if status is None else Response(status, named.pop("answers", ()))  # type: ignore[arg-type]
    return Exchange(Request("GET", path, headers, host="h"), response, started=NOW, **named)  # type: ignore[arg-type]


class Disk:
    """What a node's spool keeps."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}

    def write(self, folder: KeptFolder) -> int:
        changes = folder.changes()
        for name, paths in changes.items():
            if paths:
                self.rows[name] = encode(paths)
            else:
                self.rows.pop(name, None)
        return len(changes)

    def folder(self) -> KeptFolder:
        folder = KeptFolder(compile_recogniser())
        folder.refill([path for row in self.rows.values() for path in decode(row)])
        return folder


def requests(hours: tuple[EndpointHour, ...]) -> dict[str, int]:
    return {hour.key.path: hour.requests for hour in hours}


def test_counts_that_wait_wait_on_in_the_next_process_and_come_out_once() -> None:
    disk, folder = Disk(), KeptFolder(compile_recogniser())
    folder.add(seen(b"/teas"))
    folder.add(seen(b"/teas", token=False))
    assert folder.take() == ()
    assert disk.write(folder) == 1
    again = disk.folder()
    assert again.take() == ()
    disk.write(again)
    again.add(seen(b"/teas"))
    [hour] = again.take()
    assert (hour.key.path, hour.requests, hour.authenticated) == ("/teas", 3, 2)
    disk.write(again)
    assert disk.rows == {}


def test_what_did_not_change_is_not_written_again_unless_the_writing_failed() -> None:
    disk, folder = Disk(), KeptFolder(compile_recogniser())
    folder.add(seen(b"/teas"))
    folder.add(seen(b"/cups"))
    assert disk.write(folder) == 2
    assert disk.write(folder) == 0
    folder.add(seen(b"/cups"))
    assert disk.write(folder) == 1
    folder.touch()
    disk.rows.clear()
    disk.write(folder)
    assert len(disk.rows) == 2


def test_the_same_comes_out_as_without_a_restart() -> None:
    traffic = [
        *[seen(b"/teas/%d" % number, status) for number, status in enumerate((200, 404, 401, 500, None))],
        seen(b"/nothing", 404),
        *[seen(b"/orders/2026-01-02/a@b.example.json", None, token=False)] * 11,
        *[seen(b"/teas", token=False)] * 3,
        seen(b"/cups"),
    ]
    whole, disk = Folder(compile_recogniser()), Disk()
    for exchange in traffic * 2:
        whole.add(exchange)
    sums: dict[str, int] = {}
    folder = KeptFolder(compile_recogniser())
    for exchange in traffic * 2:
        folder.add(exchange)
        for path, count in requests(folder.take()).items():
            sums[path] = sums.get(path, 0) + count
        disk.write(folder)
        folder = disk.folder()
    missing = {path: count - sums.get(path, 0) for path, count in requests(whole.take()).items()}
    # An endpoint that had appeared waits for its name again, so some of its counts may still wait.
    left = sum(hour.requests for row in disk.rows.values() for path in decode(row) for hour in path.hours)
    assert sum(missing.values()) + whole_left(whole) == left
    assert all(count >= 0 for count in missing.values())


def whole_left(folder: Folder) -> int:
    return sum(tally.requests for waiting in folder._waiting.values() for tally in waiting.hours.values())


def test_what_may_be_a_leg_counts_when_its_process_was_killed() -> None:
    disk, folder = Disk(), KeptFolder(compile_recogniser())
    folder.add(seen(b"/doc", 401, token=False, connection="c", answers=CHALLENGE))
    assert folder.take(ended=False) == ()
    disk.write(folder)
    assert set(disk.rows) == {HELD}
    again = disk.folder()
    for _ in range(3):
        again.add(seen(b"/doc"))
    assert requests(again.take()) == {"/doc": 4}


def test_no_value_is_written() -> None:
    secret = b"sk3f9a8b7c6d5e4f3a2b1c"
    disk, folder = Disk(), KeptFolder(compile_recogniser())
    folder.add(seen(b"/reset/" + secret + b"/mary@shop.example/" + secret + b".json?key=" + secret))
    folder.add(seen(b"/doc/" + secret, 401, token=False, connection="c", answers=CHALLENGE))
    folder.take(ended=False)
    disk.write(folder)
    written = b"".join(disk.rows.values()) + "".join(disk.rows).encode()
    assert b"reset" in written
    assert b"doc" in written
    for value in (secret, b"mary", b"3f9a8b7c"):
        assert value not in written


@pytest.mark.parametrize(
    "path",
    [
        b"/",
        b"",
        b"/a//b/",
        b"/1/2.json",
        b"/x/550e8400-e29b-41d4-a716-446655440000.pdf",
        b"/a%7Bb/\xff",
        b"/7" * 80,
        b"/Orders(%27A%27)/x;a=b/7",
        b"/b%20c/apple-100.pdf",
    ],
)
def test_a_path_without_its_identifiers_has_the_same_shape(path: bytes) -> None:
    assert shape_of(nameless(path).encode()) == shape_of(path)


def test_a_tally_grows_back_from_its_report() -> None:
    folder = Folder(compile_recogniser())
    for status in (200, 401, 500, None) * 3:
        folder.add(seen(b"/a?access_token=abcdefgh1234", status))
        folder.add(seen(b"/a", status, token=False))
    [hour] = folder.take()
    assert hour.without
    assert hour.notes
    assert grown(hour).report(hour.hour, hour.key) == hour
    assert set(EndpointHour.__struct_fields__) == {
        "hour", "key", "requests", "authenticated", "refused", "first_seen", "last_seen", "parameters", "statuses",
        "authenticated_refused", "without", "notes",
    }, "a new field grows back too"  # fmt: skip


def test_what_another_version_wrote_is_told_apart() -> None:
    kept = KeptPath(("GET", "h", "/", "rest", ""), 200, True, True, 0, ())
    assert decode(encode((kept,))) == (kept,)
    with pytest.raises(ValueError, match="Expected"):
        decode(b"\x91\x91\xa1x")
    assert EndpointKey("", "", "", "")


def test_an_operation_that_looks_random_is_not_written_down() -> None:
    """A name that somebody made of a secret stays in memory no longer than its request."""
    secret = "Q4Vhl9ZjjpetTEsFL"
    body = f'{{"query": "query {secret} {{ tea }}"}}'.encode()
    headers = ((b"Content-Type", b"application/json"),)
    request = Request("POST", b"/graphql", headers, body, host="h")
    disk, folder = Disk(), KeptFolder(compile_recogniser())
    for answer in (None, Response(404), Response(200)):
        folder.add(Exchange(request, answer, started=NOW))
        disk.write(folder)
        assert disk.rows or answer is not None
        assert not any(secret[1:].encode() in row for row in disk.rows.values())
    for _ in range(9):
        folder.add(Exchange(request, Response(200), started=NOW))
    assert {hour.key.operation for hour in folder.take()} == {"(other)"}
