/** The bodies that issuers send about a webhook. */
import { z } from "zod";
import { unmarked } from "../../base/pasted.ts";
import { WEBHOOK_EVENTS } from "./events.ts";
import { isOwnMachine } from "./own_machine.ts";

const MAX_URL = 1_000;
const MAX_DESCRIPTION = 200;

const url = z.string("Enter the address.").overwrite(unmarked).min(1, "Enter the address.").max(
  MAX_URL,
).refine(
  (text) =>
    URL.canParse(text) && (new URL(text).protocol === "https:" || isOwnMachine(new URL(text))),
  "Enter an https address.",
).transform((text) => new URL(text).href);
const description = z.string().trim().max(MAX_DESCRIPTION).transform((text) => text || null)
  .meta({ description: "Shown to administrators. An empty text removes it." });

/** The name for all types of events, because null is the same as absence. */
const ALL = "*";

const events = z.array(z.enum([...WEBHOOK_EVENTS, ALL])).min(
  1,
  "Name a type of event, or leave it out.",
)
  .max(WEBHOOK_EVENTS.length + 1)
  .transform((types) =>
    types.includes(ALL) ? null : [...new Set(types as typeof WEBHOOK_EVENTS[number][])]
  ).meta({
    description:
      `The types of events that it receives. \`["${ALL}"]\`: all, including those of later versions.`,
  });

/** The body that adds a webhook. Without `events`, it receives all. */
export const newEndpointSchema = z.strictObject({
  url,
  description: description.optional(),
  events: events.optional(),
}).transform(({ url, description = null, events = null }) => ({ url, description, events }));
export type NewEndpoint = z.infer<typeof newEndpointSchema>;

/** The body that changes a webhook. Members that are absent stay as they are. */
export const endpointChangeSchema = z.strictObject({
  url: url.optional(),
  description: description.optional(),
  events: events.optional(),
});
export type EndpointChange = z.infer<typeof endpointChangeSchema>;

/** The body that replaces a secret. Without `keep_previous`, the previous one signs for 24 hours more. */
export const rotationSchema = z.strictObject({ keep_previous: z.boolean().default(true) });

/** The body that sends failed deliveries again. */
export const replaySchema = z.strictObject({ since: z.iso.datetime({ offset: true }) });
