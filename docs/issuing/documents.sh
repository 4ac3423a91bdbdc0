# Prints the text of a member of the JSON that it reads.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# region readIssuer
curl -sS --fail-with-body https://api.example/api/documents/issuer \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

RESPONSE=$(
  # region issueDocument: Make a certificate
  curl -sS --fail-with-body https://api.example/api/documents \
    -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
    -H "Content-Type: application/json" \
    -d '{
      "recipient": { "name": "Grace Student", "email": "grace@example.org" },
      "title": "Certificate III in Early Childhood Education",
      "type": "Certificate",
      "date": "2026-11-20",
      "external_id": "2026-0117",
      "template": {
        "name": "certificate",
        "fields": {
          "subtitle": "CHC30121",
          "grade": "Competent",
          "signatory": "Ruth Harbour"
        }
      }
    }'
  # end region
)
echo "$RESPONSE"
DOCUMENT=$(echo "$RESPONSE" | member id)

# region checkNewDocument
curl -sS --fail-with-body https://api.example/api/documents/check \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -F recipient.name="Grace Student" \
  -F recipient.email=grace@example.org \
  -F title="Record of results" \
  -F type=Transcript \
  -F file=@transcript.pdf
# end region

# region issueDocument: Issue a file of your own
curl -sS --fail-with-body https://api.example/api/documents \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -F recipient.name="Grace Student" \
  -F recipient.email=grace@example.org \
  -F title="Record of results" \
  -F type=Transcript \
  -F external_id=2026-0118 \
  -F file=@transcript.pdf
# end region

# region issueDocument: Issue it once, however often you send it
curl -sS --fail-with-body https://api.example/api/documents \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -H "Idempotency-Key: certificate-2026-0119" \
  -H "Content-Type: application/json" \
  -d '{
    "recipient": { "name": "Alan Student", "email": "alan@example.org" },
    "title": "First aid",
    "type": "Certificate",
    "date": "2026-11-24",
    "external_id": "2026-0119",
    "template": { "name": "certificate" }
  }'
# end region

# region readDocument
curl -sS --fail-with-body https://api.example/api/documents/$DOCUMENT \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region listDocuments
curl -sS --fail-with-body -G https://api.example/api/documents \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -d recipient_status=waiting \
  -d limit=100
# end region

# region downloadDocument
curl -sS --fail-with-body https://api.example/api/documents/$DOCUMENT/file \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -o issued.pdf
# end region

# region resendDocument
curl -sS --fail-with-body -X POST https://api.example/api/documents/$DOCUMENT/resend \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region simulateRecipient
curl -sS --fail-with-body https://api.example/api/documents/$DOCUMENT/simulate \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"as": "accepted"}'
# end region

# region replaceDocument
curl -sS --fail-with-body https://api.example/api/documents/$DOCUMENT/versions \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "template": {
      "name": "certificate",
      "fields": { "grade": "Competent with distinction" }
    }
  }'
# end region

# region withdrawDocument
curl -sS --fail-with-body https://api.example/api/documents/$DOCUMENT/withdraw \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"reason": "The assessment was annulled."}'
# end region

# region revokeKey
curl -sS --fail-with-body -X POST https://api.example/api/keys/revoke \
  -H "Authorization: Bearer $LEAKED_KEY"
# end region
