"""What is noted of a run's record is told once, in few words, and as it is known last."""

from gatecrash.core.reports import notes
from gatecrash.core.testing.profiles.profile import MANAGER, ProfileIdentity


def test_one_ordinary_user_beside_a_manager_misses_another() -> None:
    def users(*ranks: int) -> tuple[str, ...]:
        return notes.of_users(
            [ProfileIdentity(name=f"recorded {place}", rank=rank) for place, rank in enumerate(ranks)]
        )

    assert users(0, MANAGER) == (notes.NO_PEER,)
    assert users() == users(0) == users(0, 0) == users(0, MANAGER, 0) == users(MANAGER, MANAGER) == ()


def test_each_is_kept_once_and_no_more_than_can_be_read() -> None:
    assert notes.kept(["a", "b"], ["b", "c"]) == ["a", "b", "c"]
    many = notes.kept([], [f"{number} {'x' * 600}" for number in range(30)])
    assert (len(many), {len(note) for note in many}) == (notes.MOST_NOTES, {notes.LONGEST})


def test_what_was_said_of_users_is_said_as_it_is_known_last() -> None:
    told = notes.looked_again([notes.OVER, notes.OBJECTS], [notes.SIGNED_IN_AGAIN])
    assert told == [notes.OBJECTS, notes.SIGNED_IN_AGAIN]


def test_what_was_found_is_named() -> None:
    assert "jwt is wanted by 1 request:" in notes.of_wants("jwt", 1)
    assert "jwt is wanted by 2 requests:" in notes.of_wants("jwt", 2)
    assert "without X-PASS:" in notes.of_credentials("X-PASS")
    assert "the login answers 500" in notes.of_nobody("the login answers 500")


def test_what_was_made_anew_is_counted_and_what_stays_is_named() -> None:
    told = notes.of_made([("/loads/41", False), ("/loads/42", True)])
    assert "2 (/loads/41, /loads/42) are made anew for the tests." in told
    assert "1 (/loads/42) is left at the target" in told
    many = notes.of_made([(f"/loads/{number}", False) for number in range(20)])
    assert "20 (/loads/0, /loads/1, /loads/2, /loads/3, /loads/4, …) are made anew" in many
    assert "stays at the target" in many


def test_what_limiters_refused_is_named_a_few_times() -> None:
    assert notes.of_limits([]) == ()
    (told,) = notes.of_limits([f"GET /{number}" for number in range(9)])
    assert "GET /4, …" in told
    assert "GET /5" not in told


def test_changes_of_strangers_are_counted_and_named_a_few_times() -> None:
    assert notes.of_strangers([]) == ()
    (one,) = notes.of_strangers(["PUT /users/1"])
    assert "1 described change was not sent" in one
    assert "PUT /users/1." in one
    (many,) = notes.of_strangers([f"PUT /users/{number}" for number in range(9)])
    assert "9 described changes were not sent" in many
    assert "PUT /users/4, …" in many
    assert "PUT /users/5" not in many
