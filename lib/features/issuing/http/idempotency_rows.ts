/**
 * The saved responses as they are stored, encrypted.
 *
 * @module
 */
import { z } from "zod";
import { type Bytes, utf8 } from "../../../base/encoding.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { DAY_MS, inHours } from "../../../base/time.ts";
import { defineTable, expires, EXPIRING } from "../../../platform/kv/mod.ts";
import { type Migration, resealStep } from "../../../platform/store/mod.ts";

/** How long a repeated request gets the response of the first. */
export const REPLAY_MS = DAY_MS;

const idempotencyKey = z.strictObject({
  /** The id of the issuer. */
  issuer: z.string(),
  mode: z.enum(["live", "test"]),
  /** The SHA-256 hash of the key that the request has, because it may contain anything. */
  key: z.string(),
  /** Identifies the attempt that runs, or has run. */
  attempt: z.string(),
  /** Until when the attempt has the key to itself. */
  lease_until: z.iso.datetime(),
  /** The status of the response. Null while the attempt runs. */
  status: z.number().nullable(),
  /** The fingerprint of the request and the response, see {@link Saved}, encrypted. */
  sealed: z.instanceof(Uint8Array<ArrayBuffer>),
  /** The id of the recipient whom the response names. */
  recipient: z.string().nullable(),
  ...EXPIRING,
});
export type KeyRow = z.infer<typeof idempotencyKey>;

export const BY_RECIPIENT = "idempotency_keys_by_recipient";

export const idempotencyKeys = defineTable({
  prefix: "idempotency_keys",
  value: idempotencyKey,
  key: ["issuer", "mode", "key"],
  indexes: { [BY_RECIPIENT]: ["recipient"] },
  owner: "record",
  lifetime: expires(inHours(REPLAY_MS)),
  per: "request of an issuer with a key",
  privacy: {
    section: "record",
    label: "Issued documents",
    text: `We keep our responses to the organisation's requests encrypted for ${
      inHours(REPLAY_MS)
    }, so that a request that is repeated issues nothing twice.`,
  },
});

/** The encrypted part of a row. */
export interface Saved {
  /** The SHA-256 hash of the request. */
  fingerprint: string;
  /** The body of the response. Null while the attempt runs, and once it is erased. */
  body: string | null;
}

type Ref = Pick<KeyRow, "issuer" | "mode" | "key">;

/** Binds the saved response to the row of its key. */
const contextOf = ({ issuer, mode, key }: Ref): string => `${issuer}/${mode}/${key}`;

export const seal = (secrets: Secrets, ref: Ref, saved: Saved): Promise<Bytes> =>
  secrets.seal("idempotency", utf8(JSON.stringify(saved)), contextOf(ref));

/** Returns what is saved in a row; null if no secret can decrypt it. */
export async function open(secrets: Secrets, row: KeyRow): Promise<Saved | null> {
  const bytes = await secrets.open("idempotency", row.sealed as Bytes, contextOf(row));
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}

/** Encrypts the saved responses with the current `APP_SECRET`. */
export const resealResponses = (
  options: { kv: Deno.Kv; secrets: Secrets; clock: () => number },
): Migration => ({
  name: "idempotency_keys",
  label: "saved responses to issuers",
  rotates: true,
  beside: "the responses can be read with both secrets",
  step: resealStep<KeyRow>({
    ...options,
    purpose: "idempotency",
    tables: [idempotencyKeys],
    sealedIn: (row) => ({ sealed: row.sealed as Bytes, context: contextOf(row) }),
    with: (row, sealed) => ({ ...row, sealed }),
    expiresAt: ({ expires_at }) => Date.parse(expires_at),
  }),
});
