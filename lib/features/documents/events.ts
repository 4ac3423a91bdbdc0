/**
 * The events of documents, and how other features add to the commit that causes one.
 *
 * @module
 */
import type { UnitOfWork } from "../../platform/kv/mod.ts";
import type { PartyDomain } from "./issued_by.ts";
import type { DocumentRow } from "./store.ts";

/** The events of documents that their issuers learn of. */
export const DOCUMENT_EVENTS = [
  "document.issued",
  "document.accepted",
  "document.refused",
  "document.lapsed",
  "document.replaced",
  "document.withdrawn",
  "document.erased",
  "document.also_registered",
] as const;

export type DocumentEventType = typeof DOCUMENT_EVENTS[number];

/** An organisation that has registered the same file, as everybody sees it who checks the file. */
export interface OtherIssuer {
  name: string;
  domain?: PartyDomain;
  /** When it registered the file, ISO 8601 in UTC. */
  at: string;
}

/** A change of a document that an issuer's webhooks may report. */
export interface DocumentEvent {
  type: DocumentEventType;
  /** The document after the event. */
  document: DocumentRow;
  /** ISO 8601 in UTC. */
  at: string;
  /** Only for `document.also_registered`. */
  other?: OtherIssuer;
}

/** Starts what need not be awaited, once the commit has succeeded. It never throws. */
export type AfterCommit = () => void;

/**
 * Adds what another feature stores for an event to the commit that causes it. It runs again if the commit
 * fails. Features pass it in the hook `documentEvent`.
 */
export type AddDocumentEvent = (
  commit: Deno.AtomicOperation,
  event: DocumentEvent,
) => Promise<AfterCommit>;

/** Returns the function that adds an event to the unit that causes it. */
export const createEmit =
  ({ onEvent = () => [] }: { onEvent?: () => readonly AddDocumentEvent[] }) =>
  (
    unit: UnitOfWork,
    type: DocumentEventType,
    document: DocumentRow,
    other?: OtherIssuer,
  ): void => {
    const event = { type, document, at: new Date(unit.now).toISOString(), other };
    const write = async (add: AddDocumentEvent) => unit.after(await add(unit.commit, event));
    for (const add of onEvent()) unit.add(write(add));
  };
