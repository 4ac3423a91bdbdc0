/** The sentences with which `chain:reconcile` says what a restored store lacks. */
import { plural } from "../../base/time.ts";
import { formatDocumentId } from "../../features/documents/mod.ts";
import type { Lost } from "../../features/log/mod.ts";

/**
 * Says what a restored store lacks, and what people will see of it. Empty if it lacks nothing that the log has.
 *
 * @param mostNamed how many records and documents are named
 */
export function describeLost(
  { events, statements, keySets, unknown }: Lost,
  mostNamed: number,
): string[] {
  const lines: string[] = [];
  if (events.size > 0) {
    lines.push(
      `Lost: ${plural(sum(events), "event")} of ${
        plural(events.size, "record")
      } that the store has.`,
      "  Their chains stay closed: holders can sign in and read them, but nothing can be added. Anyone " +
        "who has seen a longer chain can tell that events are missing.",
      ...named([...events.keys()], mostNamed),
    );
  }
  if (statements.size > 0) {
    lines.push(
      `Lost: ${plural(sum(statements), "statement")} about ${
        plural(statements.size, "document")
      } that the store has: a new version or a withdrawal of each.`,
      "  Readers see these documents as they were before: a version that was withdrawn is shown as valid, and a " +
        "newer version as not registered. Nobody can change them any more; they can be issued again as new " +
        "documents.",
      ...named([...statements.keys()].map(formatDocumentId), mostNamed),
    );
  }
  if (keySets > 0) {
    lines.push(
      `Lost: ${plural(keySets, "set")} of signing keys.`,
      "  Readers cannot verify heads that were signed with keys that only these sets contain.",
    );
  }
  if (unknown > 0) {
    lines.push(
      `Lost: ${
        plural(unknown, "entry", "entries")
      } of records and documents that are not in the store.`,
      `  At least 1 and at most ${unknown} of them, because each has one entry or more. The log cannot say how ` +
        "many, which, or whose: an entry is opened only with a record's hash or a document's number.",
      "  Holders of such a record cannot sign in, and its link and QR code lead to a “not " +
        "found” page. A check of such a document's file says that it is not registered. Holders who have saved their " +
        "chain, and readers with a proof, can show that the log has it.",
      "  To learn which records they are, pass the chains that holders have saved to this command.",
    );
  }
  return lines;
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  counts.values().reduce((total, count) => total + count, 0);

function named(names: readonly string[], most: number): string[] {
  const more = names.length - most;
  return [
    ...names.slice(0, most).map((name) => `  ${name}`),
    ...more > 0 ? [`  and ${more} more`] : [],
  ];
}
