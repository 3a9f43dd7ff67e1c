"""A bounded queue, and the thread that sends what is in it: a full queue drops, a collector that is away is waited for.

Whoever puts a note neither waits nor takes a lock. The thread is started with the first note of a process, so that a
server which forks its workers afterwards has one in each.
"""

import atexit
import http.client
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from urllib.parse import urlsplit

from gatecrash.middleware.note import Note, line_of

log = logging.getLogger("gatecrash.middleware")

PATH = "/gatecrash/v1/exchanges"
MAX_WAITING = 10_000
BATCH = 500
BATCH_BYTES = 4 * 1024 * 1024
INTERVAL = 0.5
TIMEOUT = 5.0
LONGEST_PAUSE = 30.0
TELL_SECONDS = 60.0
LAST_SECONDS = 2.0


class Sender:
    """Sends notes to one collector. dropped: notes that found the queue full. refused: those that it would not take."""

    def __init__(self, collector: str, key: str | None = None, max_waiting: int = MAX_WAITING) -> None:
        """collector: its address, such as http://127.0.0.1:8081. key: what it wants in X-Gatecrash-Key.

        An address that is none is told in the log, and nothing is noted: a service must not fail for it.
        """
        self.dropped = 0
        self.refused = 0
        self._most = max_waiting
        self._waiting: deque[Note] = deque()
        self._thread: threading.Thread | None = None
        self._wake = threading.Event()
        self._closing = False
        self._told = -TELL_SECONDS
        self._headers = {"Content-Type": "application/x-ndjson", **({"X-Gatecrash-Key": key} if key else {})}
        self._connect = _connector(collector)
        self._connection: http.client.HTTPConnection | None = None
        os.register_at_fork(after_in_child=self._forked)

    @property
    def usable(self) -> bool:
        """Whether there is a collector to send to."""
        return self._connect is not None

    def put(self, note: Note) -> None:
        """Queues a note, or drops it. Never raises, never waits."""
        if len(self._waiting) >= self._most or self._connect is None:
            self.dropped += 1
            return
        self._waiting.append(note)
        if self._thread is None:
            self._start()
        if len(self._waiting) == BATCH:
            self._wake.set()

    def close(self, seconds: float = LAST_SECONDS) -> None:
        """Sends what waits, for so many seconds at most, and ends the thread."""
        self._closing = True
        self._wake.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(seconds)
        self._thread = None

    def _start(self) -> None:
        try:
            thread = threading.Thread(target=self._run, name="gatecrash-sender", daemon=True)
            self._thread = thread
            self._closing = False
            thread.start()
            atexit.register(self.close)
        except RuntimeError:
            self._thread = None  # the interpreter is ending, or there may be no more threads: another time

    def _forked(self) -> None:
        """In a child: the parent's notes and connection are the parent's."""
        self._thread = None
        self._connection = None
        self._waiting.clear()
        self._wake = threading.Event()

    def _run(self) -> None:
        pause = 0.0
        while True:
            self._wake.wait(max(INTERVAL, pause))
            self._wake.clear()
            while self._waiting:
                batch = self._take()
                if not self._sent(batch):
                    self._put_back(batch)
                    pause = min(max(INTERVAL, pause * 2), LONGEST_PAUSE)
                    break
                pause = 0.0
            if self._closing:
                self._hang_up()
                return

    def _take(self) -> list[Note]:
        return [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]

    def _put_back(self, batch: list[Note]) -> None:
        """To the front again, as far as there is room."""
        room = max(0, self._most - len(self._waiting))
        self.dropped += max(0, len(batch) - room)
        self._waiting.extendleft(reversed(batch[:room]))

    def _sent(self, batch: list[Note]) -> bool:
        """Whether the collector took or refused them; False where it is worth another try."""
        lines: list[bytes] = []
        size = 0
        for note in batch:
            line = _line(note)
            if size + len(line) > BATCH_BYTES:
                if not self._posted(lines):
                    return False
                lines, size = [], 0
            lines.append(line)
            size += len(line)
        return self._posted(lines)

    def _posted(self, lines: list[bytes]) -> bool:
        try:
            status = self._post(b"".join(lines))
        except (OSError, http.client.HTTPException) as error:
            self._hang_up()
            self._tell("the collector cannot be reached: %s", error)
            return False
        if status in (429, 503):
            return False
        if status != 200:
            self.refused += len(lines)
            self._tell("the collector refuses what this service sends: it answered %s", status)
        return True

    def _post(self, body: bytes) -> int:
        """One call; a kept connection that the collector has closed meanwhile is opened anew."""
        assert self._connect is not None
        for attempt in (0, 1):
            if self._connection is None:
                self._connection = self._connect()
            try:
                self._connection.request("POST", PATH, body, self._headers)
                answer = self._connection.getresponse()
                answer.read()
            except (http.client.BadStatusLine, ConnectionError):
                self._hang_up()
                if attempt:
                    raise
            else:
                if answer.will_close:
                    self._hang_up()
                return answer.status
        raise AssertionError

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _tell(self, text: str, what: object) -> None:
        now = time.monotonic()
        if now - self._told >= TELL_SECONDS:
            self._told = now
            log.warning("Gatecrash: " + text + " (%d requests were not reported so far)", what, self.dropped)  # noqa: G003


def _line(note: Note) -> bytes:
    try:
        return line_of(note)
    except (ValueError, TypeError, AttributeError):
        return b""  # a server that breaks ASGI or WSGI; its other requests are still told


def _connector(collector: str) -> "Callable[[], http.client.HTTPConnection] | None":
    try:
        parts = urlsplit(collector)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        log.error(
            "Gatecrash: %r is no collector's address such as http://127.0.0.1:8081; nothing is reported", collector
        )
        return None
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return lambda: kind(host, port, timeout=TIMEOUT)
