import {
  defineTable,
  expires,
  type Expiring,
  expiring,
  isLive,
  isoAfter,
  rowType,
} from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, inDays } from "../../base/time.ts";

/**
 * The state of a request for access to a document. `requested`: the address is not confirmed yet;
 * `open`: nobody has decided yet.
 */
export type RequestState = "requested" | "open" | "approved" | "refused" | "expired" | "revoked";

export type RequestAction = "confirm" | "approve" | "refuse" | "revoke";

/** The state after each action that is possible in a state. Every other action is refused. */
const NEXT: Record<RequestState, Partial<Record<RequestAction, RequestState>>> = {
  requested: { confirm: "open" },
  open: { approve: "approved", refuse: "refused" },
  approved: { revoke: "revoked" },
  refused: {},
  expired: {},
  revoked: {},
};

/** How long each state lasts before the request expires. The others last until the row is deleted. */
const LIFETIMES: Partial<Record<RequestState, number>> = {
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

/** How long a request is kept after its end. One that was never confirmed is deleted at its end. */
export const REQUEST_KEPT_MS = 90 * DAY_MS;

/** The person who asks for access. Only this row contains these data. */
export interface Requester {
  name: string;
  /** Normalised. */
  email: string;
  reason: string;
}

/** The row `["access_requests", id]`. Times are ISO 8601 in UTC; `expires_at` is its deletion. */
export interface AccessRequestRow extends Expiring {
  /** Identifies the request in lists and in the access log. It is not a secret. */
  id: string;
  /** The id of the document. */
  document: string;
  /** The hash of the record. */
  record: string;
  organisation: OrganisationKey;
  person: Requester;
  /** HMAC of the mailbox and the document, which finds the request of a person. */
  mac: string;
  /** As stored; {@link stateOf} also knows the time. */
  state: Exclude<RequestState, "expired">;
  requested_at: string;
  confirmed_at: string | null;
  decided_at: string | null;
  /** `holder`, or the email address of an administrator. */
  decided_by: string | null;
  /** Why it was approved or refused, if the person who decided said so. */
  decision_reason: string | null;
  /** When it expires; null in a state that lasts. */
  ends_at: string | null;
  /** SHA-256 of the mailed links, newest first. Only the newest one can be used. */
  links: string[];
  /** SHA-256 of the browser's grant, once the link was used. */
  grant: string | null;
}

/** Returns the state of a request at a time. */
export const stateOf = (
  { state, ends_at }: Pick<AccessRequestRow, "state" | "ends_at">,
  now: number,
): RequestState => ends_at !== null && now >= Date.parse(ends_at) ? "expired" : state;

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
  return state === undefined ? null : { ...row, state, ...timesOf(state, now) };
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

/** The requests for access to documents. */
export const requests = defineTable({
  prefix: "access_requests",
  row: rowType<AccessRequestRow>(),
  key: ["id"],
  indexes: {
    access_requests_by_record: {
      columns: ["record", "requested_at"],
      value: ({ confirmed_at }: AccessRequestRow): Listed => ({ confirmed: confirmed_at !== null }),
    },
  },
  otherIndexes: ["access_requests_by_document"],
  owner: "record",
  lifetime: expires(`${inDays(REQUEST_KEPT_MS)} after its end`),
  per: "request for access",
  privacy: { section: "document_access", label: "Your request" },
});

/** The value of the index by record. */
interface Listed {
  confirmed: boolean;
}

/** The key that finds the latest request of a person for a document. */
export const personKey = (document: string, mac: string): Deno.KvKey => [
  "access_requests_by_document",
  document,
  mac,
];

/** Reads a request as an entry that a commit can check. The row may have expired. */
export const requestEntry = requests.get;

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
  const entries = await Array.fromAsync(
    kv.list<Listed>({ prefix: ["access_requests_by_record", record] }, { reverse: true }),
  );
  return entries.filter(({ value }) => !confirmed || value.confirmed)
    .map(({ key }) => String(key[3]));
}

/** The most requests that a list shows. */
const MOST_LISTED = 100;

/** Returns the confirmed requests for the documents of a record, newest first. */
export async function listRequests(
  kv: Deno.Kv,
  record: string,
  now: number,
): Promise<AccessRequestRow[]> {
  const ids = (await listRequestIds(kv, record, { confirmed: true })).slice(0, MOST_LISTED);
  const found = await requests.getMany(kv, ids.map((id): [string] => [id]));
  return found.map(({ value }) => value).filter((row) => isLive(row, now));
}

/** Adds a new or changed request to a commit, with its indexes. */
export function saveRequest(
  commit: Deno.AtomicOperation,
  row: AccessRequestRow,
  now: number,
): void {
  requests.set(commit, row, now);
  commit.set(personKey(row.document, row.mac), row.id, expiring(row, now));
}

/** Adds the move of a request to another record to a commit. */
export function moveRequest(
  commit: Deno.AtomicOperation,
  row: AccessRequestRow,
  record: string,
  now: number,
): void {
  requests.delete(commit, row);
  requests.set(commit, { ...row, record }, now);
}

/** Adds the deletion of a request to a commit, without the entry that finds it by person. */
export const removeRequest = requests.delete;
