/**
 * The rules of who may read a version, and the states that the public sees.
 *
 * @module
 */
import type { HolderSession } from "../../records/mod.ts";
import type { Grant } from "./cookie.ts";
import { type DocumentRow, type DocumentVersion, isExpired } from "../store.ts";

/** Why somebody may read a document; `public` is everyone else, who sees the lock screen. */
export type Permission = "holder" | "grant" | "operator" | "public";

/** The sender of a request. */
export interface Visitor {
  holder: HolderSession | null;
  /** The browser's grant for this document, or what a link of its holder gives the browser, if any. */
  grant: Grant | null;
  /** True if this is a full administrator (L1), who reads documents in the console only. */
  operator: boolean;
}

/**
 * The state of a version for the public: `test` for one that was made with a key for tests, whatever became of
 * it; `expired` only if it would otherwise be `current`.
 */
export type DocumentStatus = LiveStatus | "test";

/** The state of a version, of a test too. */
export type LiveStatus = "current" | "replaced" | "withdrawn" | "expired";

/**
 * Returns who may read a version. The holder and administrators may read every version. A grant opens
 * only the version in force, until the document expires.
 */
export function permissionOf(
  { holder, grant, operator }: Visitor,
  document: DocumentRow,
  version: DocumentVersion,
  now: number,
): Permission {
  if (operator) return "operator";
  // Without a record, the document waits for its recipient, and nobody has chosen one.
  const isOwn = document.record !== null && holder?.record === document.record;
  if (isOwn && holder.closed === null) return "holder";
  const valid = grant !== null && grant.document === document.id &&
    now < Date.parse(grant.expires_at);
  return valid && statusOf(document, version, now) === "current" ? "grant" : "public";
}

/** Returns the status of a version at a time in milliseconds since 1970; `test` for a test document. */
export const statusOf = (
  document: DocumentRow,
  version: DocumentVersion,
  now: number,
): DocumentStatus => document.test ? "test" : liveStatusOf(document, version, now);

/** Returns the same as {@link statusOf} without regard to whether the document is a test. */
export const liveStatusOf = (
  document: DocumentRow,
  { state }: DocumentVersion,
  now: number,
): LiveStatus => state === "current" && isExpired(document, now) ? "expired" : state;

/** Returns whether everybody sees why a version was withdrawn. The API says so to issuers. */
export const isReasonPublic = (
  { public: isPublic, recipient }: Pick<DocumentRow, "public" | "recipient">,
): boolean => isPublic || recipient !== undefined;
