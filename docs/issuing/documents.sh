# region readIssuer
curl -sS --fail-with-body https://api.example/api/documents/issuer \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region
