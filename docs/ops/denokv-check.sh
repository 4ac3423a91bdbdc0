#!/bin/sh
# Reads from a denokv server, and fails if that does. An empty read touches SQLite; POST / does not.
# DENO_KV_ACCESS_TOKEN is the server's token. The argument is the server's URL.
printf 'header = "authorization: Bearer %s"\n' "$DENO_KV_ACCESS_TOKEN" |
  curl --silent --fail --max-time 5 --output /dev/null --config - \
    --header "x-denokv-version: 3" \
    --header "x-denokv-database-id: 00000000-0000-0000-0000-000000000000" \
    --header "content-type: application/x-protobuf" \
    --data-binary "" "${1:-http://127.0.0.1:4512}/v2/snapshot_read"
