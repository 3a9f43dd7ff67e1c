"""A test policy as people write it down: read strictly, every mistake named with its place."""

from collections.abc import Mapping
from typing import Any

import msgspec

from gatecrash.core.errors import InvalidPattern, InvalidPolicy
from gatecrash.core.point import PointPattern
from gatecrash.core.testing.extension_source import LONGEST_TEXTS, MOST
from gatecrash.core.testing.extensions.engine import probes_of
from gatecrash.core.testing.fuzzer import check_fuzzer
from gatecrash.core.testing.policy import LOCATIONS, MOST_REQUESTS, TYPES, Policy

FIELDS = tuple(name for name in Policy.__struct_fields__ if name != "id")


def read_policy(document: object, policy_id: str) -> Policy:
    """The policy of a document with the fields of the API: `name`, `types`, `include` and so on.

    Raises InvalidPolicy with the field that is wrong.
    """
    if not isinstance(document, Mapping):
        raise InvalidPolicy("a policy is a set of fields: name, types, include, exclude and so on")
    unknown = [name for name in document if name not in FIELDS]
    if unknown:
        raise InvalidPolicy(f"the policy has the unknown field {unknown[0]!r}; the fields are {', '.join(FIELDS)}")
    given: dict[str, Any] = {"name": policy_id, **document, "id": policy_id}
    if document.get("only_custom") is True:
        given.setdefault("types", [])
    try:
        policy = msgspec.convert(given, Policy)
    except msgspec.ValidationError as error:
        raise InvalidPolicy(f"the policy is not understood: {error}") from error
    _check(policy)
    return policy


def _check(policy: Policy) -> None:
    if policy.types or not policy.only_custom:
        _among("types", policy.types, TYPES)
    _among("locations", policy.locations, LOCATIONS)
    if policy.budget is not None and not 1 <= policy.budget <= MOST_REQUESTS:
        raise InvalidPolicy(f"budget: {policy.budget} is not from 1 to {MOST_REQUESTS}")
    if len(policy.extensions) > MOST:
        raise InvalidPolicy(f"extensions: more than {MOST}")
    if sum(len(one.text) for one in policy.extensions) > LONGEST_TEXTS:
        raise InvalidPolicy(f"extensions: more than {LONGEST_TEXTS // 1024} KiB together")
    if policy.only_custom and not policy.extensions:
        raise InvalidPolicy("only_custom: there are no extensions that could be the only ones")
    probes_of(policy.extensions)
    try:
        check_fuzzer(policy.fuzzer)
    except InvalidPattern as error:
        raise InvalidPolicy(str(error)) from error
    for field, patterns in (("include", policy.include), ("exclude", policy.exclude)):
        for place, pattern in enumerate(patterns):
            try:
                PointPattern.parse(pattern)
            except InvalidPattern as error:
                raise InvalidPolicy(f"{field}[{place}]: {error}") from error


def _among(field: str, given: tuple[str, ...], known: tuple[str, ...]) -> None:
    wrong = [one for one in given if one not in known]
    if wrong or not given:
        raise InvalidPolicy(f"{field}: {wrong[0] if wrong else 'nothing'} is none of {', '.join(known)}")
