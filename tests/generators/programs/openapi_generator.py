import os
from datetime import date

import openapi_client as api

configuration = api.Configuration(
    host=os.environ["GATEHOUSE_API"], access_token=os.environ["GATEHOUSE_API_KEY"]
)
client = api.ApiClient(configuration)
issuing, bulk = api.IssuingApi(client), api.BulkApi(client)
CSV = "name,email\nGrace Student,grace@example.org\nZoë Müller,zoe@example.org\n".encode()
batch = {"title": "First aid", "var_date": date(2026, 11, 20)}

assert bulk.check_batch(CSV, **batch).rows == 2, "check"
issued = issuing.issue_document(
    api.IssueDocumentBody(
        recipient=api.IssueDocumentBodyRecipient(name="Grace Student", email="grace@example.org"),
        title="Record of results",
        type="Transcript",
        file="QQ==",
        file_name="results.txt",
    )
)
assert issued.mail == "postponed", "unknown value"
assert any(each.id == issued.id for each in issuing.list_documents().data), "list"
version = api.ReplaceDocumentBody(file="Qg==", file_name="results.txt")
assert len(issuing.replace_document(issued.id, version).versions) == 2, "replace"
assert issuing.download_document(issued.id) == b"B", "download"
created = bulk.create_batch(CSV, **batch)
assert bulk.send_batch(created.id, {}).id == created.id, "send"
withdrawn = issuing.withdraw_document(issued.id, api.WithdrawDocumentBody(reason="Annulled"))
assert withdrawn.status == "withdrawn", "withdraw"
