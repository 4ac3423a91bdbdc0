/**
 * The requests for access as they are stored: their states, transitions and lists.
 *
 * @module
 */
import { z } from "zod";
import { mailboxOf } from "../../../base/email.ts";
import { alertState } from "../../alerts/mod.ts";
import {
  defineTable,
  expires,
  EXPIRING,
  expiring,
  isLive,
  isoAfter,
} from "../../../platform/kv/mod.ts";
import { DAY_MS, inDays, SECOND_MS } from "../../../base/time.ts";
import { formatDocumentId } from "../ids.ts";

/**
 * The state of a request for access to a document. `requested`: the address is not confirmed yet;
 * `open`: nobody has decided yet; `withdrawn` and `document_expired`: it was open or approved, but its
 * document has been withdrawn or has expired.
 */
export type RequestState = OwnState | "withdrawn" | "document_expired";

/** The state of a request, whatever the state of its document. */
type OwnState = AccessRequestRow["state"] | "expired";

export type RequestAction = "confirm" | "approve" | "refuse" | "revoke";

/** The state after each action that is possible in a state. Every other action is refused. */
const NEXT: Record<OwnState, Partial<Record<RequestAction, OwnState>>> = {
  requested: { confirm: "open" },
  open: { approve: "approved", refuse: "refused" },
  approved: { revoke: "revoked" },
  refused: {},
  expired: {},
  revoked: {},
};

/** How long each state lasts before the request expires. The others last until the row is deleted. */
const LIFETIMES: Partial<Record<OwnState, number>> = {
  requested: 7 * DAY_MS,
  open: 30 * DAY_MS,
  approved: 7 * DAY_MS,
};

/** How long a person has to confirm the address. */
export const CONFIRMATION_LIFETIME_MS: number = LIFETIMES.requested!;
/** How long a request waits for a decision. */
export const DECISION_LIFETIME_MS: number = LIFETIMES.open!;
/** How long an approved request gives access. */
export const GRANT_LIFETIME_MS: number = LIFETIMES.approved!;

/** How long the mails about an approval or a refusal wait, and it can be undone. */
export const HOLD_MS = 10 * SECOND_MS;

/** How long a request is kept after its end. One that was never confirmed is deleted at its end. */
export const REQUEST_KEPT_MS = 90 * DAY_MS;

/** The person who asks for access. Only this row contains these data. */
const requester = z.strictObject({
  name: z.string(),
  /** The normalised address. */
  email: z.string(),
  reason: z.string(),
});
export type Requester = z.infer<typeof requester>;

/** The latest decision while it can be undone: what recalls its mails, and what undoing restores. */
const heldDecision = z.strictObject({
  until: z.string(),
  /** The mails that wait: the decision, and the notice to the holder. */
  mails: z.array(z.strictObject({ due: z.number(), id: z.string() })),
  /** These columns before the decision. */
  ends_at: z.string().nullable(),
  expires_at: z.string(),
  /** The alert before the decision; null if it was done already. */
  alert: alertState.nullable(),
});

/** Times are ISO 8601 in UTC; `expires_at` is the deletion of the row. */
const accessRequest = z.strictObject({
  /** Identifies the request in lists and in the access log. It is not a secret. */
  id: z.string(),
  /** The id of the document. */
  document: z.string(),
  /** The hash of the record. */
  record: z.string(),
  organisation: z.enum(["foundation", "commercial"]),
  person: requester,
  /** HMAC of the mailbox and the document, which finds the request of a person. */
  mac: z.string(),
  /** The stored state. {@link stateOf} also considers the time. */
  state: z.enum(["requested", "open", "approved", "refused", "revoked"]),
  requested_at: z.string(),
  confirmed_at: z.string().nullable(),
  decided_at: z.string().nullable(),
  /** `holder`, or the email address of an administrator. */
  decided_by: z.string().nullable(),
  /** Why it was approved or refused, if the person who decided said so. */
  decision_reason: z.string().nullable(),
  /** When it expires; null in a state that lasts. */
  ends_at: z.string().nullable(),
  /** SHA-256 of the mailed links that confirm the address, newest first. Only the newest one can be used. */
  links: z.array(z.string()),
  /** SHA-256 of the code of the newest link to the document; null unless it was approved. */
  share: z.string().nullable(),
  /** Absent unless it was approved or refused, and in rows of earlier versions of the site. */
  held: heldDecision.optional(),
  ...EXPIRING,
});
export type AccessRequestRow = z.infer<typeof accessRequest>;

/** Returns the state of a request at a time, whatever the state of its document. */
export const stateOf = (
  { state, ends_at }: Pick<AccessRequestRow, "state" | "ends_at">,
  now: number,
): OwnState => ends_at !== null && now >= Date.parse(ends_at) ? "expired" : state;

/** Returns whether the latest decision can still be undone. */
export const canBeUndone = ({ held }: { held?: AccessRequestRow["held"] }, now: number): boolean =>
  held !== undefined && now < Date.parse(held.until);

/** Returns what can be done with a request at a time. */
export const possibleActions = (
  row: Pick<AccessRequestRow, "state" | "ends_at">,
  now: number,
): RequestAction[] => Object.keys(NEXT[stateOf(row, now)]) as RequestAction[];

/**
 * Returns a request after an action; null if the action is not possible in its state.
 *
 * @example
 * ```ts
 * const open = afterAction(row, "confirm", now);
 * ```
 */
export function afterAction(
  row: AccessRequestRow,
  action: RequestAction,
  now: number,
): AccessRequestRow | null {
  const state = NEXT[stateOf(row, now)][action] as AccessRequestRow["state"] | undefined;
  if (state === undefined) return null;
  const { held: _, ...others } = row;
  return { ...others, state, ...timesOf(state, now) };
}

/** Returns the end of a state that begins now, and when its row is deleted. */
export function timesOf(
  state: AccessRequestRow["state"],
  now: number,
): Pick<AccessRequestRow, "ends_at" | "expires_at"> {
  const lasts = LIFETIMES[state];
  const kept = state === "requested" ? 0 : REQUEST_KEPT_MS;
  return {
    ends_at: lasts === undefined ? null : isoAfter(now, lasts),
    expires_at: isoAfter(now, (lasts ?? 0) + kept),
  };
}

export const requests = defineTable({
  prefix: "access_requests",
  value: accessRequest,
  key: ["id"],
  indexes: {
    access_requests_by_record: {
      columns: ["record", "requested_at"],
      value: ({ confirmed_at, state, ends_at }: AccessRequestRow): Listed => ({
        confirmed: confirmed_at !== null,
        state,
        ends_at,
      }),
    },
  },
  otherIndexes: ["access_requests_by_document"],
  owner: "record",
  lifetime: expires(`${inDays(REQUEST_KEPT_MS)} after its end`),
  per: "request for access",
  privacy: {
    section: "document_access",
    label: "Your request",
    text: "Your name, email address and reason, the document, the times of your request and " +
      "confirmation, the decision (by whom, when and why), and a keyed fingerprint of the " +
      "address and the document. The record's holder and administrators can see the request " +
      `once you have confirmed the address. We keep it for ${inDays(REQUEST_KEPT_MS)} after ` +
      "the request was refused, after it expired because nobody decided within " +
      `${inDays(DECISION_LIFETIME_MS)}, or after the access ended. We delete it earlier if the ` +
      "record is deleted. A request that you do not confirm is deleted after " +
      `${inDays(CONFIRMATION_LIFETIME_MS)}, or if many other people ask for the document, after ` +
      "an hour or more; to choose it fairly, we keep a keyed fingerprint of the network for as " +
      "long. An alert in the console refers to the request by its number for the same time.",
  },
});

/** The value of the index by record. */
interface Listed extends Pick<AccessRequestRow, "state" | "ends_at"> {
  confirmed: boolean;
}

/** Returns what is signed to find the latest request of a person for a document. */
export const personText = (email: string, document: string): string =>
  `${mailboxOf(email)}\n${document}`;

/** The key that finds the latest request of a person for a document. */
export const personKey = (document: string, mac: string): Deno.KvKey => [
  "access_requests_by_document",
  document,
  mac,
];

/** Reads a request; null if it does not exist or has been deleted. */
export async function readRequest(
  kv: Deno.Kv,
  id: string,
  now: number,
): Promise<AccessRequestRow | null> {
  return (await requests.getLive(kv, now, id))?.value ?? null;
}

/** Returns the ids of the requests for the documents of a record, newest first. */
export async function listRequestIds(
  kv: Deno.Kv,
  record: string,
  { confirmed = false }: {
    /** True to return only those with a confirmed address. */
    confirmed?: boolean;
  } = {},
): Promise<string[]> {
  return (await readListed(kv, record)).filter((listed) => !confirmed || listed.confirmed)
    .map(({ id }) => id);
}

/** Reads the index of a record, newest first. */
const readListed = (kv: Deno.Kv, record: string) =>
  Array.fromAsync(
    kv.list<Listed>({ prefix: ["access_requests_by_record", record] }, { reverse: true }),
    ({ key, value }) => ({ ...value, id: String(key[3]) }),
  );

/**
 * Returns the ids of each person's latest request for a document if its address is confirmed, newest first.
 * No other request is open or gives access. A correction does not move these keys to another record.
 */
export async function listLatestIds(kv: Deno.Kv, document: string): Promise<string[]> {
  const [table] = personKey(document, "");
  const ids = await Array.fromAsync(
    kv.list<string>({ prefix: [table, document] }),
    ({ value }): [string] => [value],
  );
  const placeOf = ({ requested_at, id }: AccessRequestRow) => `${requested_at} ${id}`;
  return (await requests.getMany(kv, ids)).map(({ value }) => value)
    .filter(({ confirmed_at }) => confirmed_at !== null)
    .sort((a, b) => placeOf(a) < placeOf(b) ? 1 : -1)
    .map(({ id }) => id);
}

/** The most requests that a list shows. */
const MOST_LISTED = 100;
/** The most requests in a list that somebody waits for. */
const MOST_OPEN = 500;

/**
 * Returns the confirmed requests for the documents of a record, newest first. Whatever strangers add, those that
 * give access are among them, then those that are open; the newest of the others fill the list.
 */
export async function listRequests(
  kv: Deno.Kv,
  record: string,
  now: number,
): Promise<AccessRequestRow[]> {
  const listed = (await readListed(kv, record)).filter(({ confirmed }) => confirmed)
    .map(({ id, ...row }) => ({ id, state: stateOf(row, now) }));
  const approved = listed.filter(({ state }) => state === "approved");
  const open = listed.filter(({ state }) => state === "open").slice(0, MOST_OPEN);
  const others = listed.filter(({ state }) => state !== "approved" && state !== "open")
    .slice(0, Math.max(0, MOST_LISTED - approved.length - open.length));
  const shown = new Set([...approved, ...open, ...others]);
  const ids = listed.filter((each) => shown.has(each)).map(({ id }) => id);
  const found = await requests.getMany(kv, ids.map((id): [string] => [id]));
  return found.map(({ value }) => value).filter((row) => isLive(row, now));
}

/** Describes a request for the access log: the document and the request, but nobody's name. */
export const describe = ({ document, id }: Pick<AccessRequestRow, "document" | "id">): string =>
  `document ${formatDocumentId(document)}, request ${formatDocumentId(id)}`;

/** Adds a new or changed request to a commit, with its indexes. */
export function saveRequest(
  commit: Deno.AtomicOperation,
  row: AccessRequestRow,
  now: number,
): void {
  requests.set(commit, row, now);
  commit.set(personKey(row.document, row.mac), row.id, expiring(row, now));
}
