import { z } from "zod";
import type { ApiCaller } from "./call.ts";
import { domainStatus } from "./domain_status.ts";
import { SCOPES } from "./key_rows.ts";

/** The issuer and the key of a caller, as the API describes them. */
export const callerSchema = z.object({
  object: z.literal("issuer"),
  name: z.string(),
  domain: z.string().nullable().describe("Null if the issuer has none."),
  domain_verified: z.boolean(),
  state: z.enum(["active", "suspended"])
    .describe("A `suspended` issuer can read, but not change anything."),
  test: z.boolean().describe("True for a test key."),
  key: z.object({
    last4: z.string().describe("The last four characters of the key."),
    scopes: z.array(z.enum(SCOPES)),
    expires_at: z.iso.datetime().nullable(),
  }),
  rate_limit: z.int().nullable().describe("Requests per minute with this key; null for no limit."),
});

/** Returns the issuer and the key of a call. Time is in milliseconds since 1970. */
export function describeCaller(
  { issuer, test, key }: ApiCaller,
  { rateLimit, now }: { rateLimit: number; now: number },
): z.output<typeof callerSchema> {
  const { name, domain, state } = issuer;
  return {
    object: "issuer",
    name,
    domain: domain && domain.name,
    domain_verified: ["verified", "failing"].includes(domainStatus(issuer, now)),
    state: state as "active" | "suspended", // an ended one cannot call
    test,
    key: { last4: key.last4, scopes: key.scopes, expires_at: key.expires_at },
    rate_limit: rateLimit || null,
  };
}
