import type { LinkedEvent } from "../chain/mod.ts";
import { documentEntry, type DocumentStatement, eventEntry } from "../log/mod.ts";
import type { Statement } from "./check_log.ts";

/**
 * Returns what the log should have about a chain: each of its sizes.
 *
 * @param events verified events, from event 0 on
 */
export const chainStatements = (
  record: string,
  events: readonly Pick<LinkedEvent, "at" | "hash">[],
): Statement[] =>
  events.map(({ at, hash: tip }, i) => ({
    at,
    entryOf: (salt) => eventEntry({ record, size: i + 1, tip, salt }),
  }));

/**
 * Returns what the log should have about a version of a document.
 *
 * @param at when it was registered or withdrawn, in ISO 8601
 */
export const documentStatement = (
  statement: Omit<DocumentStatement, "salt">,
  at: string,
): Statement => ({ at, entryOf: (salt) => documentEntry({ ...statement, salt }) });
