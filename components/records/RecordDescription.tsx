/** The short description of a record in lists of a holder's records. */
import { ownerOf } from "../../lib/features/contact/mod.ts";
import type { RecordContents } from "../../lib/features/documents/mod.ts";
import type { RecordEntry } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { plural } from "../../lib/base/time.ts";
import { groupsOf } from "../RecordHash.tsx";
import { Time } from "../Time.tsx";

/** How many documents and issuers a description names. */
const MOST_NAMED = 3;

export interface DescribedRecord {
  record: RecordEntry;
  contents: RecordContents;
}

/** Describes a record so that its holder tells it from others: by issuers, documents and the date. */
export function RecordDescription(
  { record: { hash, contact: { value: contact }, row }, contents, state }:
    & DescribedRecord
    & { state: State },
) {
  const { issuers, documents } = contents;
  const registrar = state.services.config.organisations[ownerOf(contact)].name;
  const sent = row.replaces === null ? "Your enquiry to" : "Your corrected data at";
  return (
    <span class="record-description stack gap-1-4 anywhere">
      <strong>{issuers.length === 0 ? `${sent} ${registrar}` : listed(issuers)}</strong>
      <span>
        {row.deletion_at
          ? "Will be deleted"
          : documents.length === 0
          ? "No documents"
          : listed(documents.toReversed().map(({ title }) => title))}
      </span>
      <span class="muted">
        Since <Time at={contact.registered_at} day /> ·{" "}
        {row.replaced_by === null ? `Level ${row.level}` : "Replaced by a newer record"}
      </span>
      <code class="muted text-small">{groupsOf(hash.slice(0, 16)).join(" ")} …</code>
    </span>
  );
}

/** Returns the first of some names, and how many others there are. */
function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const named = more > 0 ? names.slice(0, MOST_NAMED) : names;
  return `${named.join(", ")}${more > 0 ? ` and ${plural(more, "other")}` : ""}`;
}
