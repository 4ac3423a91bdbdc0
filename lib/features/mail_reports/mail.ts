/** The console's page about mail: which addresses refuse mail, which mails failed, and how to restore an address. */
import { z } from "zod";
import { DAY_MS } from "../../base/time.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { deliveriesTo, type DeliveryRow, failedDeliveries } from "../../platform/jobs/mod.ts";
import { transact } from "../../platform/kv/mod.ts";
import {
  emailSchema,
  fingerprintsOf,
  isStopped,
  type MailAddress,
  mailAddresses,
  organisationOfMail,
  readAddress,
  refusedSince,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey, SenderKey } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";

export const MAIL_PATH = "/console/mail";

/** How many mails the page shows. */
export const MOST_MAILS = 50;

/** How many addresses can be said to work again at once. */
const MOST_ADDRESSES = 1_000;

/** The time in which addresses were refused that can be said to work again together. */
export const LATELY_MS = DAY_MS;

/** The fingerprints of an address as a URL has them: several after `APP_SECRET` was replaced. */
const fingerprints = z.string().regex(/^[\w-]{43}(,[\w-]{43}){0,4}$/).transform((text) =>
  text.split(",")
);

/** The fields that a form on the page sends. */
export const mailInput = z.preprocess(
  (given) => ({ act: "find", ...given as object }),
  z.discriminatedUnion("act", [
    z.object({ act: z.literal("find"), email: emailSchema() }),
    z.object({ act: z.literal("works"), address: fingerprints }),
    z.object({ act: z.literal("all_work") }),
  ]),
);

/** Reads the address in a URL; null if there is none, or it is not valid. */
export const addressIn = (params: URLSearchParams): string[] | null =>
  fingerprints.safeParse(params.get("address")).data ?? null;

/** Returns the path of the page about an address. The URL has its keyed fingerprints, never the address itself. */
export const mailPathOf = (address: readonly string[]): string =>
  `${MAIL_PATH}?address=${address.join(",")}`;

/** Returns the path of the page about an email address. */
export const mailPath = async (secrets: Secrets, email: string): Promise<string> =>
  mailPathOf(await fingerprintsOf(secrets, email));

/** Returns whether no document that an issuer offers is mailed to an address. */
export async function takesNoDocuments(
  { kv, clock }: Store,
  address: readonly string[],
): Promise<boolean> {
  const now = clock();
  const rows = await readAddress(kv, address, now);
  return rows.some(({ value }) => isStopped(value, "document_issued", now));
}

/** A mail with its owner, such as `user/7`; null on the owner's own page. */
export interface ListedMail {
  about: string | null;
  row: DeliveryRow;
}

/** An address and the mails to it, as far as they are known. */
export interface AddressMails {
  fingerprints: readonly string[];
  /** Null if no mail to it came back. */
  known: MailAddress | null;
  /** The mails that do not go to it now; null for none. */
  stopped: "all" | "unasked" | null;
  mails: ListedMail[];
}

interface Store {
  kv: Deno.Kv;
  clock: () => number;
}

/** Each console sees the mails of its own organisation's senders. */
const isOwn = (organisation: OrganisationKey) => ({ row: { labels } }: ListedMail) =>
  organisationOfMail(labels.sender as SenderKey | undefined) === organisation;

const SENDERS = ["product", "foundation", "commercial"] as const satisfies SenderKey[];

/** Reads the mails of an organisation to an address. */
export async function readMailsTo(
  { kv, clock }: Store,
  organisation: OrganisationKey,
  address: readonly string[],
): Promise<AddressMails> {
  const now = clock();
  const [rows, mails] = await Promise.all([
    readAddress(kv, address, now),
    deliveriesTo(kv, address, { limit: 2 * MOST_MAILS, now }),
  ]);
  const known = rows.map(({ value }) => value);
  const stops = (kind: "notice" | "document_issued") =>
    known.some((each) => isStopped(each, kind, now));
  return {
    fingerprints: address,
    known: known[0] ?? null,
    stopped: stops("notice") ? "all" : stops("document_issued") ? "unasked" : null,
    mails: mails.filter(isOwn(organisation)).slice(0, MOST_MAILS),
  };
}

/** Reads the last mails of an organisation that did not arrive. */
export const readFailedMails = (
  { kv, clock }: Store,
  organisation: OrganisationKey,
): Promise<ListedMail[]> =>
  failedDeliveries(
    kv,
    SENDERS.filter((sender) => organisationOfMail(sender) === organisation),
    { limit: MOST_MAILS, now: clock() },
  );

/** Counts the addresses that were refused lately, at most 1,000. */
export const countRefused = async ({ kv, clock }: Store): Promise<number> =>
  (await refusedSince(kv, clock() - LATELY_MS, MOST_ADDRESSES)).length;

/** An administrator who says that mail to an address works again. */
interface Restoring {
  by: string;
  organisation: OrganisationKey;
}

/** Lets mail go to an address again: the only way besides the passing of time and a delivery that was reported. */
export async function restoreAddress(
  store: Store,
  address: readonly string[],
  restoring: Restoring,
): Promise<{ ok: true } | Failure<"not_found">> {
  const found = (await Promise.all(address.map((each) => restore(store, each, restoring))))
    .filter(Boolean);
  return found.length > 0 ? { ok: true } : fail("not_found", { message: NOT_STOPPED });
}

/** Lets mail go again to all addresses that were refused lately, because the fault was not theirs. */
export async function restoreRefused(store: Store, restoring: Restoring): Promise<number> {
  const { kv, clock } = store;
  let count = 0;
  for (const { value } of await refusedSince(kv, clock() - LATELY_MS, MOST_ADDRESSES)) {
    if (await restore(store, value.address, restoring)) count++;
  }
  return count;
}

const restore = (
  { kv, clock }: Store,
  address: string,
  { by, organisation }: Restoring,
): Promise<boolean> =>
  transact(async () => {
    const entry = await mailAddresses.get(kv, address);
    const commit = kv.atomic().check(entry);
    if (entry.value === null) return { result: false, commit };
    mailAddresses.delete(commit, entry.value);
    const detail = `${address.slice(0, 8)}…`;
    addAudit(commit, { organisation, by, action: "address_works", object: {}, detail }, clock());
    return { result: true, commit };
  });

const NOT_STOPPED = "Mail goes to this address already.";
