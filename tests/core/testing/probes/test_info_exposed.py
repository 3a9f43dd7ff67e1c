"""The probe for what lies beside an application, driven against the range's places over a real port."""

from collections.abc import Callable

from tests.core.testing.driving import Run, drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.fingerprint import endpoint_of
from gatecrash.core.testing.probes.info_exposed import PROBE
from gatecrash.core.testing.verdict import Outcome, Verdict

SETTINGS = b"MODE=production\nDATABASE_PASSWORD=kd83hf73hd\nMAIL_HOST=mail.internal\n"
LISTING = b'<title>listing directory /files</title><ul><li><a href="/files/old.sql">old.sql</a><a href="/files/a.pdf">a.pdf</a>'
DUMP = b"CREATE TABLE users (\n id int\n);\nINSERT INTO users VALUES (1);\n"


class TestProbe(AtRange):
    name = "info_exposed"
    probe = PROBE
    title = "A file of the deployment is handed out (version control)"


def host(files: dict[str, bytes]) -> Callable[[Request], Response]:
    """A host that hands these out, and a page at its own addresses."""

    def application(request: Request) -> Response:
        path = request.path.decode()
        if path in files:
            kind = b"text/html" if files[path].startswith(b"<") else b"text/plain"
            return Response(200, ((b"Content-Type", kind),), files[path])
        return Response(200, (), b"a page") if path.endswith(".html") else Response(404, (), b"no such page")

    return application


def asked(files: dict[str, bytes], path: str = "/start.html", told: set | None = None, *headers) -> Run:
    application = host(files)
    checks = plan(record(application, Request("GET", path.encode(), headers)), WITHOUT_NAMES, (), (PROBE,), told=told)
    return drive(checks[0], application)


def found(run: Run) -> list[Verdict]:
    all_ = (run.verdict, *run.check.memory.take_besides())
    return [each for each in all_ if each.outcome is Outcome.VULNERABLE]


def addresses(run: Run) -> list[str]:
    return sorted(each.proof.test.request.target.decode() for each in found(run))


def test_a_finding_belongs_to_the_address_that_hands_it_out():
    run = asked({"/.env": SETTINGS})
    baseline = run.check.baseline.request
    assert endpoint_of(run.verdict.broken(baseline)).path == "/.env"
    assert run.verdict.place == ("/.env",)


def test_all_that_lies_there_is_told_the_worst_first():
    run = asked({"/.env": SETTINGS, "/ftp/": LISTING.replace(b"files", b"ftp")})
    assert addresses(run) == ["/.env", "/ftp/"]
    assert run.verdict.cwe == (538,)


def test_files_of_one_folder_that_tell_of_one_cause_are_told_once():
    git = {"/.git/HEAD": b"ref: refs/heads/main\n", "/.git/config": b"[core]\n\trepositoryformatversion = 0\n"}
    assert addresses(asked(git)) == ["/.git/HEAD"]


def test_what_robots_names_is_looked_at():
    robots = b"User-agent: *\nDisallow: /kept-here-7\nDisallow: /*.pdf$\nDisallow: /\n"
    listing = LISTING.replace(b"/files", b"/kept-here-7")
    assert addresses(asked({"/robots.txt": robots, "/kept-here-7/": listing})) == ["/kept-here-7/"]


def test_telling_files_of_a_listing_are_looked_at():
    run = asked({"/files/": LISTING, "/files/old.sql": DUMP})
    assert addresses(run) == ["/files/", "/files/old.sql"]
    assert "/files/a.pdf" not in [each.request.target.decode() for each in run.sent]


def test_a_copy_of_the_recorded_program_is_looked_for():
    files = {"/shop/cart.php": b"a cart", "/shop/cart.php~": b"<?php\n$key = 'k';\n"}
    application = host(files)
    copy = {
        "/shop/cart.php~": Response(200, ((b"Content-Type", b"application/octet-stream"),), files["/shop/cart.php~"])
    }

    def served(request: Request) -> Response:
        return copy.get(request.path.decode()) or application(request)

    check = plan(record(served, Request("GET", b"/shop/cart.php")), WITHOUT_NAMES, (), (PROBE,))[0]
    assert addresses(drive(check, served)) == ["/shop/cart.php~"]


def test_nothing_of_the_baseline_is_sent_but_the_host_and_the_browser():
    run = asked({}, "/start.html", None, (b"Host", b"h"), (b"Cookie", b"session=4f3c"), (b"Authorization", b"Bearer x"))
    for each in run.sent:
        assert each.identity == ""
        assert each.request.method == "GET"
        assert {name for name, _ in each.request.headers} == {b"Host", b"Accept", b"Range"}


def test_a_folder_is_looked_at_once_a_run_and_eight_of_them_at_the_most():
    told: set = set()
    asked({}, "/start.html", told)
    assert not plan(record(host({}), Request("GET", b"/other.html")), WITHOUT_NAMES, (), (PROBE,), told=told)
    for number in range(20):
        page = record(host({}), Request("GET", f"/place{'abcdefghijklmnopqrst'[number]}/a.html".encode()))
        for check in plan(page, WITHOUT_NAMES, (), (PROBE,), told=told):
            drive(check, host({}))
    assert len({key for key in told if len(key) == 3}) == 9


def test_folders_that_are_named_by_an_identifier_are_left_alone():
    run = asked({}, "/users/71/a.html")
    assert not any(b"/71/" in each.request.target for each in run.sent)


def test_pages_and_refusals_hand_out_nothing():
    application = host({})

    def guarded(request: Request) -> Response:
        if request.path.endswith(b".html"):
            return application(request)
        return Response(403, ((b"Content-Type", b"text/plain"),), SETTINGS)

    check = plan(record(guarded, Request("GET", b"/start.html")), WITHOUT_NAMES, (), (PROBE,))[0]
    assert drive(check, guarded).verdict.outcome is Outcome.SAFE


def test_what_was_broken_off_is_looked_at_again():
    told: set = set()

    def busy(request: Request) -> Response:
        return Response(429) if request.path == b"/.env" else host({})(request)

    def checks() -> list:
        return plan(record(busy, Request("GET", b"/start.html")), WITHOUT_NAMES, (), (PROBE,), told=told)

    assert drive(checks()[0], busy).verdict.outcome is Outcome.INCONCLUSIVE
    assert checks()
