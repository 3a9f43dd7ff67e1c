"""Rows of test records and test runs. Times are UNIX seconds; those that estimates are made of have fractions."""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.nodes.models import Node
from gatecrash.control.tenant import TenantModel
from gatecrash.core.reports.left_out import left_out
from gatecrash.core.testing.policy import BUILT_IN

NAME = 255


class TestRecord(TenantModel):
    """The baselines of a run, or of several. recorder: the run that records into it; empty for a record made alone.

    recording: the node is to take baselines. draining: it is over, the node's last ones are awaited; only a record that
    does neither may be copied. last_sequence: of the baseline stored last, 0 without one.
    heard_at: when the last baseline came, for the inactivity timeout. stopped_at: when recording was over.
    confirmed: the node said that it records. deleted_at: its baselines are gone, or will be soon; its runs stay.
    start: the address that its node makes it from, and how far that is (see `starting`); null for what is recorded.
    """

    __test__ = False  # pytest would take the name for a test class

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    node = models.ForeignKey(Node, null=True, on_delete=models.DO_NOTHING, related_name="+")
    recorder = models.CharField(max_length=MAX_LENGTH, blank=True, default="")
    recording = models.BooleanField(default=False)
    draining = models.BooleanField(default=False)
    inactivity_timeout = models.IntegerField(default=1800)
    baseline_count = models.IntegerField(default=0)
    last_sequence = models.IntegerField(default=0)
    domains = models.JSONField(default=list)
    heard_at = models.FloatField()
    stopped_at = models.FloatField(null=True)
    confirmed = models.BooleanField(default=False)
    created_at = models.BigIntegerField()
    deleted_at = models.BigIntegerField(null=True)
    start = models.JSONField(null=True)

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["client", "-created_at"], name="record_listing"),
            models.Index(
                fields=["recording", "draining"],
                condition=models.Q(recording=True) | models.Q(draining=True),
                name="record_open",
            ),
        ]


class TestRun(TenantModel):
    """A run: the memory of the core's state machine, and all that a poll answers, so that a poll is one read.

    session: the node's start that holds the lease. confirmed: the node said that it records. policy: a client's own
    policy as it was when the run began, null for a built-in one. recent: sent per second (see
    `mapping.recent_seconds`). vulns: the vulnerabilities as the run object shows them.
    revision: rises with every change, for readers who wait. clone_until: the last sequence that a copy takes;
    clone_only: those that it takes, null for all.
    recorded: the users that the record shows, sealed for this row; empty for none, null until looked for and again when
    the run has ended. answered: what the record's senders were answered to what only others of them had asked, sealed;
    null until a node has told, and again when the run has ended. whose: the first credentials recorded, as a keyed
    digest; others show that there may be more than one user. user_count: how many different ones the tests know; null
    until looked for. notes: sentences about the record.
    credential_headers: names of headers without which the target refuses, as a node has found by asking.
    bare: the record holds no credentials at all. baseline_untested_count: passed with no test at all. sessions_over: a
    recorded session was refused at the target, and whoever signed in is to sign in anew.
    """

    __test__ = False

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    desc = models.TextField(blank=True, default="")
    record = models.ForeignKey(TestRecord, on_delete=models.DO_NOTHING, related_name="+")
    test_record_name = models.CharField(max_length=NAME)
    node = models.ForeignKey(Node, on_delete=models.DO_NOTHING, related_name="+")
    session = models.CharField(max_length=MAX_LENGTH, blank=True, default="")
    confirmed = models.BooleanField(default=False)
    policy_id = models.CharField(max_length=MAX_LENGTH)
    policy = models.JSONField(null=True)
    auth_profile_id = models.CharField(max_length=MAX_LENGTH, null=True)
    recorded = models.BinaryField(null=True)
    answered = models.BinaryField(null=True)
    bare = models.BooleanField(default=False)
    sessions_over = models.BooleanField(default=False)
    whose = models.CharField(max_length=32, blank=True, default="")
    user_count = models.IntegerField(null=True)
    notes = models.JSONField(default=list)
    credential_headers = models.JSONField(default=list)
    target_url = models.TextField(null=True)
    file_extensions_to_exclude = models.TextField(blank=True, default="")
    skip_duplicated_baselines = models.BooleanField(default=True)
    rps = models.IntegerField(null=True)
    rps_per_baseline = models.IntegerField(null=True)
    inactivity_timeout = models.IntegerField(default=1800)
    tags = models.JSONField(default=list)
    domains = models.JSONField(default=list)
    vulns = models.JSONField(default=list)
    recent = models.JSONField(default=dict)
    revision = models.BigIntegerField(default=1)
    is_copy = models.BooleanField(default=False)
    clone_from = models.IntegerField(default=0)
    clone_until = models.IntegerField(default=0)
    clone_only = models.JSONField(null=True)
    inconclusive_count = models.IntegerField(default=0)
    baseline_untested_count = models.IntegerField(default=0)
    authenticated_good = models.IntegerField(default=0)
    authenticated_all = models.IntegerField(default=0)
    created_at = models.BigIntegerField()
    updated_at = models.FloatField()

    # The fields of core.testing.run.Run, by their names there.
    state = models.CharField(max_length=16)
    generation = models.IntegerField(default=1)
    recording = models.BooleanField(default=False)
    draining = models.BooleanField(default=False)
    stop_on_first_fail = models.BooleanField(default=False)
    waiting = models.IntegerField(default=0)
    running = models.IntegerField(default=0)
    skipped = models.IntegerField(default=0)
    passed = models.IntegerField(default=0)
    failed = models.IntegerField(default=0)
    technical = models.IntegerField(default=0)
    interrupted = models.IntegerField(default=0)
    waiting_found = models.IntegerField(default=0)
    running_found = models.IntegerField(default=0)
    vulnerabilities = models.IntegerField(default=0)
    planned_waiting = models.BigIntegerField(default=0)
    planned_running = models.BigIntegerField(default=0)
    forecast_running = models.BigIntegerField(default=0)
    sent_before = models.BigIntegerField(default=0)
    sent_reported = models.BigIntegerField(default=0)
    sent_checked = models.BigIntegerField(default=0)
    start_time = models.FloatField()
    end_time = models.FloatField(null=True)
    paused_at = models.FloatField(null=True)
    paused_seconds = models.FloatField(default=0.0)
    interrupt_reason = models.CharField(max_length=32, null=True)
    listening_until = models.FloatField(default=0.0)
    users_due = models.BooleanField(default=False)

    @property
    def types_left_out(self) -> list[str]:
        """Vulnerability types that its policy does not look for; none where nobody kept the policy."""
        if self.policy is None:
            known = BUILT_IN.get(self.policy_id)
            return left_out(known.types) if known is not None else []
        return left_out(self.policy["types"], only_custom=bool(self.policy.get("only_custom")))

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["client", "-created_at"], name="run_listing"),
            models.Index(fields=["client", "record"], name="run_by_record"),
            models.Index(
                fields=["node"],
                condition=models.Q(state__in=("cloning", "running", "paused")) | models.Q(draining=True),
                name="run_at_work",
            ),
        ]
