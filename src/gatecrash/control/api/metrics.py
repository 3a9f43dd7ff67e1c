"""Numbers for Prometheus in its text format 0.0.4: of this process, without secrets and without tenants' names."""

import shutil
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable

from django.conf import settings

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Labels = tuple[tuple[str, str], ...]


class Counter:
    """A number that only grows, by labels."""

    def __init__(self, name: str, text: str) -> None:
        """Take the metric's name and what it counts."""
        self.name, self.text = name, text
        self._values: dict[Labels, float] = defaultdict(float)
        self._lock = threading.Lock()

    def add(self, amount: float = 1, **labels: str) -> None:
        """Count."""
        key = tuple(sorted(labels.items()))
        with self._lock:
            self._values[key] += amount

    def value(self, **labels: str) -> float:
        """The count so far."""
        return self._values.get(tuple(sorted(labels.items())), 0)

    def lines(self) -> Iterable[str]:
        """The metric in Prometheus' text format."""
        yield from _head(self.name, self.text, "counter")
        with self._lock:
            values = sorted(self._values.items())
        for labels, value in values or [((), 0.0)]:
            yield f"{self.name}{_labels(labels)} {value:g}"


class Histogram:
    """Durations in seconds, in fixed buckets."""

    def __init__(self, name: str, text: str) -> None:
        """Take the metric's name and what it times."""
        self.name, self.text = name, text
        self._counts = [0] * (len(BUCKETS) + 1)
        self._sum = 0.0
        self._lock = threading.Lock()

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        index = next((place for place, bound in enumerate(BUCKETS) if seconds <= bound), len(BUCKETS))
        with self._lock:
            self._counts[index] += 1
            self._sum += seconds

    def lines(self) -> Iterable[str]:
        """The metric in Prometheus' text format, its buckets cumulative."""
        yield from _head(self.name, self.text, "histogram")
        with self._lock:
            counts, total = list(self._counts), self._sum
        running = 0
        for bound, count in zip((*map(str, BUCKETS), "+Inf"), counts, strict=True):
            running += count
            yield f'{self.name}_bucket{{le="{bound}"}} {running}'
        yield f"{self.name}_sum {total:.6f}"
        yield f"{self.name}_count {running}"


class Gauge:
    """A number that goes up and down, looked at when it is asked for."""

    def __init__(self, name: str, text: str, look: Callable[[], float]) -> None:
        """Take the metric's name, what it measures, and how it is looked at; what cannot be looked at has no line."""
        self.name, self.text, self._look = name, text, look

    def lines(self) -> Iterable[str]:
        """The metric in Prometheus' text format."""
        try:
            value = self._look()
        except OSError:
            return
        yield from _head(self.name, self.text, "gauge")
        yield f"{self.name} {value:.0f}"


REQUESTS = Counter("gatecrash_api_requests_total", "Answered API requests by method and status.")
SECONDS = Histogram("gatecrash_api_request_seconds", "Time to answer an API request.")
JOBS = Counter("gatecrash_jobs_total", "Finished background jobs by name and outcome.")
COUNT_ROWS = Counter("gatecrash_count_rows_total", "Rows of traffic counts by outcome: added, late.")
DISK_FREE = Gauge(
    "gatecrash_disk_free_bytes",
    "Room on the disk of the data directory: nothing is recorded once there is none.",
    lambda: shutil.disk_usage(settings.DATA_DIR).free,
)
_REGISTRY: tuple[Counter | Gauge | Histogram, ...] = (REQUESTS, SECONDS, JOBS, COUNT_ROWS, DISK_FREE)


def render() -> str:
    """The whole page."""
    return "\n".join(line for metric in _REGISTRY for line in metric.lines()) + "\n"


def _head(name: str, text: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {text}", f"# TYPE {name} {kind}"


def _labels(labels: Labels) -> str:
    inner = ",".join(f'{name}="{value}"' for name, value in labels)
    return f"{{{inner}}}" if inner else ""
