/** Reads the events of a mail provider: bounces, complaints and deliveries. */
import { z } from "zod";
import { bounceOf, enhancedStatus, mailAddress, type MailReport } from "../../platform/mail/mod.ts";
import { MAIL_ID_TAG } from "../../platform/mail/http.ts";

const text = z.string().max(10_000);

/** An event in the format that docs/deploy.md describes. Members that we do not use are ignored. */
const eventSchema = z.object({
  type: z.string().max(100),
  data: z.object({
    to: z.union([z.string(), z.array(z.string()).min(1).max(50)]).transform((to) => [to].flat()),
    tags: z.union([
      z.array(z.object({ name: z.string(), value: z.string() })),
      z.record(z.string(), z.string()),
    ]).optional().catch(undefined),
    bounce: z.object({
      type: text.optional(),
      subType: text.optional(),
      message: text.optional(),
      diagnosticCode: z.union([text, z.array(text).max(20)]).optional(),
    }).optional(),
  }),
});

type Event = z.infer<typeof eventSchema>;

/** The events that say something about an address; others are ignored. */
const READERS: Record<string, (event: Event) => MailReport["what"]> = {
  "email.bounced": ({ data: { bounce } }) => bounceIn(bounce ?? {}),
  "email.complained": () => "complaint",
  "email.delivered": () => "delivered",
};

/** Kinds of permanent bounces that are not about the address. */
const NOT_THE_ADDRESS = /full|large|content|attachment/i;

/** The server's code decides. Without one, the provider's words do. */
function bounceIn({ type = "", subType = "", ...bounce }: NonNullable<Event["data"]["bounce"]>) {
  const diagnostic = diagnosticOf(bounce);
  if (enhancedStatus(diagnostic) !== undefined) return bounceOf(diagnostic);
  return /^(permanent|hard)/i.test(type) && !NOT_THE_ADDRESS.test(subType) ? "hard" : "soft";
}

const diagnosticOf = (bounce: NonNullable<Event["data"]["bounce"]>): string =>
  [bounce.diagnosticCode ?? [], bounce.message ?? []].flat().join(" ");

/**
 * Reads an event of the provider, `{type: "email.bounced", data: {to, tags, bounce}}` (docs/deploy.md).
 *
 * @returns null if it says nothing about an address, undefined if it cannot be read
 */
export function readMailEvent(body: string): MailReport | null | undefined {
  const event = parse(body);
  if (event === undefined) return undefined;
  const { type, data: { to: [to], tags = {}, bounce = {} } } = event;
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (read === undefined) return null;
  const tag = Array.isArray(tags)
    ? tags.find(({ name }) => name === MAIL_ID_TAG)?.value
    : tags[MAIL_ID_TAG];
  const id = z.uuid().safeParse(tag).data;
  if (id === undefined && !mailAddress.safeParse(to).success) return undefined;
  return {
    mail: id === undefined ? { to } : { id },
    what: read(event),
    reply: enhancedStatus(diagnosticOf(bounce)) ?? null,
  };
}

function parse(body: string): Event | undefined {
  try {
    return eventSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
