"""What an operation may refuse, and how (decisions 1).

raise ApiError("not_found", "There is no such run.")              → {"error", "message"}
raise FieldErrors({"name": problem("too_long", name, max=255)})   → {"name": {"error", "value", "max"}}
raise refuse("not_found")          inside a pydantic validator: becomes the problem of that field
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_core import PydanticCustomError

STATUS = {
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "payload_too_large": 413,
    "unsupported_media_type": 415,
    "rate_limited": 429,
    "internal": 500,
}
CODE = {status: code for code, status in STATUS.items()}
CONFLICTS = frozenset({"already_exists", "action_not_allowed"})
FIELD_CODES = (
    frozenset(
        {
            "required",
            "invalid_type",
            "out_of_range",
            "invalid_value",
            "unknown_field",
            "not_found",
            "invalid_point",
            "too_long",
            "not_ready_for_cloning",
            "empty_test_record",
            "not_allowed_with_test_record_id",
        }
    )
    | CONFLICTS
)
# Exactly `error` and `value`, as the contract's section 7 shows it.
BARE = frozenset({"not_ready_for_cloning"})

# Marks our codes among pydantic's, which has a `too_long` of its own.
OURS = "gatecrash."

Problem = dict[str, Any]


class ApiError(Exception):
    """A refusal that is about no field. status: the code's own, or 400 for the codes of fields."""

    def __init__(self, code: str, message: str, *, headers: Mapping[str, str] | None = None) -> None:
        """Take a code of decisions 1 and one plain sentence."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.headers = dict(headers or {})
        self.status = STATUS.get(code, 409 if code in CONFLICTS else 400)


class FieldErrors(Exception):
    """Every faulty field at once. 409 where each is a conflict, else 400."""

    def __init__(self, problems: Mapping[str, Problem]) -> None:
        """Take a problem for each faulty field; see `problem`."""
        super().__init__(", ".join(f"{field}: {problem['error']}" for field, problem in problems.items()))
        self.problems = dict(problems)
        conflict = all(problem["error"] in CONFLICTS for problem in problems.values())
        self.status = 409 if conflict else 400


def problem(code: str, value: object, **hints: object) -> Problem:
    """What is wrong with one field: the code, the value as given, and hints (`min`, `max`, `choices`)."""
    assert code in FIELD_CODES, code
    return {"error": code, "value": value} if code in BARE else {"error": code, "value": value, **hints}


def refuse(code: str, **hints: object) -> "PydanticCustomError":
    """For a validator to raise: this field is refused with one of our codes."""
    # Whoever validates has loaded it; the preparation, the worker and most commands raise the errors above alone.
    from pydantic_core import PydanticCustomError

    assert code in FIELD_CODES, code
    return PydanticCustomError(OURS + code, "refused", hints)
