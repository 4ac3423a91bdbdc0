/** The events of webhooks in the OpenAPI document. */
import { WEBHOOK_OCCASIONS, WEBHOOK_PAYLOADS } from "../webhooks/mod.ts";
import type { Converter, Json, JsonObject } from "./json_schema.ts";

/** The headers of Standard Webhooks. */
const HEADERS = {
  "webhook-id": "The id of the event, the same in every attempt. Act on each once.",
  "webhook-timestamp": "When the attempt was made, in seconds since 1970.",
  "webhook-signature":
    "`v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. " +
    "While a secret is being replaced, there are two, separated by a space.",
} as const;

const PARAMETERS: Json[] = Object.entries(HEADERS).map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

/** Generators write one file per tag, so this differs from that of the operations on webhooks. */
export const EVENTS_TAG = { Events: "What your server receives." };

/** Returns the name of a function that receives an event: `onDocumentIssued`. */
const operationOf = (type: string): string =>
  `on${type.split(/[._]/).map((word) => word[0].toUpperCase() + word.slice(1)).join("")}`;

/** Describes the requests that webhooks receive, by the type of the event. */
export function describeWebhooks({ convert }: Converter): JsonObject {
  const described = [...WEBHOOK_PAYLOADS].map(([type, schema]): [string, Json] => [type, {
    post: {
      operationId: operationOf(type),
      tags: Object.keys(EVENTS_TAG),
      summary: `Receive ${type}`,
      description: WEBHOOK_OCCASIONS[type as keyof typeof WEBHOOK_OCCASIONS],
      security: [],
      parameters: PARAMETERS,
      requestBody: {
        required: true,
        content: { "application/json": { schema: convert(schema, "response") } },
      },
      responses: {
        204: { description: "Received. Any other status than 2xx is repeated for three days." },
      },
    },
  }]);
  return Object.fromEntries(described);
}
