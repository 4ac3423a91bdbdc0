/** The payloads of events. */
import { z } from "zod";
import { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEventType } from "./events.ts";

const time = z.iso.datetime();
const test = z.boolean().meta({ description: "True if it is about a test." });

const documentDataSchema = z.object({
  id: z.string(),
  external_id: z.string().nullable().meta({ description: "Your own id of the document." }),
  test,
  state: z.enum(["current", "replaced", "withdrawn"]),
  version: z.int().meta({ description: "The number of the newest version." }),
  url: z.string().meta({ description: "Where anybody can check it." }),
});

const alsoRegisteredDataSchema = documentDataSchema.extend({
  also_registered_by: z.object({
    issuer: z.string(),
    issuer_domain: z.string().nullable(),
    issuer_domain_verified_at: z.string().nullable(),
    registered_at: time,
  }).meta({ description: "The other organisation." }),
});

const batchDataSchema = z.object({
  id: z.string(),
  test,
  state: z.enum(["done", "sending", "undone"]),
  rows: z.int(),
  issued: z.int(),
  failed: z.int(),
  sent: z.int(),
  returned: z.int().meta({ description: "The emails that came back so far." }),
});

const testDataSchema = z.object({
  webhook: z.string().meta({ description: "The id of the webhook." }),
  test,
});

type EventType = WebhookEventType | typeof TEST_EVENT;

const dataOf = (type: string) =>
  type === TEST_EVENT
    ? testDataSchema
    : type === "document.also_registered"
    ? alsoRegisteredDataSchema
    : type.startsWith("batch.")
    ? batchDataSchema
    : documentDataSchema;

/** The bodies that webhooks receive, by the type of the event. */
export const WEBHOOK_PAYLOADS: ReadonlyMap<string, z.ZodType> = new Map(
  [...WEBHOOK_EVENTS, TEST_EVENT].map((type): [string, z.ZodType] => [
    type,
    z.object({
      type: z.literal(type),
      timestamp: time.meta({ description: "When it happened." }),
      data: dataOf(type),
    }),
  ]),
);

/** When each event is sent, for the documentation. */
export const WEBHOOK_OCCASIONS: Readonly<Record<EventType, string>> = {
  "document.issued": "A document was issued.",
  "document.accepted": "The recipient has accepted it, or it was added to their record.",
  "document.refused": "The owner of the address has said that this is not them.",
  "document.lapsed": "Nobody has accepted it within 90 days.",
  "document.replaced": "It has a new version.",
  "document.withdrawn": "It was withdrawn.",
  "document.erased": "It was erased, with the recipient's record or a cancelled batch.",
  "document.also_registered": "Another organisation has registered the same file.",
  "batch.completed": "The emails of a batch are queued.",
  "batch.stopped":
    "So many emails of a batch came back that it has stopped, and is waiting for you to send or cancel it.",
  "batch.undone": "A batch was cancelled, and its documents are erased.",
  "webhook.test": "Somebody has asked for a test event.",
};
