"""What document stores, directories and XPath evaluators say when a query is broken: lists of our own, by kind.

Only complaints about the query itself count. A value of the wrong type ("Cast to string failed", "must be a string") is
what a sound application answers to an operator, and is not here.
"""

import re

NOSQL, LDAP, XPATH = "nosql", "ldap", "xpath"

_SIGNATURES = {
    NOSQL: (
        r"unknown (?:top level )?operator:? \$?\w",
        r"\$\w{1,40} is not (?:a )?valid (?:operator|for use)",
        r"Mongo(?:Server|Db|DB)?(?:\\?)?(?:Error|Exception|CommandException): (?:unknown|Can't|\$|SyntaxError|.{0,40}BadValue)",
        r"MongoDB\\Driver\\Exception\\\w+: unknown",
        r"MongoQueryException|JSInterpreterFailure",
        r"pymongo\.errors\.OperationFailure: (?:unknown|\$)",
        r"Can't canonicalize query",
        r"Unknown comparison function \$\w",
        r"Invalid (?:query )?selector(?:_parse)?.{0,40}operator",
    ),
    LDAP: (
        r"Bad search filter",
        r"ldap_search\(\): Search:",
        r"javax\.naming\.(?:directory\.InvalidSearchFilter|InvalidName)Exception",
        # With a position behind it, it is what Python says of a regular expression.
        r"(?:Unbalanced|Missing) (?:parenthesis|'(?:\(|\))')(?! at position)",
        r"ldap\.FILTER_ERROR",
        r"LDAPInvalidFilterError|malformed filter",
        r"com\.unboundid\.ldap\.sdk\.LDAPException.{0,80}filter",
        r"The search filter (?:is|cannot be) (?:invalid|recognized)|The .{0,40} search filter is invalid",
        r"InvalidFilter(?:Error|Exception)",
    ),
    XPATH: (
        r"lxml\.etree\.XPath(?:Eval|Syntax)Error|XPath(?:Eval|Syntax)Error: ",
        r"\bInvalid (?:predicate|expression)\b",
        r"xmlXPath(?:Eval|CompOpEval|CompiledEval)",
        r"(?:DOMXPath|SimpleXMLElement)::\w+\(\)",
        r"javax\.xml\.(?:xpath\.XPath(?:Expression)?|transform\.Transformer)Exception.{0,200}",
        r"System\.Xml\.XPath\.XPathException|has an invalid (?:token|qualified name)",
        r"XPathException|org\.apache\.xpath",
        r"XPST0003|XPTY00\d\d",
        r"Unterminated string literal|Expected token '\]'",
        r"invalid predicate",
    ),
}
# What a text must speak of, and what of its complaints it must hold: "token" alone is in most pages with a form.
_HINTS = {
    NOSQL: (
        ("operator", "mongo", "canonicalize", "comparison function", "jsinterpreter"),
        (
            "unknown operator",
            "unknown top level operator",
            "is not valid",
            "is not a valid",
            "mongo",
            "jsinterpreter",
            "canonicalize",
            "comparison function",
            "invalid selector",
            "invalid query selector",
        ),
    ),
    LDAP: (
        ("filter", "ldap", "parenthes", "javax.naming"),
        (
            "search filter",
            "ldap",
            "javax.naming",
            "unbalanced ",
            "missing parenthesis",
            "missing '",
            "malformed filter",
            "invalidfilter",
        ),
    ),
    XPATH: (
        ("xpath", "predicate", "expression", "token", "xpst", "literal"),
        (
            "xpath",
            "xpst",
            "xpty",
            "javax.xml",
            "simplexmlelement",
            "invalid predicate",
            "invalid expression",
            "has an invalid ",
            "unterminated string literal",
            "expected token '",
        ),
    ),
}
_ANY = {kind: re.compile("|".join(patterns), re.IGNORECASE) for kind, patterns in _SIGNATURES.items()}
_MOST = 200_000


def complaints(text: str, kind: str) -> frozenset[str]:
    """The words in which a text complains of a broken query of this kind, in lower case."""
    text = text[:_MOST]
    lowered = text.lower()
    if not all(any(hint in lowered for hint in hints) for hints in _HINTS[kind]):
        return frozenset()
    return frozenset(found[0].lower()[:40] for found in _ANY[kind].finditer(text))
