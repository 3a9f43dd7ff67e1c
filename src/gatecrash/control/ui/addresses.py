"""The addresses of the pages. Every one takes the methods that its view names with `@page`, and no other."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.socialaccount import views as social
from django.urls import path
from django.views.generic import RedirectView

from gatecrash.control.accounts import openid, sign_in
from gatecrash.control.accounts import pages as accounts
from gatecrash.control.findings import pages as findings
from gatecrash.control.inventory import pages as inventory
from gatecrash.control.inventory import parameter_pages as parameters
from gatecrash.control.nodes import pages as nodes
from gatecrash.control.notifications import pages as notifications
from gatecrash.control.policies import pages as policies
from gatecrash.control.profiles import pages as profiles
from gatecrash.control.schedules import pages as schedules
from gatecrash.control.testruns import import_pages, start_pages
from gatecrash.control.testruns import pages as testruns
from gatecrash.control.testruns import record_pages as records
from gatecrash.control.ui import pages

SIGN_IN = [
    path("sign-in/", sign_in.sign_in, name="account_login"),
    path("sign-out/", sign_in.sign_out, name="account_logout"),
    path("sign-in/code/", mfa.authenticate, name="mfa_authenticate"),
    path("sign-in/confirm/", account.reauthenticate, name="account_reauthenticate"),
    path("sign-in/confirm/code/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("sign-in/inactive/", account.account_inactive, name="account_inactive"),
    path("sign-in/failed/", social.login_error, name="socialaccount_login_error"),
    path("sign-in/cancelled/", social.login_cancelled, name="socialaccount_login_cancelled"),
    path("sign-in/with/<str:provider_id>/", sign_in.single_sign_on, name="openid_connect_login"),
    path("sign-in/with/<str:provider_id>/back/", openid.callback, name="openid_connect_callback"),
    path("account/two-factor/on/", totp.activate_totp, name="mfa_activate_totp"),
    path("account/two-factor/off/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("account/two-factor/", RedirectView.as_view(pattern_name="account"), name="mfa_index"),
    path("account/recovery-codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("account/recovery-codes/new/", recovery.generate_recovery_codes, name="mfa_generate_recovery_codes"),
]
PAGES = [
    path("", pages.dashboard, name="dashboard"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.change_password, name="account_password"),
    path("account/client/", accounts.choose_client, name="choose_client"),
    path("inventory/", inventory.inventory, name="inventory"),
    path("inventory/export/<form>", inventory.export, name="inventory_export"),
    path("inventory/<endpoint_id>/", inventory.endpoint, name="endpoint"),
    path("inventory/<endpoint_id>/test/", inventory.test_endpoint, name="test_endpoint"),
    path("inventory/<endpoint_id>/public/", inventory.mark_public, name="mark_public"),
    path("inventory/<endpoint_id>/not-public/", inventory.unmark_public, name="unmark_public"),
    path("auth-parameters/", parameters.auth_parameters, name="auth_parameters"),
    path("auth-parameters/<auth_parameter_id>/remove/", parameters.remove_auth_parameter, name="remove_auth_parameter"),
    path("runs/", testruns.runs, name="runs"),
    path("runs/new/", testruns.new_run, name="new_run"),
    path("runs/<test_run_id>/", testruns.run, name="run"),
    path("runs/<test_run_id>/copy/", testruns.copy_run, name="copy_run"),
    path("schedules/", schedules.schedules, name="schedules"),
    path("schedules/new/", schedules.new_schedule, name="new_schedule"),
    path("schedules/<schedule_id>/change/", schedules.change_schedule, name="change_schedule"),
    path("schedules/<schedule_id>/delete/", schedules.delete_schedule, name="delete_schedule"),
    path("records/<test_record_id>/test/", testruns.test_record, name="test_record"),
    path("runs/<test_run_id>/action/<action>/", testruns.act, name="act"),
    path("runs/<test_run_id>/baselines/", testruns.run_baselines, name="run_baselines"),
    path("runs/<test_run_id>/told/", testruns.run_told, name="run_told"),
    path("runs/<test_run_id>/baselines/<baseline_id>/", testruns.baseline, name="baseline"),
    path("runs/<test_run_id>/compare/", testruns.compare, name="compare_runs"),
    path("runs/<test_run_id>/report/<format_name>/", testruns.download_report, name="run_report"),
    path("vulnerabilities/", findings.vulnerabilities, name="vulnerabilities"),
    path("vulnerabilities/<vulnerability_id>/", findings.vulnerability, name="vulnerability"),
    path("vulnerabilities/<vulnerability_id>/decide/", findings.decide, name="decide"),
    path("vulnerabilities/<vulnerability_id>/suppress/", findings.suppress, name="suppress"),
    path("vulnerabilities/<vulnerability_id>/unsuppress/", findings.unsuppress, name="unsuppress"),
    path("vulnerabilities/<vulnerability_id>/retest/", testruns.retest, name="retest"),
    path("policies/", policies.policies, name="policies"),
    path("policies/new/", policies.new_policy, name="new_policy"),
    path("policies/<policy_id>/", policies.policy, name="policy"),
    path("policies/<policy_id>/change/", policies.change_policy, name="change_policy"),
    path("policies/<policy_id>/delete/", policies.delete_policy, name="delete_policy"),
    path("auth-profiles/", profiles.profiles, name="auth_profiles"),
    path("auth-profiles/new/", profiles.new_profile, name="new_auth_profile"),
    path("auth-profiles/<auth_profile_id>/", profiles.profile, name="auth_profile"),
    path("auth-profiles/<auth_profile_id>/replace/", profiles.replace_profile, name="replace_auth_profile"),
    path("auth-profiles/<auth_profile_id>/delete/", profiles.delete_profile, name="delete_auth_profile"),
    path("records/", records.records, name="records"),
    path("records/import/", import_pages.import_record, name="import_record"),
    path("records/read/", start_pages.read_record, name="read_record"),
    path("records/<test_record_id>/", records.record, name="record"),
    path("records/<test_record_id>/stop/", records.stop_record, name="stop_record"),
    path("records/<test_record_id>/delete/", records.delete_record, name="delete_record"),
    path("nodes/", nodes.nodes, name="nodes"),
    path("nodes/builds/remove/", nodes.remove_builds, name="remove_builds"),
    path("nodes/<node_id>/remove/", nodes.remove_node, name="remove_node"),
    path("webhooks/", notifications.webhooks, name="webhooks"),
    path("webhooks/new/", notifications.new_webhook, name="new_webhook"),
    path("webhooks/<webhook_id>/", notifications.webhook, name="webhook"),
    path("webhooks/<webhook_id>/change/", notifications.change_webhook, name="change_webhook"),
    path("webhooks/<webhook_id>/test/", notifications.test_webhook, name="test_webhook"),
    path("webhooks/<webhook_id>/secret/", notifications.replace_secret, name="replace_webhook_secret"),
    path("webhooks/<webhook_id>/delete/", notifications.delete_webhook, name="delete_webhook"),
    path("tokens/", accounts.tokens, name="tokens"),
    path("tokens/<token_id>/revoke/", accounts.revoke_token, name="revoke_token"),
    path("users/", accounts.users, name="users"),
    path("users/<user_id>/", accounts.user, name="user"),
    path("users/<user_id>/remove/", accounts.remove_user, name="remove_user"),
    path("users/<user_id>/second-factor/", accounts.take_second_factor, name="take_second_factor"),
    path("audit/", accounts.audit_log, name="audit"),
    path("settings/", accounts.settings_page, name="settings"),
    path("settings/tests/", accounts.switch_tests, name="switch_tests"),
]
urlpatterns = [*SIGN_IN, *PAGES]
