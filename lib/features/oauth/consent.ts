/** The logic of the consent page: what it shows about an app's request, and the approval for a record. */
import { sha256 } from "../../platform/kv/hash.ts";
import {
  type HolderSession,
  holderSessions,
  readRecord,
  type RecordEntry,
  waitsToCorrect,
} from "../records/mod.ts";
import { fail } from "../../base/result.ts";
import { type Decided, decideRequest, issuerOrigin, type StoredRequest } from "./decisions.ts";
import { formActionOf, isLoopbackUrl } from "./redirects.ts";
import { purposeOf, type Scope, SCOPE_TEXTS, SCOPES } from "./scopes.ts";

/** The page on the trust surface where a person decides a request. */
export const consentPath = (token: string): string =>
  `/my-record/authorize?${new URLSearchParams({ request: token })}`;

/** Returns the token of a request in a form or query; null if it is missing or malformed. */
export const requestTokenOf = (value: unknown): string | null =>
  typeof value === "string" && /^[\w-]{43}$/.test(value) ? value : null;

/** The destination of the browser after a decision. */
export type Destination =
  | { kind: "site"; host: string }
  /** A program on the person's computer. Nobody can tell which one. */
  | { kind: "computer"; host: string }
  /** An app that opens links of a private-use scheme. */
  | { kind: "scheme"; scheme: string };

/** Returns where a request's redirect URI leads: to a site, a program on this computer, or an app. */
export function destinationOf({ redirect_uri }: { redirect_uri: string }): Destination {
  const url = new URL(redirect_uri);
  if (isLoopbackUrl(url)) return { kind: "computer", host: url.host };
  if (url.protocol === "https:") return { kind: "site", host: url.host };
  return { kind: "scheme", scheme: url.protocol };
}

/** The texts of a token without a record, which has nothing to read. */
const TEXTS_WITHOUT_RECORD: Partial<Record<Scope, string>> = {
  mcp: "Use the tools of this server, which are open to everyone.",
  offline_access: "Stay connected until you disconnect it in the app.",
};

/** Returns a sentence for everything that a token of a request will allow. */
export function allowedBy({ scopes }: { scopes: readonly Scope[] }, hasRecord: boolean): string[] {
  const texts = hasRecord ? SCOPE_TEXTS : TEXTS_WITHOUT_RECORD;
  const always = purposeOf({ scopes }) === "mcp" ? "mcp" : null;
  return SCOPES.filter((scope) => scope === always || scopes.includes(scope))
    .map((scope) => texts[scope])
    .filter((text) => text !== undefined);
}

/**
 * Changes a page's policy so that its forms can return to the app that asks: Chromium applies
 * `form-action` to the redirects that follow a form. Null if no source can name the redirect, such as
 * one to `[::1]`: then the decision leads to a page that returns to the app itself. The page loads
 * nothing over http, and an upgrade to TLS must not change a redirect to the person's computer.
 */
export function consentPolicy(request: StoredRequest): (policy: string) => string {
  const sources = ["'self'", issuerOrigin(request), formActionOf(request.redirect_uri)];
  const directive = `form-action ${sources.filter((source) => source !== null).join(" ")}`;
  return (policy) =>
    policy.split("; ")
      .filter((line) => line !== "upgrade-insecure-requests")
      .map((line) => line.startsWith("form-action ") ? directive : line)
      .join("; ");
}

/** Returns whether a form's redirect can return to the app, see {@link consentPolicy}. */
export const returnsByForm = ({ redirect_uri }: { redirect_uri: string }): boolean =>
  formActionOf(redirect_uri) !== null;

/**
 * Identifies what a consent page shows: the session and the record. An approval is valid only while
 * both are the same.
 */
export const shownMark = (
  token: string,
  { id, record }: Pick<HolderSession, "id" | "record">,
): string => sha256(JSON.stringify([sha256(token), id, record]));

/** Why an open record cannot be connected. */
export type ConnectionProblem = "closed" | "waiting" | "replaced";

/** Returns why a record cannot be connected to an app; null if it can. */
export async function connectionProblem(
  kv: Deno.Kv,
  record: Pick<RecordEntry, "hash" | "row">,
): Promise<ConnectionProblem | null> {
  if (record.row.deletion_at) return "closed";
  if (record.row.replaced_by !== null) return "replaced";
  return await waitsToCorrect(kv, record) ? "waiting" : null;
}

/** The holder who approves a request, and the mark of the page that they saw. */
export interface Approver {
  session: HolderSession;
  shown: string;
}

/**
 * Approves a request for the record that is open in a session, if it is what the page showed. The
 * commit checks the session and the record, so that neither can end or change at the same time.
 */
export async function approveRequest(
  kv: Deno.Kv,
  token: string,
  { session, shown }: Approver,
  now: number,
): Promise<Decided> {
  const { record: hash } = session;
  if (hash === null || shown !== shownMark(token, session)) return fail("conflict");
  return await decideRequest(kv, token, { approved: true, record: hash }, now, async (commit) => {
    const [record, current] = await Promise.all([
      readRecord(kv, hash),
      holderSessions.get(kv, session.id),
    ]);
    if (record === null || current.value?.record !== hash) return false;
    if (await connectionProblem(kv, record) !== null) return false;
    commit.check(record.contact, record.entry, current);
    return true;
  });
}
