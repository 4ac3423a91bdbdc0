/** The secrets that sign events, and replacing them. */
import { Webhook } from "standardwebhooks";
import { encodeBase64, utf8 } from "../../base/encoding.ts";
import type { Bytes } from "../../base/encoding.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, SECOND_MS } from "../../base/time.ts";
import { isLive, isoAfter } from "../../platform/kv/mod.ts";
import { type Migration, resealStep } from "../../platform/store/mod.ts";
import { type EndpointRef, type EndpointRow, endpoints, sealedOf } from "./rows.ts";

/** How long a secret still signs after it was replaced. */
export const OVERLAP_MS = DAY_MS;

/** The most secrets that sign at once, if an endpoint's secret is replaced again and again. */
const MAX_SECRETS = 4;

/** A secret that signs. All but the newest have an end. */
interface SigningSecret {
  secret: string;
  expires_at: string | null;
}

/** Returns a new secret: 32 random bytes as Standard Webhooks write them. */
export const newSecret = (): string =>
  `whsec_${encodeBase64(crypto.getRandomValues(new Uint8Array(32)))}`;

/** The encrypted secrets open only in the row of their endpoint. */
const contextOf = ({ issuer, mode, id }: EndpointRef) => `${issuer}/${mode}/${id}`;

const seal = (secrets: Secrets, ref: EndpointRef, list: readonly SigningSecret[]): Promise<Bytes> =>
  secrets.seal("webhook", utf8(JSON.stringify(list)), contextOf(ref));

async function open(secrets: Secrets, row: EndpointRow): Promise<SigningSecret[] | null> {
  const bytes = await secrets.open("webhook", sealedOf(row), contextOf(row));
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}

/** Returns the columns of an endpoint with its first secret. */
export const firstSecret = async (secrets: Secrets, ref: EndpointRef, secret: string) => ({
  secrets: await seal(secrets, ref, [{ secret, expires_at: null }]),
  previous_until: null,
});

/**
 * Returns the columns of an endpoint with a new secret. Earlier ones sign for {@link OVERLAP_MS} more at
 * most, unless they must end at once because somebody else has learned them.
 */
export async function nextSecret(
  secrets: Secrets,
  row: EndpointRow,
  { secret, keepPrevious, now }: { secret: string; keepPrevious: boolean; now: number },
) {
  // If none can be decrypted any longer, only the new one signs.
  const known = keepPrevious ? await open(secrets, row) ?? [] : [];
  const end = isoAfter(now, OVERLAP_MS);
  const previous = known.map(({ secret, expires_at }) => ({
    secret,
    expires_at: expires_at ?? end,
  }))
    .filter((each) => isLive(each, now)).slice(0, MAX_SECRETS - 1);
  return {
    secrets: await seal(secrets, row, [{ secret, expires_at: null }, ...previous]),
    previous_until: previous[0]?.expires_at ?? null,
  };
}

/**
 * Returns the headers of Standard Webhooks for a body: the same id in every attempt, and a signature by
 * each secret. Null if no secret can be decrypted.
 */
export async function signedHeaders(
  secrets: Secrets,
  row: EndpointRow,
  { id, body, now }: { id: string; body: string; now: number },
): Promise<Record<string, string> | null> {
  const list = await open(secrets, row);
  if (list === null) return null;
  const at = new Date(now);
  const signatures = list
    .filter(({ expires_at }) => expires_at === null || isLive({ expires_at }, now))
    .map(({ secret }) => new Webhook(secret).sign(id, at, body));
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / SECOND_MS)),
    "webhook-signature": signatures.join(" "),
  };
}

/** Encrypts the secrets of endpoints with the current `APP_SECRET`. */
export const resealEndpoints = (
  options: { kv: Deno.Kv; secrets: Secrets; clock: () => number },
): Migration => ({
  name: "webhook_secrets",
  label: "secrets of webhooks",
  rotates: true,
  beside: "the secrets can be read with both",
  step: resealStep<EndpointRow>({
    ...options,
    purpose: "webhook",
    tables: [endpoints],
    sealedIn: (row) => ({ sealed: sealedOf(row), context: contextOf(row) }),
    with: (row, sealed) => ({ ...row, secrets: sealed }),
  }),
});
