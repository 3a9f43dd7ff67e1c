"""The probe ptrav, driven by hand against a shelf of real files."""

import posixpath
import re
from urllib.parse import parse_qsl, unquote

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, drive, record, runs
from tests.core.testing.probes.at_range import run_case
from tests.core.testing.probes.shelf import Shelf
from tests.core.testing.probes.told import told

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.repeating import MORE, ROUNDS
from gatecrash.core.testing.oracles.files import own_files
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ptrav import PROBE
from gatecrash.core.testing.probes.ptrav_mount import PROBE as MOUNT
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = [case for case in cases_of("probes") if case.file == "ptrav"]
SAME_PATH = re.compile(r"(?<!\.)\./")


@pytest.fixture
def shelf(tmp_path):
    shelf = Shelf(tmp_path)

    def application(request: Request) -> Response:
        try:
            return shelf(request)
        except (ValueError, AttributeError):
            return Response(404)

    return application


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, seed: int, shelf):
    assert sorted(case.expected) == sorted(told(run) for run in runs(shelf, case.request, (PROBE,), seed=seed))


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_a_sound_point_costs_at_most_fourteen_requests_and_five_for_files_of_the_application(case, shelf):
    names = [file.path for file in vars(own_files).values() if isinstance(file, own_files.OwnFile)]
    assert len(names) == 7
    for run in runs(shelf, case.request, (PROBE,)):
        targets = [unquote(each.request.target.decode("latin-1")) for each in run.sent]
        # Whether the value is read as a path at all, and then the files.
        own = [target for target in targets if SAME_PATH.search(target) or any(name in target for name in names)]
        assert len(targets) - len(own) <= 14
        assert len(own) <= 5


@pytest.mark.parametrize(("value", "cost"), [(b"5", 1), (b"true", 1), (b"tea", 3), (b"tea.txt", 9)])
def test_what_is_spent_depends_on_the_value_and_is_forecast(value, cost, shelf):
    run = next(
        run for run in runs(shelf, Request("GET", b"/static?f=" + value), (PROBE,)) if run.check.point[0] == "get"
    )
    assert run.check.forecast == len(run.sent) == cost


@pytest.mark.parametrize(
    ("place", "expected"),
    [(b"first-line-alone", Outcome.VULNERABLE), (b"first-line-by-last-name", Outcome.SAFE)],
)
def test_the_first_line_of_a_file_is_enough_where_no_other_is_shown(place, expected):
    request = Request("POST", b"/files/" + place, ((b"Content-Type", b"application/json"),), b'{"file": "tea.txt"}')
    outcomes = {run.verdict.outcome for run in run_case(request, PROBE) if run.check.point[0] == "post"}
    assert outcomes == {expected}


def test_what_only_the_raw_target_opens_is_told_of_the_target_by_the_check_of_its_last_segment(shelf):
    def application(request: Request) -> Response:
        decoding = b"%" not in request.target and b"/../" in request.target
        return shelf(Request("GET", b"/raw/" + request.target.partition(b"/")[2])) if decoding else shelf(request)

    (run,) = runs(application, Request("GET", b"/static/tea.txt"), (PROBE,))
    assert (tuple(run.check.point), run.verdict.outcome, run.verdict.point) == (
        ("path", "1"),
        Outcome.VULNERABLE,
        ("uri",),
    )


def test_a_server_that_takes_steps_out_of_the_raw_target_once_is_told(shelf):
    def application(request: Request) -> Response:
        """Reads the address as it came, and knows no encoded slash."""
        name = request.target.replace(b"../", b"")
        return shelf(Request("GET", b"/raw/" + name.partition(b"/")[2]) if b"%" not in name else request)

    (run,) = runs(application, Request("GET", b"/static/tea.txt"), (PROBE,))
    assert (run.verdict.outcome, run.verdict.point) == (Outcome.VULNERABLE, ("uri",))
    assert b"/....//" in run.verdict.proof.test.request.target


@pytest.mark.parametrize(("leaves", "expected"), [(True, Outcome.VULNERABLE), (False, Outcome.SAFE)])
def test_a_server_that_lists_folders_outside_is_told(leaves, expected):
    """It hands out no file from there."""
    names = ["attr", "cmdline", "environ", "mountinfo", "oom_score_adj", "statm", "status"]

    def application(request: Request) -> Response:
        path = posixpath.normpath("/srv/site" + unquote(request.target.decode())) + "/"
        if (
            not request.target.endswith(b"/")
            or b"../" in request.target
            or not path.startswith(("/srv/site/", "/proc"))
        ):
            return Response(404)
        if path != "/proc/self/" and not path.startswith("/srv/site/docs/"):
            return Response(404)
        listed = names if path == "/proc/self/" and leaves else ["tea.txt"]
        links = "".join(f"<a href={name}>{name}</a>" for name in listed)
        return Response(200, ((b"Content-Type", b"text/html"),), f"<h1>Index of {path}</h1>{links}".encode())

    (run,) = runs(application, Request("GET", b"/docs/"), (PROBE,))
    assert run.verdict.outcome is expected


@pytest.mark.parametrize(("guarded", "expected"), [(b"?raw", Outcome.VULNERABLE), (b"raw", Outcome.SAFE)])
@pytest.mark.parametrize("target", [b"/look/tea.txt?import&url", b"/@fs/srv/look/tea.txt"])
def test_a_server_of_modules_whose_guard_looks_at_the_end_of_the_query_is_told(shelf, target, guarded, expected):
    """Files outside are handed out as the text of a module, unless the query ends so, or has the word at all."""

    def application(request: Request) -> Response:
        path, _, query = request.target.partition(b"?")
        asks, end = query.startswith(b"raw"), b"?" + query
        refused = end.endswith(guarded) if guarded.startswith(b"?") else guarded in query
        if not asks:
            return Response(403 if b".." in path or b"%" in path else 200, (), b"export default 'tea'")
        return Response(403) if refused else shelf(Request("GET", b"/raw/" + path))

    made = runs(application, Request("GET", target), (PROBE,))
    assert expected in [run.verdict.outcome for run in made]
    if expected is Outcome.SAFE:
        assert {run.verdict.outcome for run in made} == {Outcome.SAFE}


def test_a_target_whose_last_segment_is_no_point_is_looked_at_by_itself(shelf):
    policy = msgspec.structs.replace(DEFAULT, locations=("uri",))
    baseline = record(shelf, Request("GET", b"/raw/tea.txt"))
    assert [tuple(check.point) for check in plan(baseline, policy, (), (PROBE,))] == [("uri",)]


def test_a_finding_shows_its_proof(shelf):
    run = next(run for run in runs(shelf, Request("GET", b"/plain?f=tea.txt"), (PROBE,)) if run.check.point[0] == "get")
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("ptrav", (22,), 85)
    assert b"Umask:" in verdict.proof.test.response.body
    assert b"Umask:" not in verdict.proof.control.response.body
    purposes = [each.purpose for each in run.sent]
    assert purposes[:3] == ["test", "control", "confirm"]
    # Then both again and again, in random order.
    assert sorted(purposes[3:]) == ["confirm"] * (ROUNDS + MORE) + ["control"] * ROUNDS


@pytest.mark.parametrize("path", ["/by-size", "/by-size-in-page", "/first-line", "/without-proc"])
def test_a_file_that_does_not_show_by_what_nobody_can_write_is_asked_for_by_another(path, shelf):
    run = of_value(runs(shelf, Request("GET", path.encode() + b"?f=tea.txt"), (PROBE,)))
    assert (run.verdict.outcome, run.verdict.detail) == (Outcome.VULNERABLE, "shows /etc/passwd")


def test_so_it_is_where_the_value_itself_names_nothing(shelf):
    run = of_value(runs(shelf, Request("GET", b"/by-size?f=example"), (PROBE,)))
    assert (run.verdict.outcome, run.verdict.detail) == (Outcome.VULNERABLE, "shows /etc/passwd")


@pytest.mark.parametrize(
    ("address", "writes"),
    [
        # Opens what is named; says so, or that it could not.
        (b"/note?f=tea.txt", lambda name: "Ready to write." if _opens(name) else "That could not be opened."),
        (b"/note?f=missing/tea.txt", lambda name: "Ready to write." if _opens(name) else "That could not be opened."),
        # Nothing can be written to what nobody can write: that is told as what cannot be opened.
        (
            b"/note?f=tea.txt",
            lambda name: "Noted." if _opens(name) and "/proc" not in name else "That could not be noted.",
        ),
        # Removes it.
        (b"/remove?f=tea.txt", lambda name: "Gone." if _opens(name) and "/proc" not in name else "That is not there."),
    ],
)
def test_what_may_be_written_by_a_link_is_nothing_that_can_be(address, writes):
    def application(request: Request) -> Response:
        name = dict(parse_qsl((request.query or b"").decode())).get("f", "")
        return Response(200, ((b"Content-Type", b"text/html"),), writes(name).encode())

    run = of_value(runs(application, Request("GET", address), (PROBE,)))
    assert run.sent
    assert not [sent.request for sent in run.sent if b"passwd" in sent.request.query]


def _opens(name: str) -> bool:
    """Whether a careless program could open a file of this name below its folder."""
    path = posixpath.normpath(posixpath.join("/srv/docs", name))
    return path in ("/srv/docs/tea.txt", "/etc/passwd", "/dev/null") or path.startswith("/proc/self/s")


def of_value(done: list[Run]) -> Run:
    """The dialogue about the query's value."""
    return next(run for run in done if run.check.point[0] == "get")


@pytest.mark.parametrize("value", [b"tea.txt", b"de/tea.txt"])
def test_a_null_byte_which_ends_some_programs_is_sent_when_all_else_was_asked(value: bytes, shelf):
    run = of_value(runs(shelf, Request("GET", b"/static?f=" + value), (PROBE,)))
    held = [b"%00" in each.request.target for each in run.sent]
    assert held.count(True) == 1
    assert held[-1]


def test_a_limiter_makes_it_inconclusive(shelf):
    checks = plan(record(shelf, Request("GET", b"/plain?f=tea")), DEFAULT, (), (PROBE,))
    assert {drive(check, lambda _: Response(429)).verdict.reason for check in checks} == {Inconclusive.RATE_LIMITED}


def test_a_target_that_breaks_for_good_is_no_clean_bill(shelf):
    checks = plan(record(shelf, Request("GET", b"/plain?f=tea")), DEFAULT, (), (PROBE,))
    assert {drive(check, lambda _: Response(500)).verdict.reason for check in checks} == {Inconclusive.UNSTABLE}


@pytest.mark.parametrize(
    ("path", "outcome"),
    [("/plain", Outcome.VULNERABLE), ("/by-size", Outcome.VULNERABLE), ("/last-part", Outcome.INCONCLUSIVE)],
    ids=str,
)
def test_a_file_is_shown_also_where_names_of_what_is_not_there_are_never_answered(path, outcome, shelf):
    def application(request: Request) -> Response:
        response = shelf(request)
        if response.status >= 400:
            raise TimeoutError
        return response

    tested = runs(application, Request("GET", path.encode() + b"?f=tea.txt"), (PROBE,))
    run = next(run for run in tested if run.check.point[0] == "get")
    assert run.verdict.outcome is outcome
    if outcome is Outcome.VULNERABLE:
        assert "(it is not answered in time; the value is), shows nothing" in run.verdict.proof.verified_by


MADE = ("/", "/etc", "/srv", "/srv/up", "/tmp", "/windows")


@pytest.mark.parametrize("body", [b"", b"kept"])
@pytest.mark.parametrize(
    "target", [b"/w/out.txt", b"/w/out", b"/w/out.json", b"/w?q=out", b"/w?q=out.json", b"/w?file=out"]
)
def test_no_file_outside_is_written_over_by_a_link_that_makes_what_it_names(target, body):
    """As the superuser may, wherever the folder is there; an absolute path takes the place of the folder's."""
    outside: set[str] = set()

    def application(request: Request) -> Response:
        path, _, query = unquote(request.target.decode("latin-1")).partition("?")
        name = posixpath.join("/srv/up", query.partition("=")[2] or path.removeprefix("/w/"))
        folder = posixpath.dirname(posixpath.normpath(name))
        if path != "/w" and not path.startswith("/w/"):
            return Response(404)
        if "\0" in name or posixpath.normpath(name) in MADE or folder not in MADE:
            return Response(500, (), b"sorry")
        outside.update({posixpath.normpath(name)} if folder != "/srv/up" else ())
        return Response(200, (), body)

    for probe in (PROBE, MOUNT):
        assert runs(application, Request("GET", target), (probe,)) or probe is MOUNT
    assert not outside


@pytest.mark.parametrize(("packed", "asked"), [(True, False), (False, True)])
def test_the_folder_of_the_process_is_asked_of_no_archive_of_a_folder(packed, asked):
    names = []

    def application(request: Request) -> Response:
        names.append(posixpath.normpath(unquote(request.target.decode("latin-1")).partition("q=")[2]))
        good = Response(200, (), b"PK\x03\x04\0\0\xff\xfe\x80" if packed else b"a.txt b.txt")
        return good if names[-1] == "docs" else Response(404, (), b"no such folder")

    runs(application, Request("GET", b"/folders?q=docs"), (PROBE,))
    assert any(name.endswith("/proc/self") for name in names) is asked


class Members:
    """Lets in whoever registered, as tests of its registration have done in the names of files that every Linux has."""

    def __call__(self, request: Request) -> Response:
        name = dict(parse_qsl(request.query.decode("latin-1"))).get("email", "")
        is_member = name == "ann@club.io" or re.fullmatch(r"(?:\.\./){16}proc/self/[ug]id_map", name) is not None
        return Response(302, ((b"Location", b"/account"),)) if is_member else Response(401, (), b"Wrong password.")


@pytest.mark.parametrize(("path", "is_told"), [(b"/sign-in", False), (b"/shelf", True)])
def test_a_login_tells_of_members_and_not_of_files(path: bytes, is_told: bool) -> None:
    request = Request("GET", path + b"?email=ann@club.io&password=Example-1", host="127.0.0.1")
    found = [run for run in runs(Members(), request, (PROBE,)) if run.verdict.outcome is Outcome.VULNERABLE]
    assert bool(found) is is_told
