import re

from gatecrash.control.api.metrics import Counter, Histogram, render


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
