from django.db import migrations

from gatecrash.control.inventory import schema


class Migration(migrations.Migration):
    dependencies = [("inventory", "0001_initial")]
    operations = [migrations.RunPython(schema.create, schema.drop)]
