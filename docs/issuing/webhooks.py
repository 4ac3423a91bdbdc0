from gatehouse import call

# region createWebhook
webhook = call("POST", "/api/documents/webhooks", {
    "url": "https://records.harbour.example/events",
    "description": "Student records",
    "events": ["document.accepted", "document.refused"],
})
print(webhook["secret"])  # only this response has it
# end region

# region testWebhook
delivery = call("POST", f"/api/documents/webhooks/{webhook['id']}/test")["delivery"]
# end region

# region listWebhookDeliveries
deliveries = call("GET", f"/api/documents/webhooks/{webhook['id']}/deliveries")
for each in deliveries["data"]:
    print(each["id"], each["type"], each["state"], each["response_status"])
# end region

# region replayWebhookDelivery
call("POST", f"/api/documents/webhooks/{webhook['id']}/deliveries/{delivery}/replay")
# end region

# region replayWebhook
replayed = call("POST", f"/api/documents/webhooks/{webhook['id']}/replay", {
    "since": "2026-11-20T00:00:00Z",
})
print(replayed["count"], "events are sent again.")
# end region

# region changeWebhook
call("POST", f"/api/documents/webhooks/{webhook['id']}", {"events": ["*"]})  # all types
# end region

# region pauseWebhook
call("POST", f"/api/documents/webhooks/{webhook['id']}/pause")
# end region

# region resumeWebhook
call("POST", f"/api/documents/webhooks/{webhook['id']}/resume")
# end region

# region readWebhook
webhook = call("GET", f"/api/documents/webhooks/{webhook['id']}")
print(webhook["state"], webhook["failing_since"])
# end region

# region listWebhooks
for each in call("GET", "/api/documents/webhooks")["data"]:
    print(each["id"], each["url"])
# end region

# region rotateWebhookSecret
rotated = call("POST", f"/api/documents/webhooks/{webhook['id']}/rotate", {"keep_previous": True})
print(rotated["secret"], rotated["previous_secret_until"])
# end region

# region removeWebhook
call("DELETE", f"/api/documents/webhooks/{webhook['id']}")
# end region
