"""The node's log: one JSON object a line on standard error, with what the caller named and nothing else.

Nothing that was observed or sent is ever passed to it: no header, no body, no token.
"""

import json
import logging
import sys
import time
import traceback

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """Formats a record with its extra fields. Exceptions are named by type and place; their text could quote a secret."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            trace = record.exc_info[2]
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            if trace is not None:
                line["where"] = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        return json.dumps(line, default=str, ensure_ascii=False)


def place_of(error: BaseException) -> dict[str, object]:
    """Extra fields that name an exception by its type and the places it came through, never by its text."""
    frames = traceback.extract_tb(error.__traceback__)
    where = [f"{frame.filename.rpartition('gatecrash/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "where": where}


def set_up() -> None:
    """Sends all logs to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
