"""The order in which decisions were made, also within one second."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0005_status_days")]

    operations = [
        migrations.AddField(name, "position", models.BigIntegerField(db_default=0))
        for name in ("authparameter", "apidocument", "templaterule")
    ]
