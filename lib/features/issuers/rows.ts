/** The table of issuers: its columns, its indexes, and new rows. */
import { z } from "zod";
import { ALWAYS, defineTable } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

const time = z.iso.datetime();

/** The result of the look-up in the DNS. `other`: only other values. `no_answer`: no answer in time. */
export const DNS_OUTCOMES = ["found", "other", "absent", "no_answer"] as const;

/** The result of reading the file. */
export const FILE_OUTCOMES = [
  "found",
  "other",
  "absent",
  "redirect",
  "too_long",
  "no_address",
  "private_address",
  "no_answer",
] as const;

/** The web domain of an issuer, and the outcome of the checks that it controls it. */
const issuerDomain = z.strictObject({
  /** A host name in lower case, such as `harbour.example`. */
  name: z.string(),
  /** The random value that the issuer publishes, in the DNS or in a file. */
  token: z.string(),
  added_at: time,
  /** When the domain was first found to have the token, since it was added or lost; null before. */
  verified_at: time.nullable(),
  /** How it was found last. */
  method: z.enum(["dns", "file"]).nullable(),
  checked_at: time.nullable(),
  /** When the first of the checks failed that have failed since; null if the last one succeeded. */
  failing_since: time.nullable(),
  /** How many times the issuer was warned since then: at once, before the end, and at the end. */
  warnings: z.number(),
  /** The outcome of the last check. The file is looked for only if the DNS has no token. */
  outcome: z.strictObject({
    dns: z.enum(DNS_OUTCOMES),
    file: z.enum(FILE_OUTCOMES).nullable(),
  }).nullable(),
});
export type IssuerDomain = z.infer<typeof issuerDomain>;

/** An image that certificates show. Its bytes are in another row. */
const issuerPicture = z.strictObject({
  sha256: z.string(),
  media_type: z.enum(["image/png", "image/jpeg"]),
  width: z.number(),
  height: z.number(),
});

/** An organisation that makes documents, which the site's organisation registers. */
const issuerRow = z.strictObject({
  id: z.string(),
  /** The organisation that registers its documents. */
  organisation: z.enum(["foundation", "commercial"]),
  name: z.string(),
  created_at: z.string(),
  /** `suspended`: it can read, but not issue; `ended`: its keys no longer work. */
  state: z.enum(["active", "suspended", "ended"]),
  state_at: time,
  /** Why, for administrators. Null for a new issuer. */
  state_reason: z.string().nullable(),
  domain: issuerDomain.nullable(),
  logo: issuerPicture.nullable(),
  /** The signature of a person, which certificates show that this person signs. */
  signature: issuerPicture.extend({ signatory: z.string() }).nullable(),
  /** The email address that learns of problems, such as a domain that is no longer verified. */
  contact: z.string().nullable(),
});

export type IssuerRow = z.infer<typeof issuerRow>;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Names that differ only in case, in the form of letters or in what nobody can see are the same. */
export const nameKey = (
  { organisation, name }: Pick<IssuerRow, "organisation" | "name">,
): Deno.KvKey => [
  organisation,
  name.normalize("NFKC").replace(INVISIBLE, "").toLowerCase(),
];

export const BY_NAME = "issuers_by_name";
export const BY_DOMAIN = "issuers_by_domain";

/** The issuers of both organisations. */
export const issuerRows = defineTable({
  prefix: "issuers",
  value: issuerRow,
  key: ["organisation", "id"],
  indexes: {
    [BY_NAME]: {
      keysOf: (row: IssuerRow) => [nameKey(row)],
      value: ({ id }: IssuerRow) => id,
    },
    [BY_DOMAIN]: {
      keysOf: ({ organisation, domain }: IssuerRow) =>
        domain === null ? [] : [[organisation, domain.name]],
      value: ({ id }: IssuerRow) => id,
    },
  },
  owner: "organisation",
  lifetime: ALWAYS,
  per: "issuer",
});

/** The index of the documents of an issuer, which begins with the issuer's id. */
export const DOCUMENTS_BY_ISSUER = "documents_by_issuer";

/** The name and the key of an organisation of the site. */
interface OwnOrganisation {
  key: OrganisationKey;
  name: string;
}

/**
 * Returns the row of an organisation of the site, which issues its own documents. It is stored once
 * an administrator has changed it.
 */
export const ownIssuer = ({ key, name }: OwnOrganisation): IssuerRow => ({
  ...newIssuer({ id: key, organisation: key, name }, 0),
  created_at: LONG_AGO,
  state_at: LONG_AGO,
});

const LONG_AGO = "2000-01-01T00:00:00.000Z";

/** Returns the row of an issuer that was just added. */
export const newIssuer = (
  issuer: Pick<IssuerRow, "id" | "organisation" | "name">,
  now: number,
): IssuerRow => {
  const at = new Date(now).toISOString();
  return {
    ...issuer,
    created_at: at,
    state: "active",
    state_at: at,
    state_reason: null,
    domain: null,
    logo: null,
    signature: null,
    contact: null,
  };
};
