"""Places of the caller's own: `/me/clips`, where each finds what is his."""

import re

_ONESELF = re.compile(r"me|my|mine|self|myself|own", re.IGNORECASE)
# What several are in, or have to do with, whoever of them began it.
_OF_SEVERAL = re.compile(
    r"team|crew|group|org|compan|tenant|workspace|project|club|household|famil|member|friend|contact|follow|chat|channel|room"
    r"|conversation|thread|feed|shar|invit|course|favou?r|bookmark|watch|subscri",
    re.IGNORECASE,
)


def stands_below_oneself(path: str) -> bool:
    """Whether a path is below its caller's own address, and nothing in it says that several have what is there."""
    segments = [segment for segment in path.split("/") if segment]
    at = next((place for place, segment in enumerate(segments) if _ONESELF.fullmatch(segment)), len(segments))
    below = segments[at + 1 :]
    return bool(below) and not any(map(_OF_SEVERAL.search, below))
