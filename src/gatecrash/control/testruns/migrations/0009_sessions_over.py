"""Whether a recorded session was over at the target, so that its user has to sign in anew."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("testruns", "0008_user_count")]
    operations = [
        migrations.AddField(model_name="testrun", name="sessions_over", field=models.BooleanField(default=False)),
    ]
