"""Formulas: a small language of sums, texts, members and calls, which Node evaluates, and nothing in which defines a function."""

import json
import shutil

from gatecrash.core.message import Response
from tests.range.code import NODE, QUICK
from tests.range.place import Given, flaw, text, twin

# Sums, texts, members and calls, evaluated one after the other; nothing defines a function.
FORMULAS = """
(function (text) {
  const tokens = text.match(/\\s*("[^"]*"|'[^']*'|[\\d.]+|\\w+|[^\\s])/g).map(each => each.trim()); let at = 0;
  const list = () => { const found = []; while (tokens[at] !== ')') { found.push(sum()); if (tokens[at] === ',') at++ } at++; return found };
  const get = (value, name) => { return %s };
  const value = () => { const token = tokens[at++];
    let found = token === '(' ? list()[0] : /^["']/.test(token) ? token.slice(1, -1) : /^\\d/.test(token) ? Number(token) : undefined;
    if (found === undefined) throw new Error('unknown ' + token);
    let owner; for (;;) { if (tokens[at] === '.') { owner = found; found = get(found, tokens[at + 1]); at += 2 }
      else if (tokens[at] === '(') { at++; found = found.apply(owner, list()) } else return found } };
  const product = () => { let left = value(); while (tokens[at] === '*') { at++; left = Number(left) * Number(value()) } return left };
  const sum = () => { let left = product(); while (tokens[at] === '+') { at++; left = Number(left) + Number(product()) } return left };
  const found = sum(); if (at < tokens.length) throw new Error('unexpected ' + tokens[at]); return found;
})(%s)"""


def formula(given: str, member: str) -> Response:
    """What a formula comes to; member: how a member of a value is got."""
    told = NODE(FORMULAS % (member, json.dumps(given)))
    return text("cannot compute", 400) if "Error" in told else text(told)


if shutil.which("node"):

    @flaw("rce", value="2+3", ways=QUICK)
    def javascript_of_formulas(given: Given) -> Response:
        """A language of formulas whose values keep all that objects have."""
        return formula(given.q, "value[name]")

    @twin("rce", value="2+3", ways=QUICK)
    def javascript_of_formulas_with_own_members(given: Given) -> Response:
        return formula(given.q, "Object.hasOwn(Object(value), name) ? value[name] : undefined")

    @twin("rce", value="2+3", ways=QUICK)
    def javascript_of_formulas_without_constructors(given: Given) -> Response:
        return formula(given.q, "name === 'constructor' || /^__/.test(name) ? undefined : value[name]")
