# Prints the text of a member of the JSON that it reads.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# region checkBatch
curl -sS --fail-with-body https://api.example/api/documents/batches/check \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -F title="Certificate III in Individual Support" \
  -F date=2026-11-20 \
  -F file=@graduates.csv
# end region

RESPONSE=$(
  # region createBatch
  curl -sS --fail-with-body https://api.example/api/documents/batches \
    -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
    -H "Idempotency-Key: graduates-2026-11-20" \
    -F title="Certificate III in Individual Support" \
    -F date=2026-11-20 \
    -F file=@graduates.csv
  # end region
)
echo "$RESPONSE"
BATCH=$(echo "$RESPONSE" | member id)

# region readBatch
curl -sS --fail-with-body https://api.example/api/documents/batches/$BATCH \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region sendBatch
curl -sS --fail-with-body -X POST https://api.example/api/documents/batches/$BATCH/send \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region readBatchResults
curl -sS --fail-with-body https://api.example/api/documents/batches/$BATCH/results \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -o results.csv
# end region

# region listBatches
curl -sS --fail-with-body https://api.example/api/documents/batches \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

RESPONSE=$(
  curl -sS --fail-with-body https://api.example/api/documents/batches \
    -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
    -F title="Certificate III in Individual Support" \
    -F date=2026-11-20 \
    -F allow_duplicate=true \
    -F file=@graduates.csv
)
BATCH=$(echo "$RESPONSE" | member id)

# region cancelBatch
curl -sS --fail-with-body -X POST https://api.example/api/documents/batches/$BATCH/cancel \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region
