import os
from datetime import date
from io import BytesIO

from client import AuthenticatedClient
from client.api.bulk import check_batch, create_batch, send_batch
from client.api.issuing import (
    download_document,
    issue_document,
    list_documents,
    replace_document,
    withdraw_document,
)
from client.models import (
    IssueDocumentBody,
    IssueDocumentBodyRecipient,
    ReplaceDocumentBody,
    SendBatchBody,
    WithdrawDocumentBody,
)
from client.types import File

api = AuthenticatedClient(
    base_url=os.environ["GATEHOUSE_API"], token=os.environ["GATEHOUSE_API_KEY"]
)
CSV = "name,email\nGrace Student,grace@example.org\nZoë Müller,zoe@example.org\n".encode()


def csv():
    return File(payload=BytesIO(CSV), file_name="graduates.csv", mime_type="text/csv")


batch = {"title": "First aid", "date": date(2026, 11, 20), "client": api}
assert check_batch.sync(body=csv(), **batch).rows == 2, "check"
issued = issue_document.sync(
    client=api,
    body=IssueDocumentBody(
        recipient=IssueDocumentBodyRecipient(name="Grace Student", email="grace@example.org"),
        title="Record of results",
        type_="Transcript",
        file="QQ==",
        file_name="results.txt",
    ),
)
assert issued.mail == "postponed", "unknown value"
listed = list_documents.sync(client=api)
assert any(each.id == issued.id for each in listed.data), "list"
version = ReplaceDocumentBody(file="Qg==", file_name="results.txt")
assert len(replace_document.sync(issued.id, client=api, body=version).versions) == 2, "replace"
assert download_document.sync(issued.id, client=api).payload.read() == b"B", "download"
created = create_batch.sync(body=csv(), **batch)
sent = send_batch.sync(created.id, client=api, body=SendBatchBody())
assert sent.id == created.id, "send"
reason = WithdrawDocumentBody(reason="Annulled")
assert withdraw_document.sync(issued.id, client=api, body=reason).status == "withdrawn", "withdraw"
