"""When a schedule is due: daily or on a weekday at an hour of UTC, or every so many hours. Times are UNIX seconds."""

from dataclasses import dataclass

RHYTHMS = ("daily", "weekly", "hours")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
HOUR, DAY = 3600, 86400
_FIRST_DAY = WEEKDAYS.index("thursday")  # 1970-01-01


@dataclass(frozen=True, slots=True)
class Rhythm:
    """kind: one of RHYTHMS. hour: of the day, for daily and weekly. hours: between two, counted from `anchor`."""

    kind: str
    hour: int
    weekday: str
    hours: int
    anchor: int

    def after(self, at: int) -> int:
        """The first time behind `at`; those that were missed are not made up for."""
        if self.kind == "hours":
            step = self.hours * HOUR
            return self.anchor + step * max(1, (at - self.anchor) // step + 1)
        due = at // DAY * DAY + self.hour * HOUR
        if self.kind == "weekly":
            today = (at // DAY + _FIRST_DAY) % 7
            due += (WEEKDAYS.index(self.weekday) - today) % 7 * DAY
        step = DAY if self.kind == "daily" else 7 * DAY
        return due if due > at else due + step

    @property
    def words(self) -> str:
        """As people say it."""
        if self.kind == "hours":
            return "every hour" if self.hours == 1 else f"every {self.hours} hours"
        when = "daily" if self.kind == "daily" else f"on {self.weekday.capitalize()}s"
        return f"{when} at {self.hour:02}:00 UTC"
