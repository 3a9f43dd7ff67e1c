"""Log lines are JSON, and an exception's text is never in them."""

import json
import logging
import sys

from gatecrash.node.journal import JsonLines


def test_a_line_holds_what_was_named() -> None:
    record = logging.makeLogRecord({"msg": "welcome", "levelname": "INFO", "created": 0.0, "node": "node_1"})
    line = json.loads(JsonLines().format(record))
    assert line == {"time": "1970-01-01T00:00:00Z", "level": "info", "what": "welcome", "node": "node_1"}


def test_an_exception_is_named_by_type_and_place_only() -> None:
    try:
        int("Bearer secret")
    except ValueError:
        record = logging.makeLogRecord({"msg": "broke", "levelname": "ERROR", "exc_info": sys.exc_info()})
    text = JsonLines().format(record)
    assert "secret" not in text
    assert json.loads(text)["error"] == "ValueError"
    assert "test_journal.py:" in json.loads(text)["where"]
