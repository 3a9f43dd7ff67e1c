"""Queries of `graphql`: all of them read the schema and none reads or changes data.

`alias` is replaced by fresh letters, so that an answer which shows them was made for this very query.
"""

INTROSPECTION = "{ __schema { queryType { name } types { name kind } } }"
# `nam` is no field of a type, `name` is.
MISSPELT = "{ __schema { queryType { nam } } }"
# Filters that look for the word `__schema` know one of the two fields only (GraphQL specification, section 4.2).
TYPE_OF_QUERIES = '{ alias: __type(name: "Query") { fields { name } } }'
# The same question for filters that compare its text: blanks, commas and line ends mean nothing there (section 2.1).
SPACED = "query\t{,__schema\n,{ types\n{ name,kind } } }"
# Where consoles stand beside an endpoint.
CONSOLES = (b"graphiql", b"playground", b"altair")
ALIASES = 100
# An operation asked so often must not answer with more than this, in bytes.
LARGEST_ANSWER = 8_000
BATCHED = "{ alias: __typename }"
# One name asked for so often is answered once; to see that all are the same, servers compare each with each (section 5.3.2).
DUPLICATES = 200
# A directive that changes nothing, so often; at one place it may stand once (section 5.7.3).
DIRECTIVES = 200
# The type of a type, again and again: null from the second level on, so that depth costs the server nothing.
DEEP = '{ alias: __type(name: "String") { name LEVELS } }'
DEPTH = 25


def deep(query: str) -> str:
    """The query with its levels."""
    return query.replace("LEVELS", "ofType { name " * DEPTH + "}" * DEPTH)


def nested(name: str) -> str:
    """As many levels of fields of a name."""
    return f"{{ {name} " * DEPTH + "}" * DEPTH


def duplicated(query: str) -> str:
    """The query with its field over and over, the alias included."""
    field = query.strip("{} ")
    return f"{{ {' '.join([field] * DUPLICATES)} }}"


def directed(query: str) -> str:
    """The query with a directive over and over behind its field."""
    return query.replace("}", f"{'@include(if: true) ' * DIRECTIVES}}}")
