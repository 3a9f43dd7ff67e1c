"""Who a baseline's tests are sent as."""

from typing import Any

from tests.node.loop import run
from tests.node.test.answering import Application, get

from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity, Step
from gatecrash.core.testing.profiles.profile_document import read_profile
from gatecrash.node.test.sessions.of_run import MOST_TOLD, Sessions

APPLICATION = Application(lambda _request: Response(200))
VALUE = {"point": ["header", "X-Key"], "value": "k"}


def sessions(**profile: Any) -> Sessions:
    return Sessions(read_profile(profile, "p"), APPLICATION.transmit)


def test_without_a_profile_baselines_keep_what_was_recorded() -> None:
    none = Sessions(None, APPLICATION.transmit)
    assert none.own(get()) is None
    assert none.identities(get()) == ()
    assert not none.recorded


def test_the_first_identity_is_the_one_tests_are_sent_as() -> None:
    made = sessions(values=[VALUE], identities=[{"name": "a", "rank": 1}, {"name": "b", "rank": 5}])
    assert made.identities(get()) == (Identity("a", 1), Identity("b", 5))
    assert made.own(get()) is made.named("a", get())
    assert made.named("b", get()) is not made.named("a", get())
    assert made.named("c", get()) is None


def test_credentials_go_to_their_hosts_only() -> None:
    made = sessions(values=[VALUE], identities=[{"name": "a", "hosts": "other.example"}, {"name": "b"}])
    own = made.own(get())
    assert own is not None
    assert own.identity.name == "b"
    assert made.identities(get()) == (Identity("b"),)


def test_a_session_is_one_for_all_origins_unless_its_steps_are_paths_of_the_baselines_own() -> None:
    step = {"take": {"t": {"json": "$.t"}}}
    here, there = get(), get().__class__("GET", b"/", (), b"", "https", "b.example", 443)
    everywhere = sessions(login=[{"url": "https://id.example/l", **step}], values=[VALUE])
    assert everywhere.own(here) is everywhere.own(there)
    based = sessions(base="https://id.example", login=[{"path": "/l", **step}], values=[VALUE])
    assert based.own(here) is based.own(there)
    relative = sessions(login=[{"path": "/l", **step}], values=[VALUE])
    assert relative.own(here) is not relative.own(there)


def test_identities_of_the_record_are_known_by_what_only_they_carry() -> None:
    shared = Placed(("header", "X-APP"), "app")
    identities = tuple(
        ProfileIdentity(name=name, values=(Placed(("header", "X-KEY"), name), shared)) for name in ("alice", "bob")
    )
    made = Sessions(AuthProfile(id="r", name="r", identities=identities, recorded=True), APPLICATION.transmit)
    app = (b"X-App", b"app")
    assert made.identities(get("/", (b"X-Key", b"bob"), app)) == (Identity("bob"), Identity("alice"))
    assert made.own(get("/", (b"X-Key", b"carol"), app)) is None, "the application's key is everybody's"


def test_the_only_user_of_a_record_is_known_and_keeps_what_was_recorded() -> None:
    alone = ProfileIdentity(name="recorded 1", values=(Placed(("header", "AUTHORIZATION"), "Bearer a"),), known=("7",))
    made = Sessions(AuthProfile(id="r", name="r", identities=(alone,), recorded=True), APPLICATION.transmit)
    request = get("/me", (b"Authorization", b"Bearer a"))
    assert [each.known for each in made.identities(request)] == [("7",)]
    assert made.own(request) is None


def test_what_an_identity_is_told_about_itself_is_known_of_it_alone() -> None:
    made = sessions(values=[VALUE], identities=[{"name": "a", "rank": 1}, {"name": "b"}])
    made.tell("a", {"41", "ann"})
    made.tell("a", {"ann", "tenant=501"})
    assert made.identities(get()) == (Identity("a", 1, ("41", "ann", "tenant=501")), Identity("b"))
    made.tell("a", map(str, range(99)))
    assert len(made.identities(get())[0].known) == MOST_TOLD


def test_new_sessions_know_what_answered_well_in_the_ended_ones() -> None:
    """Whoever only changes something has nothing else to ask whether he is signed in."""
    step, basic = Step(method="POST", url="/login"), (b"Authorization", b"Basic YW5uOnNlc2FtZQ==")
    profile = AuthProfile(id="p", name="p", identities=(ProfileIdentity(name="ann", login=(step,)),))
    ended, made = Sessions(None, APPLICATION.transmit), Sessions(profile, APPLICATION.transmit)
    pages = [Exchange(get(path, basic)) for path in ("/a", "/b")]
    for page in pages:
        ended.known_good.remember("as recorded", page)
    made.inherit(ended)
    session = made.own(get("/c", basic))
    assert session is not None
    assert [one.exchange for one in made.known_good.of(session)] == [pages[1], pages[0]]
    assert made.faces is ended.faces
    kept = Sessions(None, APPLICATION.transmit)
    kept.inherit(ended)
    assert kept.known_good.all() == (), "nobody signs in"


async def going_on(first: str, second: str) -> list[str]:
    """Where two runs sign in by these paths, the second of which goes on with what the first was given."""
    application = Application(lambda _request: Response(200, ((b"Set-Cookie", b"sid=abc; Path=/"),)))
    before = sessions_of(application, first)
    await carried(before)
    now = sessions_of(application, second)
    now.go_on(before.signed_in)
    assert await carried(now) == [b"abc"]
    return application.paths()


async def carried(made: Sessions) -> list[bytes]:
    session = made.own(get())
    assert session is not None
    await session.ready("bl_1")
    return list(session.values("shop.example").values())


def sessions_of(application: Application, path: str) -> Sessions:
    return Sessions(read_profile({"login": [{"path": path, "form": {"p": "1"}}]}, "p"), application.transmit)


@run
async def test_who_was_signed_in_before_the_run_is_not_signed_in_again() -> None:
    assert await going_on("/login", "/login") == ["/login"]


@run
async def test_of_who_signs_in_otherwise_nothing_is_taken_over() -> None:
    assert await going_on("/login", "/enter") == ["/login", "/enter"]
