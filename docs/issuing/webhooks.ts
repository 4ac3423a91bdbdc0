/** Adds, tests and removes webhooks: the samples in TypeScript for operations on webhooks. */
import { dataOf, gatehouse } from "./gatehouse.ts";

// region createWebhook
const webhook = await gatehouse.POST("/api/documents/webhooks", {
  body: {
    url: "https://records.harbour.example/events",
    description: "Student records",
    events: ["document.accepted", "document.refused"],
  },
}).then(dataOf);
console.log(webhook.secret); // only this response has it
// end region

// region testWebhook
const { delivery } = await gatehouse.POST("/api/documents/webhooks/{id}/test", {
  params: { path: { id: webhook.id } },
}).then(dataOf);
// end region

// region listWebhookDeliveries
const deliveries = await gatehouse.GET("/api/documents/webhooks/{id}/deliveries", {
  params: { path: { id: webhook.id } },
}).then(dataOf);
for (const { id, type, state, response_status } of deliveries.data) {
  console.log(id, type, state, response_status);
}
// end region

// region replayWebhookDelivery
await gatehouse.POST("/api/documents/webhooks/{id}/deliveries/{delivery}/replay", {
  params: { path: { id: webhook.id, delivery } },
}).then(dataOf);
// end region

// region replayWebhook
const { count } = await gatehouse.POST("/api/documents/webhooks/{id}/replay", {
  params: { path: { id: webhook.id } },
  body: { since: "2026-11-20T00:00:00Z" },
}).then(dataOf);
console.log(`${count} events are sent again.`);
// end region

// region changeWebhook
await gatehouse.POST("/api/documents/webhooks/{id}", {
  params: { path: { id: webhook.id } },
  body: { events: ["*"] }, // all types
}).then(dataOf);
// end region

// region pauseWebhook
await gatehouse.POST("/api/documents/webhooks/{id}/pause", {
  params: { path: { id: webhook.id } },
}).then(dataOf);
// end region

// region resumeWebhook
await gatehouse.POST("/api/documents/webhooks/{id}/resume", {
  params: { path: { id: webhook.id } },
}).then(dataOf);
// end region

// region readWebhook
const { state, failing_since } = await gatehouse.GET("/api/documents/webhooks/{id}", {
  params: { path: { id: webhook.id } },
}).then(dataOf);
console.log(state, failing_since);
// end region

// region listWebhooks
const webhooks = await gatehouse.GET("/api/documents/webhooks").then(dataOf);
for (const { id, url } of webhooks.data) console.log(id, url);
// end region

// region rotateWebhookSecret
const { secret, previous_secret_until } = await gatehouse.POST(
  "/api/documents/webhooks/{id}/rotate",
  { params: { path: { id: webhook.id } }, body: { keep_previous: true } },
).then(dataOf);
console.log(secret, previous_secret_until);
// end region

// region removeWebhook
await gatehouse.DELETE("/api/documents/webhooks/{id}", {
  params: { path: { id: webhook.id } },
}).then(dataOf);
// end region
