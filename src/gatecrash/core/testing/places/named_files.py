"""What the value of a point may name among files, and in which ways files outside of its folder are asked for there.

ways_for(situation, windows=…)     the ways worth trying, the likeliest first
may_write(situation)               whether the request may change what it names
may_list(situation)                whether the value may name a folder that is listed
"""

import re
from typing import Final

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.files.files import lists_files
from gatecrash.core.testing.payloads.ptrav import (
    ADDRESS,
    FOR_FILES,
    FOR_NUMBERS,
    FOR_TEXTS,
    FOR_WINDOWS,
    IN_FOLDER,
    Step,
    for_target,
    is_address,
    is_named_for_files,
    may_name_a_folder,
    tells_of_writing,
)
from gatecrash.core.testing.places.plain_values import is_literal
from gatecrash.core.testing.places.segments import is_name
from gatecrash.core.testing.probe import Situation

TARGET: Final = ("uri",)
_FILE_LIKE: Final = re.compile(r"[^?#]*(?:[/\\]|\w\.[A-Za-z][A-Za-z0-9]{0,4}$)")


def ways_for(situation: Situation, *, windows: bool) -> tuple[Step, ...]:
    """The ways worth trying for this value, the likeliest first."""
    value = situation.value.decode("utf-8", "replace")
    if tuple(situation.point) == TARGET:
        return for_target(value)
    if windows:
        return (*FOR_WINDOWS, *FOR_TEXTS[:1])
    if is_literal(value) or (look_of(value) and not _FILE_LIKE.match(value)):
        return FOR_NUMBERS
    if is_address(value):
        # What a fetcher reads at file:// is a forged request of the server, which `ssrf` tells.
        return tuple(step for step in FOR_FILES if step is not ADDRESS)
    if _FILE_LIKE.match(value):
        return (IN_FOLDER, *FOR_FILES) if "/" in value else FOR_FILES
    named = not is_name(situation.point) and is_named_for_files(situation.point[-1])
    return FOR_FILES if named else FOR_TEXTS


def may_write(situation: Situation) -> bool:
    """Whether the request may change what it names: by its method, by its address, or by the point's name."""
    request, point = situation.baseline.request, situation.point
    named = "" if is_name(point) else point[-1]
    return not is_safe(request) or tells_of_writing(f"{request.path.decode('latin-1')} {named}")


def may_list(situation: Situation) -> bool:
    """Whether the value may name a folder that is listed: by its parameter, and by having no extension; by a target that lists one."""
    point, value = situation.point, situation.value.decode("utf-8", "replace")
    if point[0] == "path" or is_name(point) or not is_safe(situation.baseline.request) or situation.policy.one_family:
        return False
    if tuple(point) == TARGET:
        return situation.baseline.response is not None and lists_files(situation.baseline.response)
    return may_name_a_folder(point[-1], value)
