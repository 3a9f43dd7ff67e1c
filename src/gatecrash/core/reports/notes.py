"""What a run has learned of its record that its reader must know: sentences, kept with the run and told beside its result."""

from collections.abc import Iterable, Sequence

from gatecrash.core.reports.plural import plural
from gatecrash.core.testing.profiles.profile import ProfileIdentity

MOST_NOTES = 20
LONGEST = 500
_MOST_ADDRESSES = 5

OVER = (
    "The recorded sessions are over, and the record does not show how its users sign in, or masks their passwords: what they may see was not"
    " tested. Record again, from the login on, or give an auth profile."
)
SIGNED_IN_AGAIN = "The record ends its users' sessions itself, or they are over: tests sign in again as it shows."
NO_PEER = (
    "All but one of the recorded users may do more than he may, and may well read what is his: record a second ordinary user to see"
    " whether one gets what is the other's."
)
OBJECTS = "Some requests ask for objects that the target does not have; they are tested with one that it has."
RENAMED = "Objects that the record names have other identifiers at the target now, as where it was set up anew: the tests use those."
BANS = (
    "The target banned the tests for a while, by refusals, a captcha or closed connections wherever it was asked: they waited until it"
    " answered again. Let the tests' address pass, or test with fewer requests a second, to be quicker."
)
BANNED = (
    "The target banned the tests and did not answer again in time: what was open then is undecided. Let the tests' address pass, or"
    " test with fewer requests a second."
)
SILENCES = "The target took requests and answered nobody for a while, as where all of its workers hang or are busy: the tests waited until it answered again."
SILENT = (
    "The target took requests and answered nobody any more, as where all of its workers hang, and did not do so again in time: what was"
    " open then is undecided."
)
MESSAGES = "Some recorded requests open a WebSocket or a tunnel: the messages that go through it were not tested."
SOCKETS = "Some recorded requests open a WebSocket: of what their clients say through it, only messages that ask for something were sent."
FRAMES = (
    "Some recorded requests are gRPC or gRPC-Web with messages that cannot be read, as what is packed cannot: nothing in them was"
    " tested."
)
_OF_USERS = (OVER, SIGNED_IN_AGAIN, NO_PEER)


def of_users(users: Sequence[ProfileIdentity]) -> tuple[str, ...]:
    """What a second user of the same rank would have given."""
    return (NO_PEER,) if len(users) > 1 and sum(not user.rank for user in users) == 1 else ()


def of_bans(count: int, *, hopeless: bool) -> tuple[str, ...]:
    """Of bans by targets. hopeless: whether one was not over in time."""
    if hopeless:
        return (BANNED,)
    return (BANS,) if count else ()


def of_silence(count: int, *, hopeless: bool) -> tuple[str, ...]:
    """Of targets that answered nobody. hopeless: whether one still does."""
    if hopeless:
        return (SILENT,)
    return (SILENCES,) if count else ()


def of_limits(names: Sequence[str]) -> tuple[str, ...]:
    """Of requests that limiters refused and that were not sent again. names: method and path of each."""
    if not names:
        return ()
    shown = ", ".join(names[:_MOST_ADDRESSES]) + (", …" if len(names) > _MOST_ADDRESSES else "")
    told = (
        f"Limiters (429, or Retry-After) refused tests for longer than is waited for: {shown}. What they refused is undecided. Lift the"
        " limit for the tests, or test with fewer requests a second."
    )
    return (told,)


def of_ranks(names: Sequence[str]) -> tuple[str, ...]:
    """Of identities that a profile gives no rank, and that are let in where others are refused."""
    told = (
        f"The auth profile gives no ranks: {', '.join(names)} {'is' if len(names) == 1 else 'are'} taken to stand above the others, who are"
        " refused where that one is let in. Write a rank to say otherwise."
    )
    return (told,) if names else ()


def of_spoilt(names: Sequence[str]) -> tuple[str, ...]:
    """Of requests whose tests left every page of a target the same."""
    return tuple(
        f"Since {name} was tested every page of the target said the same, as where its settings hold something that it does not survive:"
        " what was open then is undecided. Restore the target where it still does, and leave this request out of the next tests."
        for name in names
    )


def of_strangers(names: Sequence[str]) -> tuple[str, ...]:
    """Of described changes that name an account which was there before. names: method and path of each."""
    if not names:
        return ()
    shown = ", ".join(names[:_MOST_ADDRESSES]) + (", …" if len(names) > _MOST_ADDRESSES else "")
    told = (
        f"{len(names)} described {'change was' if len(names) == 1 else 'changes were'} not sent, as they name an account and nothing tells"
        f" which is the tests' own: {shown}. Describe what tells whoever is signed in his name or number, or show an account as an"
        " example that may be changed."
    )
    return (told,)


def of_credentials(name: str) -> str:
    """Of a cookie, a header or a parameter of the application's own."""
    return f"The target refuses who comes without {name}: what it holds is taken for credentials."


def of_made(made: Sequence[tuple[str, bool]]) -> str:
    """Of objects that the record makes and deletes again, by their addresses. With each: whether deletions like its own are not tested."""
    told = f"The record deletes objects that it made: {_counted([address for address, _ in made])} made anew for the tests."
    left = [address for address, stays in made if stays]
    if left:
        return f"{told} {_counted(left)} left at the target, as what would delete them is not tested."
    return f"{told} What the tests of the recorded deletions do not delete stays at the target."


def _counted(addresses: Sequence[str]) -> str:
    shown = ", ".join(addresses[:_MOST_ADDRESSES]) + (", …" if len(addresses) > _MOST_ADDRESSES else "")
    return f"{len(addresses)} ({shown}) {'is' if len(addresses) == 1 else 'are'}"


def of_nobody(trouble: str) -> str:
    """Of a description whose registration and login let nobody in."""
    return f"Nobody is signed in: {trouble}. Give an auth profile."


def of_no_other(trouble: str) -> str:
    """Of a description whose registration makes no account beside those of an auth profile, no two of which are of one rank."""
    return (
        f"No second user could be made: {trouble}. Give another identity in the auth profile, or nobody is asked whether "
        "others get what is his."
    )


def of_wants(name: str, count: int) -> str:
    """Of what a description says that its requests need, where nobody is signed in."""
    return f"{name} is wanted by {plural(count, 'request')}: without an auth profile it is not sent."


def of_more_told(paths: Sequence[str]) -> str:
    """Of what endpoints tell of themselves beside their description. paths: of each operation."""
    where = ", ".join(dict.fromkeys(paths))
    return f"{where} tells {len(paths)} operation{'' if len(paths) == 1 else 's'} more than the description."


def looked_again(known: Sequence[str], told: Iterable[str]) -> list[str]:
    """The notes of a run whose record was looked at for users once more: what was told of them before may be true no longer."""
    return kept([note for note in known if note not in _OF_USERS], told)


def kept(known: Sequence[str], told: Iterable[str]) -> list[str]:
    """The notes of a run with further ones; each once, and no more than can be read."""
    short = [note if len(note) <= LONGEST else note[: LONGEST - 1] + "…" for note in told]
    return list(dict.fromkeys((*known, *short)))[:MOST_NOTES]
