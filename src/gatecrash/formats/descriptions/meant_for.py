"""Who an operation is for, by the words of its OpenAPI document: `Admin only`, a tag `Admin`, the scope `users:admin`.

Only what is said of the operation as a whole counts. `Admins see all, users their own`, `also for admins` and what is
said of one of its parameters or fields tell nothing, and neither does a tag or a scope that most of the document has:
there nobody told operations apart.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.known.declared import Meant
from gatecrash.formats.descriptions.document import as_list, as_object

METHODS: Final = ("get", "head", "options", "post", "put", "patch", "delete", "trace")
_LONGEST, _LONGEST_SAID = 2000, 80

_ROLE: Final = (
    r"(?:(?:super|sys(?:tem)?|site|global|platform)[ -]?)?admin(?:istrator)?s?(?: users?)?|super-?users?|managers?|moderators?"
    r"|staff(?: members?| users?)?|operators?|supervisors?"
)
_ROLES: Final = rf"(?P<roles>(?:{_ROLE})(?:(?:, ?| or | and |, or | ?/ ?)(?:{_ROLE})){{0,3}})"
_WHAT: Final = r"(?:endpoint|operation|route|call|resource|api|method|action|function|functionality|request)"
_THIS: Final = rf"(?:(?:(?:this|the) )?(?:{_WHAT} )?(?:is )?(?:an )?)?"
_RIGHTS: Final = r"(?: (?:role|rights|privileges?|permissions?|access|authentication|authori[sz]ation|token|credentials|account|login))?"
_ABROAD: Final = r"(?P<roles>admins?|administrator(?:en|s)?|administrateurs?|administradores)"
_KEPT: Final = (
    r"(?:only (?:for|by|(?:available|accessible|open|visible) (?:to|for|by)|(?:allowed|permitted) (?:to|for))"
    r"|(?:available|accessible|open|allowed|permitted|visible) (?:only|exclusively) (?:to|for|by)"
    r"|(?:access )?(?:is )?(?:restricted|limited|reserved) (?:to|for))"
)
_STATEMENTS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_THIS}(?:strictly )?(?:for )?{_ROLES}{_RIGHTS}[ -]only(?: {_WHAT}| access)?",
        rf"{_THIS}{_KEPT} (?:an |the )?{_ROLES}(?: role)?",
        rf"(?:{_THIS}|(?:the )?(?:caller|user) |you )(?:requires?|needs?|must (?:be|have)|needs? to be) (?:an? |the )?{_ROLES}{_RIGHTS}",
        rf"(?:an? |the )?{_ROLES}{_RIGHTS} (?:is |are )?(?:required|needed)",
        rf"only (?:an? |the )?{_ROLES}(?: (?:can|may) (?:access|use|call|perform|do)(?: it| this(?: {_WHAT})?)?)?",
        rf"@?(?:access|permissions?|authori[sz]ation|allowed|audience):? (?:private ?/ ?)?(?:is_?)?{_ROLES}(?: only)?",
        rf"(?:(?:caller|user|you) (?:is |are )?)?not (?:an? )?{_ROLES}",
        rf"(?:nur (?:f\u00fcr )?|s[o\u00f3]lo (?:para )?|apenas |somente |r[e\u00e9]serv[e\u00e9]e? aux? |hanya ){_ABROAD}",
        rf"{_ABROAD} (?:uniquement|seulement)",
    )
)
# A role of any name, where it is called one.
_ANY: Final = r"(?P<roles>[a-z][a-z_-]{2,19}(?:(?:, ?| or |, or | ?/ ?)[a-z][a-z_-]{2,19}){0,3})"
_NAMED: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:required roles?|roles? required|requires? (?:the )?roles?|allowed roles?|roles?|roles? allowed) ?: ?{_ANY}",
        rf"requires? (?:the )?roles? {_ANY}",
        rf"{_THIS}requires? (?:an? |the )?{_ANY} role",
    )
)
# `Roles: list` is what is done to roles, and `Required role: any` asks for none.
_NOBODYS: Final = re.compile(
    r"lists?|index|all|any|every|none|no|get|show|read|view|detail|create|add|new|update|edit|change|set|delete|remove|destroy|replace"
    r"|assign|unassign|grant|revoke|search|find|fetch|retrieve|browse|manage|management|overview|export|import|sync|copy|clone"
    r"|name|id|the|type|value|public|anonymou|everyone|everybody|anyone|anybody|authenticated|logged-in|true|false|optional|required"
)
_SAID: Final = (*_STATEMENTS, *_NAMED)
_BARE: Final = re.compile(r"(?P<roles>(?:super[ -]?)?admin(?:istrator)?)")
_AT_THE_END: Final = re.compile(rf" (?:(?:for|by) {_ROLES} only|only (?:for|by) {_ROLES.replace('roles', 'role')})\Z")
_AT_THE_START: Final = re.compile(rf"(?:this is )?(?:an )?{_ROLES}-only ")
# `Change the tariff (operators)`: said of several operations it is no part of what one of them does.
_NOTED_BEHIND: Final = re.compile(
    r"\w \((?P<roles>(?:admin|administrator|manager|moderator|operator|supervisor)s|staff)\)\Z"
)
_SEVERAL: Final = 2
_BRACKETS: Final = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_ACTS: Final = {
    "get": "retrieve|fetch|get|list|view|see|read|access",
    "post": "create|add|make|register|invite",
    "put": "update|change|edit|modify|replace|set",
    "patch": "update|change|edit|modify",
    "delete": "delete|remove",
}
# What somebody notes behind the words: `Requires admin (AdminGuard).`
_ASIDE: Final = re.compile(r" \([\w*:.@-]{1,40}\)\Z")
# Whoever else is spoken of may come as well, or sees less.
_OTHERS: Final = re.compile(
    r"\b(?:own|owns|owners?|oneself|themsel\w+|yourself|himself|herself|self|everyone|everybody|anyone|anybody|also|non-?admins?|unless|otherwise"
    r"|(?:regular|normal|ordinary|authenticated|logged[- ]in) (?:users?|members?|customers?)|not (?:yet )?enforced|when \w+ is"
    r"|(?:users?|customers?|members?|others) (?:can|may|see|sees|get|gets|receive|only))\b|\w ?= ?\w"
)
_PARTLY: Final = re.compile(
    r"\b(?:includ\w+|deleted|hidden|details|fields?|filters?|options?|parameters?|with|some|more|extra)\b"
)
# Those who come together have an administrator of their own there, who may be anybody.
_SHARED: Final = re.compile(
    r"/(?:org(?:ani[sz]ation)?s?|teams?|projects?|groups?|workspaces?|channels?|rooms?|tenants?|communit(?:y|ies)|clubs?|spaces?|boards?"
    r"|servers?|guilds?|compan(?:y|ies)|households?|famil(?:y|ies)|accounts?|stores?|shops?|chats?|conversations?|sites?|repos(?:itories)?|repo)(?=/|$)",
    re.IGNORECASE,
)
# Who lists all of them, or makes another one, is in none of them.
_COLLECTION: Final = re.compile(r"/[\w-]{2,}s/?\Z")
_TAG: Final = re.compile(r"(?:super[ -]?)?admin(?:istrators?|istration)?s?(?:[ :/_-].*)?", re.IGNORECASE)
_OF_THE_ADMIN: Final = re.compile(r"admin(?:[_-][a-z]+(?:[_-][a-z]+)|[A-Z][a-z]+(?:[A-Z][a-z]+))")
_NOTE: Final = re.compile(
    r"x-(?:(?:required|allowed|auth|needs|minimum|min)-?)?(?:roles?|role-required|roles-required|roles-allowed)",
    re.IGNORECASE,
)
_NOTE_ADMIN: Final = re.compile(r"x-(?:is-?|requires?-?)?admin(?:-?(?:only|required))?", re.IGNORECASE)
_SCOPE_WORD: Final = re.compile(r"(?<![a-z])(?:super-?)?admin(?:istrator|istration)?(?![a-z])", re.IGNORECASE)
# Whoever reads `staff:read` may be anybody who looks them up; a scope that is the role alone is theirs.
_SCOPE_ROLE: Final = re.compile(r"(?:roles?[:./_-])?(staff|manager|moderator|operator|supervisor)s?", re.IGNORECASE)
_MARKUP: Final = re.compile(r"<[^>]{1,40}>|[*`\"\u201c\u201d#]|(?<!\w)_|_(?!\w)")
_SENTENCE: Final = re.compile(r"[.;!](?:\s|$)|[\r\n]+")


class Intentions:
    """For whom the operations of one document are meant, as it says itself. intentions.of("/users", "get")"""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._paths = as_object(document.get("paths"))
        all_of_them = [each for item in self._paths.values() for each in _operations(item)]
        self._most = len(all_of_them) // 2
        self._tags = Counter(tag for each in all_of_them for tag in _tags(each))
        self._behind = Counter(_noted_behind(each) for each in all_of_them)
        self._privileged = sum(bool(self._scope(each)) for each in all_of_them)

    def of(self, path: str, operation: Mapping[str, Any]) -> Meant | None:
        """Who is meant by an operation's own words before its scopes, and those before what it is grouped by; None
        where nothing says so.
        """
        if _SHARED.search(_COLLECTION.sub("", path)):
            return None
        said = self._noted(operation) or _worded(path, operation) or self._behind_summary(operation)
        if said is not None or _speaks_of_others(operation):
            return said
        scope = self._scope(operation)
        if scope and self._privileged <= self._most:
            return _meant((_role_of_scope(scope),), f"the scope {scope!r}", "scope")
        tag = next((tag for tag in _tags(operation) if _TAG.fullmatch(tag) and self._tags[tag] <= self._most), "")
        if tag:
            return _meant(("admin",), f"the tag {tag!r}", "group")
        name = str(operation.get("operationId") or "")
        return _meant(("admin",), f"its name {name!r}", "group") if _OF_THE_ADMIN.match(name) else None

    @staticmethod
    def _noted(operation: Mapping[str, Any]) -> Meant | None:
        for name, value in operation.items():
            if _NOTE_ADMIN.fullmatch(str(name)) and value is True:
                return _meant(("admin",), f"{name}: true", "words")
            if _NOTE.fullmatch(str(name)):
                listed = [each.lower() for each in (as_list(value) or [value]) if isinstance(each, str)]
                return _meant(_known(listed), f"{name}: {', '.join(listed)}", "words")
        return None

    def _behind_summary(self, operation: Mapping[str, Any]) -> Meant | None:
        """The role in brackets behind its summary, where several have it; of what reads it may be of what is read, too."""
        roles = _noted_behind(operation)
        if not roles or self._behind[roles] < _SEVERAL or _speaks_of_others(operation):
            return None
        how = "group" if operation.get("method") == "get" else "words"
        return _meant(_known([roles]), repr(str(operation["summary"])[:_LONGEST_SAID]), how)

    def _scope(self, operation: Mapping[str, Any]) -> str:
        """A scope of those who manage that every way in needs; empty where one way needs none."""
        ways = [as_object(way) for way in as_list(operation.get("security", self._document.get("security")))]
        found = [
            next((str(one) for scopes in way.values() for one in as_list(scopes) if _role_of_scope(str(one))), "")
            for way in ways
        ]
        return found[0] if found and all(found) else ""


def _role_of_scope(scope: str) -> str:
    """The role of those who manage that a scope says; empty for any other scope."""
    if _SCOPE_WORD.search(scope):
        return "admin"
    role = _SCOPE_ROLE.fullmatch(scope)
    return role[1].lower() if role is not None else ""


def _operations(item: Any) -> Iterator[Mapping[str, Any]]:
    for method in METHODS:
        if isinstance(operation := as_object(item).get(method), dict):
            yield {**operation, "method": method}


def _tags(operation: Mapping[str, Any]) -> list[str]:
    return [tag for tag in as_list(operation.get("tags")) if isinstance(tag, str)]


def _worded(path: str, operation: Mapping[str, Any]) -> Meant | None:
    """What its summary, its description and the described 403 say, where they speak of nobody else."""
    if _speaks_of_others(operation):
        return None
    method = str(operation.get("method"))
    roles: dict[str, None] = {}
    words, how = "", "group"
    for text in _texts(operation):
        for place, sentence in enumerate(_SENTENCE.split(text)):
            plain = _plain(sentence)
            stated = _stated(plain, heads=not place)
            found = stated or _acting(plain, path, method)
            roles.update(dict.fromkeys(found))
            words = words or (" ".join(_MARKUP.sub(" ", sentence).split()) if found else "")
            how = "words" if stated or (found and method != "get") else how
    return _meant(_known(list(roles)), repr(words[:_LONGEST_SAID]), how)


def _texts(operation: Mapping[str, Any]) -> list[str]:
    refused = as_object(as_object(operation.get("responses")).get("403"))
    told = (operation.get("summary"), operation.get("description"), refused.get("description"))
    return [text[:_LONGEST] for text in told if isinstance(text, str)]


def _noted_behind(operation: Mapping[str, Any]) -> str:
    summary = operation.get("summary")
    found = _NOTED_BEHIND.search(_plain(summary[:_LONGEST])) if isinstance(summary, str) else None
    return found["roles"] if found is not None else ""


def _speaks_of_others(operation: Mapping[str, Any]) -> bool:
    return any(_OTHERS.search(_plain(text)) for text in _texts(operation))


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(" ", text).lower().replace("\u2013", "-").replace("\u2014", "-").split()).strip(" .,-")


def _stated(sentence: str, *, heads: bool) -> tuple[str, ...]:
    """The roles that a sentence names as those whom the operation is for. heads: it comes first, and names the operation itself."""
    found = _first(sentence, _SAID) or _first(_ASIDE.sub("", sentence), _SAID)
    if found or not heads or _PARTLY.search(sentence):
        return found
    bracketed = [each.strip() for each in _BRACKETS.findall(sentence)]
    bracketed = [each for each in bracketed if sentence.startswith(each, 1) or sentence[:-1].endswith(each)]
    before, _, after = re.sub(r"(?<=\w)(?:: | - )", "\n", sentence, count=1).partition("\n")
    heading = [*bracketed, before] if after else bracketed
    beside = [sentence.partition(", ")[0], sentence.rpartition(", ")[2]] if ", " in sentence else []
    told = (_first(piece, (*_SAID, _BARE)) for piece in heading)
    found = next(filter(None, (*told, *(_first(piece, _SAID) for piece in (after, *beside)))), ())
    if found:
        return found
    starting, ending = _AT_THE_START.match(sentence), _AT_THE_END.search(sentence)
    if starting is not None:
        return _split(starting["roles"])
    return _split(ending["roles"] or ending["role"]) if ending is not None else ()


def _acting(sentence: str, path: str, method: str) -> tuple[str, ...]:
    """`Only admins can delete users` of what deletes at `/users/{id}`; not of a part of it, as `only admins can see deleted ones`."""
    acts = _ACTS.get(method)
    if acts is None:
        return ()
    found = re.search(
        rf"(?:^| - |: )only (?:an? |the )?{_ROLES} (?:can|may|are allowed to|is allowed to) (?:{acts})"
        r" (?:an? |the |any |all |new )*(?P<thing>[a-z]+(?: [a-z]+){0,2})\Z",
        sentence,
    )
    named = (each.split("{")[0] for each in path.lower().split("/"))
    things = {_singular(each) for name in named for each in (name, *re.split(r"[_-]", name)) if each}
    return _split(found["roles"]) if found is not None and _singular(found["thing"]) in things else ()


def _singular(thing: str) -> str:
    """What things are called, however it is written: `ticket-types`, `ticket type`."""
    return re.sub(r"(?<!s)s$", "", re.sub(r"ies$", "y", re.sub(r"[^a-z]", "", thing)))


def _first(piece: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[str, ...]:
    found = next((found for pattern in patterns if (found := pattern.fullmatch(piece)) is not None), None)
    if found is None:
        return ()
    return _split(found["roles"])


def _split(roles: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in re.split(r",| or | and |/", roles) if each.strip())


def _known(roles: list[str]) -> tuple[str, ...]:
    """Roles as they are compared with others; none where one of them is that of anybody, or no role."""
    told = [re.sub(r" (?:users?|members?)$", "", each).removeprefix("role_").removeprefix("or ") for each in roles]
    plain = [re.sub(r"s$", "", re.sub(r"administra[td]\w+", "admin", each)) for each in told]
    if any(each in LOW_ROLES or not each or _NOBODYS.fullmatch(each) for each in plain):
        return ()
    return tuple(dict.fromkeys(plain))


def _meant(roles: tuple[str, ...], said: str, how: str) -> Meant | None:
    return Meant(roles, said, how) if roles else None
