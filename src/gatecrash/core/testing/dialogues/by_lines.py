r"""Whether a value may be checked line by line, so that another line beside it passes.

In Ruby `^` and `$` are the ends of any line: `value =~ /^\d+$/` takes whatever has one line of digits.
"""

from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.oracles.difference import same_but_for_numbers
from gatecrash.core.testing.oracles.platforms import opens_pipes
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Situation


def is_checked_in_ruby(situation: Situation) -> bool:
    """Whether a value that may have several lines is read by Ruby, as far as it tells, or Perl."""
    baseline = situation.baseline
    return situation.point[0] != "header" and opens_pipes(baseline.request, baseline.response)


def may_be_checked_by_lines(inquiry: Inquiry) -> bool:
    """Whether all that was sent was refused alike by Ruby; or by any platform where all is asked."""
    situation = inquiry.situation
    asked = is_checked_in_ruby(situation) or (is_thorough(situation.policy) and situation.point[0] != "header")
    return asked and all_refused_alike(inquiry)


def all_refused_alike(inquiry: Inquiry) -> bool:
    """Whether all that was sent was answered in the same words, which are not the baseline's: as by a check of its form."""
    if not inquiry.replies or inquiry.as_usual(inquiry.replies[0]):
        return False
    first = inquiry.replies[0].reading
    return all(same_but_for_numbers(first, each.reading) for each in inquiry.replies)
