"""The page is one that nothing in it can take over, and says the same numbers as the run."""

import re
from html.parser import HTMLParser

import msgspec
from tests.core.reports.reporting import EMPTY, HOSTILE, REPORT, SUPPRESSED, baseline, one_cause

from gatecrash.core.reports.html import MOST_BASELINES, render
from gatecrash.core.reports.report import Report


class Tags(HTMLParser):
    """The elements of a page, as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def page(report: Report = REPORT) -> str:
    return render(report).decode("utf-8")


def test_what_targets_wrote_is_text_only() -> None:
    tags = Tags(page())
    names = {tag for tag, _ in tags.found}
    assert not names & {"script", "img", "iframe", "object", "link", "base", "form"}
    assert not [name for _, attributes in tags.found for name in attributes if name.startswith("on")]
    assert HOSTILE not in page()
    assert "&lt;script&gt;alert(1)" in page()


def test_it_needs_no_foreign_address() -> None:
    assert not [value for _, attributes in Tags(page()).found for name, value in attributes.items() if name in ("src", "action") or (name == "href" and not str(value).startswith("#"))]  # fmt: skip
    assert "url(" not in page()


def test_only_its_own_style_runs() -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page())
    assert policy is not None
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'", policy[1])


def test_the_numbers_and_the_proof() -> None:
    shown = page()
    for words in ("<b>70</b> Test requests", "<b>2</b> Undecided checks", "S0001", "Vulnerable", "you have an error", "auth failed", "<b>1</b> Passed", "no check of the policy fits"):  # fmt: skip
        assert words in shown
    assert "Not tested: 2 of 5 baseline requests." in shown


def test_a_flaw_found_twice_is_counted_once() -> None:
    twice = msgspec.structs.replace(REPORT, vulnerabilities=[*REPORT.vulnerabilities] * 2)
    assert '<li class="bad"><b>1</b> Vulnerabilities</li>' in render(twice).decode()


def test_nothing_tested_is_said_aloud() -> None:
    assert "Nothing was tested" in page(EMPTY)


def test_a_long_run_names_what_it_leaves_out() -> None:
    many = [baseline(number, "passed") for number in range(MOST_BASELINES + 3)]
    long_run = {**REPORT.run, "baseline_count": len(many)}
    assert "and 3 more" in page(Report(run=long_run, vulnerabilities=[], baselines=many, version="1"))


def test_what_is_suppressed_says_why() -> None:
    assert "suppressed" not in page()
    assert "<dt>Suppressed because</dt><dd>until spring</dd>" in page(SUPPRESSED)


def test_one_cause_at_three_endpoints_is_one_row_that_says_so() -> None:
    told = page(one_cause(3))
    assert "<p>3 findings have 1 cause; each is told once, with where else it was found.</p>" in told
    assert "<code>GET /a and 2 more</code>" in told
    assert len(re.findall("<article", told)) == 1
    assert "findings have" not in page(one_cause(1))


def test_a_command_says_how_to_fill_in_credentials_only_where_some_were_taken_out() -> None:
    assert "valid credential" not in page()
    masked = [{**one, "curl": 'curl -H "X-Key: $TOKEN" http://h/a'} for one in REPORT.vulnerabilities]
    told = Report(run=REPORT.run, vulnerabilities=masked, baselines=REPORT.baselines, version="1")
    assert "valid credential" in page(told)
