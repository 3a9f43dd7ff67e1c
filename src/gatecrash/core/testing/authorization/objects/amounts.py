"""Names of parameters whose numbers choose no object: those that turn pages, that bound something, and that measure it."""

import re

from gatecrash.core.words.names import parted

# Numbers that turn pages or choose a view.
_TURNS = re.compile(
    r"page|limit|offset|size|(?<!ac)count|per_?page|skip|take|start|sort|depth|version|^v$|^_$", re.IGNORECASE
)
# A thing whose own name holds such a word, called by its identifier: `skipperId`, `resort_id`, and not `page_id`.
_OF_A_THING = re.compile(
    r"(?:^|_)(?!(?:page|limit|offset|size|count|skip|take|start|sort|depth|version)s?_?(?:id|uuid|guid)$)[a-z]+_?(?:id|uuid|guid)$",
    re.IGNORECASE,
)
# How much of something, which is no number of an object.
_MEASURES = re.compile(
    r"(?:^|_)(?:amount|price|cost|fee|budget|balance|salary|wage|income|revenue|rent|deposit|discount|bonus|credits|points"
    r"|quantity|qty|sum|total|subtotal|count|capacity|threshold|rating|stars|score|percent(?:age)?|weight|height|width|length"
    r"|size|distance|volume|age|duration|years|months|weeks|nights|days|hours|minutes|seconds|guests|seats)$",
    re.IGNORECASE,
)
# Where a filter begins or ends: `price__gt=4`, `id[lte]=90`, `created_before=7`.
_BOUNDS = re.compile(
    r"(?:_|\[)\$?(?:gte?|lte?|min|max|ne|not|before|after|since|until|between|range)\]?$", re.IGNORECASE
)


def says_how_much(name: str) -> bool:
    """Whether a parameter turns pages or chooses a view, bounds what is shown, or says how much of something."""
    spoken = parted(name)
    turns = _TURNS.search(name) is not None and _OF_A_THING.search(spoken) is None
    return turns or _BOUNDS.search(name) is not None or _MEASURES.search(spoken) is not None
