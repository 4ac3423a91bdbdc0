# Prints the text of a member of the JSON that it reads.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

RESPONSE=$(
  # region createWebhook
  curl -sS --fail-with-body https://api.example/api/documents/webhooks \
    -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
    -H "Content-Type: application/json" \
    -d '{
      "url": "https://records.harbour.example/events",
      "description": "Student records",
      "events": ["document.accepted", "document.refused"]
    }'
  # end region
)
echo "$RESPONSE"
WEBHOOK=$(echo "$RESPONSE" | member id)

RESPONSE=$(
  # region testWebhook
  curl -sS --fail-with-body -X POST https://api.example/api/documents/webhooks/$WEBHOOK/test \
    -H "Authorization: Bearer $GATEHOUSE_API_KEY"
  # end region
)
DELIVERY=$(echo "$RESPONSE" | member delivery)

# region listWebhookDeliveries
curl -sS --fail-with-body https://api.example/api/documents/webhooks/$WEBHOOK/deliveries \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region replayWebhookDelivery
curl -sS --fail-with-body -X POST \
  https://api.example/api/documents/webhooks/$WEBHOOK/deliveries/$DELIVERY/replay \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region replayWebhook
curl -sS --fail-with-body https://api.example/api/documents/webhooks/$WEBHOOK/replay \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"since": "2026-11-20T00:00:00Z"}'
# end region

# region changeWebhook
curl -sS --fail-with-body https://api.example/api/documents/webhooks/$WEBHOOK \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"events": ["*"]}'
# end region

# region pauseWebhook
curl -sS --fail-with-body -X POST https://api.example/api/documents/webhooks/$WEBHOOK/pause \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region resumeWebhook
curl -sS --fail-with-body -X POST https://api.example/api/documents/webhooks/$WEBHOOK/resume \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region readWebhook
curl -sS --fail-with-body https://api.example/api/documents/webhooks/$WEBHOOK \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region listWebhooks
curl -sS --fail-with-body https://api.example/api/documents/webhooks \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region

# region rotateWebhookSecret
curl -sS --fail-with-body https://api.example/api/documents/webhooks/$WEBHOOK/rotate \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"keep_previous": true}'
# end region

# region removeWebhook
curl -sS --fail-with-body -X DELETE https://api.example/api/documents/webhooks/$WEBHOOK \
  -H "Authorization: Bearer $GATEHOUSE_API_KEY"
# end region
