"""Errors of GraphQL and JSON-RPC are told under a good status, and words about errors are none."""

import pytest

from gatecrash.core.testing.oracles.outcomes.told_errors import (
    blames_the_sender,
    gives_nothing,
    reason_of_fault,
    results_in_errors,
    tells_errors,
)


@pytest.mark.parametrize(
    "text",
    [
        '{"data": null, "errors": [{"message": "Something failed", "path": ["a"]}]}',
        '{"jsonrpc": "2.0", "error": {"code": -32603, "message": "Internal error", "data": "…"}, "id": 1}',
        '{"result": null, "error": {"code": 1, "message": "no such order"}, "id": "a"}',
    ],
)
def test_a_list_of_messages_and_an_error_in_the_place_of_a_result_are_told(text):
    assert tells_errors(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"data": {"errors": [{"message": "x"}]}}',
        '{"errors": []}',
        '{"errors": {"name": "is taken"}}',
        '{"errors": [3]}',
        '{"errors": [{"message": "cut off',
        'errors: [{"message": "x"}]',
        "{}",
        '{"jsonrpc": "2.0", "result": {"error": {"code": 1, "message": "x"}}, "id": 1}',
        '{"jsonrpc": "2.0", "result": 3, "error": null, "id": 1}',
        '{"error": {"code": 1, "message": "x"}}',
        '{"error": "x", "id": 1}',
        '[{"error": 1}]',
    ],
)
def test_other_words_about_errors_are_none(text):
    assert not tells_errors(text)


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ('{"data": null, "errors": [{"message": "x"}]}', True),
        ('{"errors": [{"message": "x"}]}', True),
        ('{"data": {"me": null}}', True),
        ('{"data": {"a": null, "b": 0}, "errors": [{"message": "x"}]}', False),
        ('{"data": {}}', False),
        ('{"data": null}', False),
        ('{"data": [1]}', False),
        ('{"items": null}', False),
        ('{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Invalid params."}}', True),
        ('{"jsonrpc": "2.0", "id": 1, "result": {"data": 1, "error": null}}', False),
        ('{"data": {"me": nu', False),
        ("[]", False),
    ],
)
def test_an_answer_without_any_data_gives_nothing(text, nothing):
    assert gives_nothing(text) is nothing


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ('{"data": {"redeem": {"__typename": "VoucherUnknownError", "message": "no such voucher"}}}', True),
        ('{"data": {"redeem": {"errorCode": "NO_SUCH_VOUCHER", "message": "no such voucher"}}}', True),
        ('{"data": {"redeem": {"__typename": "VoucherUnknownError", "message": "x"}, "cart": {"id": 1}}}', False),
        ('{"data": {"redeem": {"__typename": "Voucher", "message": "for you"}}}', False),
        ('{"data": {"redeem": {"errorCode": null, "message": "done", "id": 4}}}', False),
        ('{"data": {"redeem": {"__typename": "ReportOfError", "id": 1}}}', False),
        ('{"data": {}, "message": "x"}', False),
        ('{"data": ["message"]}', False),
        ('{"message": "cut off', False),
    ],
)
def test_a_result_may_be_an_error_by_its_type_or_its_code(text, errors):
    assert results_in_errors(text) is errors


FAULT = "<methodResponse>\n<fault><value><struct/></value></fault></methodResponse>"
SOAP = '<?xml version="1.0"?><s:Envelope xmlns:s="urn:s"><s:Body>{}</s:Body></s:Envelope>'


@pytest.mark.parametrize(
    "text", [FAULT, '<?xml version="1.0"?>' + FAULT, SOAP.format("<s:Fault><faultcode/></s:Fault>")]
)
def test_a_fault_is_an_error_that_gives_nothing(text):
    assert tells_errors(text)
    assert gives_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        SOAP.format("<GetResponse><fault>none</fault></GetResponse>"),
        SOAP.format("<FaultList/>"),
        "<methodResponse><params><param><value>fault</value></param></params></methodResponse>",
        "<html><body><p>&lt;Fault&gt;</p></body></html>",
    ],
)
def test_a_document_about_faults_is_none(text):
    assert not tells_errors(text)
    assert not gives_nothing(text)


ELEVEN = "<s:Fault><faultcode>{}</faultcode><faultstring>No &lt;id&gt; Client</faultstring></s:Fault>"
TWELVE = "<s:Fault><s:Code><s:Value>{}</s:Value></s:Code><s:Reason><s:Text xml:lang='en'>No &lt;id&gt; Client</s:Text></s:Reason></s:Fault>"


@pytest.mark.parametrize("written", [ELEVEN, TWELVE])
@pytest.mark.parametrize(
    ("code", "blames"),
    [
        ("s:Client", True),
        ("Client.Authentication", True),
        ("s:Sender", True),
        ("s:Server", False),
        ("s:Receiver", False),
        ("ClientBroken", False),
    ],
)
def test_a_fault_of_soap_says_whose_it_is_and_why(written, code, blames):
    text = SOAP.format(written.format(code))
    assert blames_the_sender(text) is blames
    assert reason_of_fault(text) == "No <id> Client"


@pytest.mark.parametrize(
    "text", ["", FAULT, SOAP.format("<faultcode>s:Client</faultcode><faultstring>a</faultstring>")]
)
def test_what_is_no_fault_of_soap_blames_nobody(text):
    assert not blames_the_sender(text)
    assert reason_of_fault(text) == ""
