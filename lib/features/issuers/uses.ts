/** The tables of when API keys and issuers were last used. */
import { z } from "zod";
import { defineTable, DUE_JOBS, untilUsed } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DOCUMENTS_BY_ISSUER } from "./rows.ts";

const used_at = z.iso.datetime();

/** When API keys were last used. It is not in their rows, which every commit of a request checks. */
export const keyUses = defineTable({
  prefix: "api_key_uses",
  value: z.strictObject({ /** Of the key. */ hash: z.string(), used_at }),
  key: ["hash"],
  owner: "organisation",
  lifetime: untilUsed("until 90 days after the key was revoked or expired", DUE_JOBS.nightly),
  per: "API key of an issuer",
});

/** When documents last named issuers. It is not in their rows, which every commit of their requests checks. */
export const issuerUses = defineTable({
  prefix: "issuer_uses",
  value: z.strictObject({
    organisation: z.enum(["foundation", "commercial"]),
    issuer: z.string(),
    used_at,
  }),
  key: ["organisation", "issuer"],
  owner: "organisation",
  lifetime: untilUsed("until the issuer is removed"),
  per: "issuer that a document names",
});

/**
 * Returns when each issuer of an organisation was last used, by its id, ISO 8601 in UTC. The own organisation has
 * no row, because no use of it has to be known before a removal: its newest document tells.
 */
export async function readIssuerUses(
  kv: Deno.Kv,
  organisation: OrganisationKey,
): Promise<Map<string, string>> {
  const [uses, ...own] = await Promise.all([
    Array.fromAsync(
      issuerUses.list(kv, [organisation]),
      ({ value }): [string, string] => [value.issuer, value.used_at],
    ),
    ...["live", "test"].map((mode) =>
      Array.fromAsync(
        kv.list(
          { prefix: [DOCUMENTS_BY_ISSUER, organisation, mode] },
          { limit: 1, reverse: true },
        ),
        ({ key }) => key[3] as string,
      )
    ),
  ]);
  const ownUse = own.flat().sort().at(-1);
  return new Map(ownUse === undefined ? uses : [...uses, [organisation, ownUse]]);
}
