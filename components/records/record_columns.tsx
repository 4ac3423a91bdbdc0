/**
 * The columns of the list of records and of its export.
 *
 * @module
 */
import { CONTACT_FIELDS, maskEmail } from "../../lib/features/contact/mod.ts";
import type { RecordEntry } from "../../lib/features/records/mod.ts";
import type { Column, ListColumns } from "../Table.tsx";
import { Time } from "../Time.tsx";

/** Returns why a record is not in force; null if it is. */
export const stateOf = (row: RecordEntry["row"]): "replaced" | "closed" | null =>
  row.replaced_by !== null ? "replaced" : row.deletion_at ? "closed" : null;

const contactOf = ({ contact }: RecordEntry) => contact.value;

/** How the list shows fields of the contact. */
const FIELDS: Readonly<Record<string, Column<RecordEntry>>> = {
  name: {
    title: "Name and organisation",
    class: "name",
    hint: (entry) => {
      const { name, organisation } = contactOf(entry).record;
      return organisation === undefined ? name : `${name}, ${organisation}`;
    },
    cell: (entry) => {
      const { name, organisation } = contactOf(entry).record;
      return (
        <>
          <a href={`/console/records/${entry.hash}`}>{name}</a>
          {organisation !== undefined && <span class="organisation muted">{organisation}</span>}
        </>
      );
    },
  },
  enquiry_type: {
    title: "Type",
    class: "type",
    look: "muted",
    cell: (entry) => contactOf(entry).record.enquiry_type ?? "not given",
  },
  email: {
    title: "Email",
    class: "email",
    look: "muted",
    cell: (entry) => (
      <>
        {maskEmail(contactOf(entry).record.email)}
        {contactOf(entry).confirmed_at === null && <small>unconfirmed</small>}
      </>
    ),
  },
};

/** The columns of the list of records. */
export const RECORD_COLUMNS: ListColumns<RecordEntry> = {
  hash: {
    title: "Record",
    class: "hash",
    look: "mono muted text-small",
    cell: ({ hash, row }) => (
      <>
        {hash.slice(0, 8)}
        {row.replaces !== null && (
          <span class="visually-hidden">, corrects {row.replaces.slice(0, 8)}</span>
        )}
      </>
    ),
    value: ({ hash }) => hash,
  },
  registered_at: {
    title: "Registered",
    class: "when digits",
    look: "muted",
    cell: (entry) => <Time at={contactOf(entry).registered_at} day />,
    value: (entry) => contactOf(entry).registered_at,
  },
  site: { value: (entry) => contactOf(entry).site ?? null },
  level: {
    title: "Level",
    class: "level",
    cell: ({ row }) => <Level row={row} />,
    value: ({ row }) => String(row.level),
  },
  state: { value: ({ row }) => stateOf(row) ?? "in force" },
  email_confirmed_at: { value: (entry) => contactOf(entry).confirmed_at },
  mobile_confirmed_at: { value: ({ row }) => row.mobile_confirmed_at },
  ...Object.fromEntries(CONTACT_FIELDS.map(({ name }) => [name, {
    ...FIELDS[name],
    value: (entry: RecordEntry) => contactOf(entry).record[name] ?? null,
  }])),
  replaces: { value: ({ row }) => row.replaces },
  replaced_by: { value: ({ row }) => row.replaced_by },
};

function Level({ row }: Pick<RecordEntry, "row">) {
  const state = stateOf(row);
  if (state !== null) {
    return <span class="pill">{state === "closed" ? "Closed" : "Replaced"}</span>;
  }
  return (
    <>
      <span class="level-word">Level</span>
      {row.level}
    </>
  );
}
