"""The fuzzer's settings: which bytes go where, and which answers are anomalies."""

from typing import Literal

import msgspec

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.testing.conditions import Condition, check

# All byte values but one: what 255 tells, 254 tells as well (neither is ever part of UTF-8).
BYTES = bytes(range(255))
LARGEST = 4096
_MOST_CONDITIONS = 20

Place = Literal["beginning", "end", "random", "replace"]
PLACES: tuple[Place, ...] = ("beginning", "end", "random", "replace")


class Fuzzer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `anomaly` sends, and how it judges.

    places: where in a value the bytes are put: at its beginning, its end, somewhere within, or instead of a part of it.
    sizes: how many bytes one payload holds, each of the 255 values once and then all over again.
    anomaly: conditions of which one makes an answer an anomaly, where none of no_anomaly holds. stop: conditions of which
    one ends the fuzzing of a point.
    """

    places: tuple[Place, ...] = PLACES
    sizes: tuple[int, ...] = (64,)
    anomaly: tuple[Condition, ...] = (Condition(status=("5xx",), status_difference=True),)
    no_anomaly: tuple[Condition, ...] = (Condition(status=("501", "505")),)
    stop: tuple[Condition, ...] = ()


def check_fuzzer(fuzzer: Fuzzer) -> None:
    """Raise InvalidPattern, with the field, where the settings cannot work."""
    if not fuzzer.places or not fuzzer.sizes or not fuzzer.anomaly:
        raise InvalidPattern("fuzzer: places, sizes and anomaly need one entry at least")
    for size in fuzzer.sizes:
        if not 1 <= size <= LARGEST:
            raise InvalidPattern(f"fuzzer.sizes: {size} is not from 1 to {LARGEST}")
    for field in ("anomaly", "no_anomaly", "stop"):
        conditions: tuple[Condition, ...] = getattr(fuzzer, field)
        if len(conditions) > _MOST_CONDITIONS:
            raise InvalidPattern(f"fuzzer.{field}: more than {_MOST_CONDITIONS} conditions")
        for place, condition in enumerate(conditions):
            try:
                check(condition)
            except InvalidPattern as error:
                raise InvalidPattern(f"fuzzer.{field}[{place}]: {error}") from error
