/** The schemas of a relay's configuration, for the site and for a standalone relay. */
import { z } from "zod";
import { unmarked } from "../../base/pasted.ts";
import { integer } from "../../platform/http/schemas.ts";

/** `<prefix>-<random hex>` (spec 2.10), long enough that it cannot be guessed. */
const SLUG = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*-[0-9A-Fa-f]{16,64}$/;

// The messages never repeat a value, because most values are secrets. They are appended to "should be".
const text = (what: string) => z.string(what).overwrite(unmarked);
const matching = (what: string, pattern: RegExp) => text(what).regex(pattern, what);
const slug = matching("a prefix, a hyphen and 16 to 64 hex digits", SLUG);
const credential = (what: string) => matching(what, /^[\x21-\x7e]{1,1024}$/);
const checked = (what: string, isValid: (value: string) => boolean) =>
  text(what).refine(isValid, what);
const origin = checked("an origin such as https://docs.example, without a path", isOrigin)
  .transform((value) => new URL(value).origin);
const host = checked("a host name such as docs.relay.example, without a port", isHost)
  .toLowerCase();

const fields = z.strictObject({
  name: matching("a name of letters, digits and hyphens", /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/),
  host,
  slug,
  previousSlug: slug.optional(),
  clientId: credential("the client id of the service token"),
  clientSecret: credential("the client secret of the service token"),
  origin,
  rewriteLinks: z.boolean("true or false").default(false),
}, {
  error: ({ code }) =>
    code === "unrecognized_keys"
      ? "without members other than name, host, slug, previousSlug, clientId, clientSecret, " +
        "origin and rewriteLinks"
      : "an object",
});

/**
 * One relay (spec 2.10), an entry of `RELAYS`. `name` appears in the log. `previousSlug` stays valid
 * next to `slug` during a rotation. The service token, `clientId` and `clientSecret`, is sent only to
 * `origin`.
 */
export const relayConfigSchema = fields.refine(
  (relay) => relay.previousSlug !== relay.slug,
  { path: ["previousSlug"], message: "a slug other than the current one" },
);

/** A relay's checked configuration. */
export type RelayConfig = z.infer<typeof relayConfigSchema>;

/** The settings of one relay. The caller selects it by its host. */
export type RelaySettings = Omit<RelayConfig, "host">;

/** The value of `RELAYS`: a JSON array of relays with different hosts and names. */
export const relaysSchema = z.string().transform((value, ctx): RelayConfig[] => {
  const fail = (message: string) => {
    ctx.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  let entries: unknown;
  try {
    entries = JSON.parse(value);
  } catch {
    return fail("a JSON array of relays");
  }
  if (!Array.isArray(entries)) return fail("a JSON array of relays");
  const relays: RelayConfig[] = [];
  for (const [i, entry] of entries.entries()) {
    const parsed = relayConfigSchema.safeParse(entry);
    if (parsed.success) relays.push(parsed.data);
    for (const { path, message } of parsed.error?.issues ?? []) {
      const place = path.length > 0 ? `${path.join(".")} of entry ${i + 1}` : `entry ${i + 1}`;
      fail(`JSON in which ${place} is ${message}`);
    }
  }
  for (const field of ["host", "name"] as const) {
    if (new Set(relays.map((relay) => relay[field])).size < relays.length) {
      fail(`JSON in which no two entries have the same ${field}`);
    }
  }
  return relays;
});

/** The value of `RELAY_TIMEOUT_MS`: how long to wait for the origin's headers. */
export const relayTimeoutSchema = integer(1, 600_000, "milliseconds from 1 to 600000")
  .default(15_000);

/** The environment of a standalone relay. Unset and empty variables are undefined. */
export const relayEnvironmentSchema = z.object({
  RELAY_SLUG: slug,
  RELAY_PREVIOUS_SLUG: slug.optional(),
  RELAY_CLIENT_ID: fields.shape.clientId,
  RELAY_CLIENT_SECRET: fields.shape.clientSecret,
  RELAY_ORIGIN: origin,
  RELAY_REWRITE_LINKS: z.enum(["0", "1", "false", "true"], "true, or unset").optional()
    .transform((value) => value === "1" || value === "true"),
  RELAY_TIMEOUT_MS: relayTimeoutSchema,
  HOST: z.string().trim().default("127.0.0.1"),
  PORT: integer(0, 65_535, "a port from 0 to 65535").default(8000),
}).refine(
  (env) => env.RELAY_PREVIOUS_SLUG !== env.RELAY_SLUG,
  { path: ["RELAY_PREVIOUS_SLUG"], message: "a slug other than the current one" },
);

/** The variables that a standalone relay reads, for its permissions. */
export const RELAY_VARIABLES = Object.keys(relayEnvironmentSchema.shape);

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}

/** Returns true for a host in the form that is compared: without a port or trailing dot. */
function isHost(value: string): boolean {
  const host = value.toLowerCase();
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(host) && URL.parse(`http://${host}`)?.host === host;
}
