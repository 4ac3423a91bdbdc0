import os
from base64 import b64encode
from pathlib import Path

from gatehouse import call

# region readIssuer
issuer = call("GET", "/api/documents/issuer")
print(issuer["name"], "test mode" if issuer["test"] else "live mode")
# end region

# region issueDocument: Make a certificate
document = call("POST", "/api/documents", {
    "recipient": {"name": "Grace Student", "email": "grace@example.org"},
    "title": "Certificate III in Early Childhood Education",
    "type": "Certificate",
    "date": "2026-11-20",
    "external_id": "2026-0117",
    "template": {
        "name": "certificate",
        "fields": {"subtitle": "CHC30121", "grade": "Competent", "signatory": "Ruth Harbour"},
    },
})
print(document["id"], document["url"])
# end region

# region checkNewDocument
checked = call("POST", "/api/documents/check", {
    "recipient": {"name": "Grace Student", "email": "grace@example.org"},
    "title": "Record of results",
    "type": "Transcript",
    "file": b64encode(Path("transcript.pdf").read_bytes()).decode(),
    "file_name": "transcript.pdf",
})
print("The copy leaves out:", checked["left_out"])
# end region

# region issueDocument: Issue a file of your own
transcript = call("POST", "/api/documents", {
    "recipient": {"name": "Grace Student", "email": "grace@example.org"},
    "title": "Record of results",
    "type": "Transcript",
    "external_id": "2026-0118",
    "file": b64encode(Path("transcript.pdf").read_bytes()).decode(),
    "file_name": "transcript.pdf",
})
print(transcript["url"])
# end region

# region issueDocument: Issue it once, however often you send it
once = call("POST", "/api/documents", {
    "recipient": {"name": "Alan Student", "email": "alan@example.org"},
    "title": "First aid",
    "type": "Certificate",
    "date": "2026-11-24",
    "external_id": "2026-0119",
    "template": {"name": "certificate"},
}, idempotency_key="certificate-2026-0119")
print(once["id"])  # the same for 24 hours
# end region

# region readDocument
document = call("GET", f"/api/documents/{document['id']}")
print(document["status"], document["recipient"]["status"])
# end region

# region listDocuments
query = {"recipient_status": "waiting", "limit": 100}
while True:
    page = call("GET", "/api/documents", query=query)
    for each in page["data"]:
        print(each["external_id"], each["title"])
    if page["next_cursor"] is None:
        break
    query["cursor"] = page["next_cursor"]
# end region

# region downloadDocument
content = call("GET", f"/api/documents/{document['id']}/file")
Path("issued.pdf").write_bytes(content)
# end region

# region resendDocument
call("POST", f"/api/documents/{document['id']}/resend")
# end region

# region simulateRecipient
accepted = call("POST", f"/api/documents/{document['id']}/simulate", {"as": "accepted"})
print(accepted["recipient"]["status"])
# end region

# region replaceDocument
corrected = call("POST", f"/api/documents/{document['id']}/versions", {
    "template": {"name": "certificate", "fields": {"grade": "Competent with distinction"}},
})
print("Version", len(corrected["versions"]))
# end region

# region withdrawDocument
withdrawn = call("POST", f"/api/documents/{document['id']}/withdraw", {
    "reason": "The assessment was annulled.",
})
print(withdrawn["status"])
# end region

# region revokeKey
call("POST", "/api/keys/revoke", {"key": os.environ["LEAKED_KEY"]})
# end region
