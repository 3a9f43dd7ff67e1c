import re

from gatecrash.control.api.metrics import Counter, Gauge, Histogram, render


def test_a_counter_adds_by_labels() -> None:
    counter = Counter("c_total", "Text.")
    counter.add(b="2", a="1")
    counter.add(2, a="1", b="2")
    assert counter.value(a="1", b="2") == 3
    assert list(counter.lines()) == ["# HELP c_total Text.", "# TYPE c_total counter", 'c_total{a="1",b="2"} 3']


def test_a_histograms_buckets_are_cumulative() -> None:
    histogram = Histogram("h_seconds", "Text.")
    for seconds in (0.001, 0.03, 99):
        histogram.observe(seconds)
    lines = list(histogram.lines())
    assert 'h_seconds_bucket{le="0.005"} 1' in lines
    assert 'h_seconds_bucket{le="0.05"} 2' in lines
    assert 'h_seconds_bucket{le="+Inf"} 3' in lines
    assert "h_seconds_count 3" in lines


def test_every_line_is_in_the_text_format() -> None:
    line = re.compile(r'# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [0-9.e+-]+')
    assert all(line.fullmatch(one) for one in render().splitlines())


def test_a_gauge_is_looked_at_when_it_is_asked_for() -> None:
    values = iter([1e12, 7.0])
    gauge = Gauge("g_bytes", "Text.", lambda: next(values))
    assert [list(gauge.lines())[-1] for _ in range(2)] == ["g_bytes 1000000000000", "g_bytes 7"]


def test_what_cannot_be_looked_at_has_no_line() -> None:
    def gone() -> float:
        raise FileNotFoundError

    assert not list(Gauge("g_bytes", "Text.", gone).lines())


def test_room_on_the_disk_is_among_the_numbers() -> None:
    [line] = [one for one in render().splitlines() if one.startswith("gatecrash_disk_free_bytes ")]
    assert int(line.split()[1]) > 0
