"""What a run could not find by its settings is said."""

from gatecrash.core.reports.left_out import left_out, remarks
from gatecrash.core.testing.policy import DEFAULT, THOROUGH


def run(**changes: object) -> dict[str, object]:
    return {"policy_id": "default", "baseline_count": 3, "types_left_out": [], "user_count": 2} | changes


def test_the_default_policy_names_what_it_leaves_out_and_where_it_is_looked_for() -> None:
    missing = left_out(DEFAULT.types)
    assert {"cors", "csrf", "info", "mass_assignment"} <= set(missing)
    (told,) = remarks(run(types_left_out=missing))
    assert "csrf" in told
    assert "thorough" in told
    assert "under the policy default" in told
    (told,) = remarks(run(policy_id="pol_0123456789", types_left_out=missing))
    assert "under its policy: " in told, "an identifier tells nobody anything"


def test_a_run_for_everything_as_two_users_needs_no_remark() -> None:
    assert left_out(THOROUGH.types) == []
    assert remarks(run(policy_id="thorough")) == []


def test_one_user_alone_is_told_where_objects_of_others_are_looked_for() -> None:
    (told,) = remarks(run(user_count=1))
    assert "two users" in told
    assert remarks(run(user_count=1, types_left_out=left_out(["sqli"]))) == ["Looked for: sqli; nothing else."]
    assert remarks(run(user_count=1, baseline_count=0)) == []


def test_a_record_without_credentials_is_told_what_it_lacks_and_notes_come_first() -> None:
    (told,) = remarks(run(user_count=0))
    assert "carries credentials" in told
    assert remarks(run(notes=["a note"], user_count=0)) == ["a note", told]


def test_custom_tests_alone_leave_out_every_type() -> None:
    missing = left_out(DEFAULT.types, only_custom=True)
    assert remarks(run(types_left_out=missing)) == ["Looked for: only the custom tests of the policy; nothing else."]


def test_a_run_of_an_older_service_says_nothing() -> None:
    assert remarks({"policy_id": "default", "baseline_count": 3}) == []
