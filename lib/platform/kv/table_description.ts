/** The facts about a table that jobs and documents use: its owner, its lifetime, its privacy text. */
import type { z } from "zod";

/** The owner of the rows of a table. */
export type Owner = "record" | "user" | "organisation" | "nobody";

/**
 * The ways in which the rows of a table are removed:
 *
 * - `store`: the store deletes each row at its `expires_at`
 * - `record`, `account`: the deletion of the record or the account
 * - `use`: the feature deletes rows that were used or replaced
 * - `nothing`: rows are kept; `per` says what causes a new one
 */
export type Remover = "store" | "record" | "account" | "use" | "nothing";

/** How long rows are kept, in the words of `docs/ops/retention.md`. */
export interface Lifetime {
  kept: string;
  removedBy: Remover;
  /** The job that removes what the feature could not. */
  job?: string;
}

/** The lifetime of rows that the store deletes at their `expires_at`. */
export const expires = (kept: string): Lifetime => ({ kept, removedBy: "store" });

/** The lifetime of rows that the feature deletes, and `job` if the feature could not. */
export const untilUsed = (kept: string, job?: string): Lifetime => ({
  kept,
  removedBy: "use",
  job,
});

/** The lifetime of rows that are deleted with their record. */
export const WITH_RECORD: Lifetime = { kept: "until the record is deleted", removedBy: "record" };
/** The lifetime of rows that are deleted with their account. */
export const WITH_ACCOUNT: Lifetime = {
  kept: "until the account is deleted",
  removedBy: "account",
};
/** The lifetime of rows that are never deleted. */
export const ALWAYS: Lifetime = { kept: "always", removedBy: "nothing" };

/** The jobs that delete rows that are {@link Due}. */
export const DUE_JOBS = { often: "due", nightly: "due-nightly" } as const;

/** The rows of a table that a job of the platform deletes. */
export interface Due<Row> {
  /** Returns whether a row is due. */
  when(row: Row, now: number): boolean;
  /** True if the job reads the table once a night, and not every five minutes. */
  nightly: boolean;
}

/** Deletes a row that was due when the job read it. Returns false if it must stay after all. */
export type DeleteDue = (entry: Deno.KvEntry<never>) => Promise<boolean>;

/** The part of the privacy page that describes a row, by what a person does when it is written. */
export type PrivacySection =
  | "sign_in"
  | "enquiry"
  | "record"
  | "open_document"
  | "check"
  | "document_access"
  | "codes"
  | "agents"
  | "payments"
  | "consoles";

/** The text of the privacy page about the rows of one or more tables. */
export interface PrivacyText {
  section: PrivacySection;
  label: string;
  /** Markdown. It may be absent if another table has the text of the same section and label. */
  text?: string;
  /** Returns whether a deployment with this configuration stores it. Default: it does. */
  if?(config: never): boolean;
}

/** A table without the types of its rows, as everything outside its feature sees it. */
export interface TableDescription {
  /** The first part of its keys. */
  prefix: string;
  /** The second part of its keys, if other descriptions have the same prefix: the name of a limit. */
  part?: string;
  /** The schema of its rows, without their indexes. */
  value: z.ZodType | undefined;
  /** The first parts of the keys of its indexes. */
  indexes: readonly string[];
  owner: Owner;
  /** True if a correction moves the rows to the new record. */
  moves: boolean;
  lifetime: Lifetime;
  due?: Due<never>;
  /** The cause of a new row, such as `sign-in link`. */
  per: string;
  /** Empty if the rows are about nobody, which the page says in one sentence. */
  privacy: readonly PrivacyText[];
  /** Returns the rows of the indexes that list a row. Absent if the table declares no such index. */
  indexRows?(row: never, key: Deno.KvKey): { key: Deno.KvKey; value: unknown }[];
  /**
   * Returns the key of the row that a key of an index leads to; null if its keys do not
   * say.
   */
  rowKeyIn?(key: Deno.KvKey): Deno.KvKey | null;
  /** Deletes all rows of a record or a user. It has no effect if the feature deletes them. */
  deleteOf(kv: Deno.Kv, owner: string | number): Promise<void>;
  /**
   * Moves all rows to the record that corrects `from`.
   *
   * @throws {TypeError} if the table does not name the column of its record
   */
  move(kv: Deno.Kv, from: string, to: string, now: number): Promise<void>;
}

/** Returns the name of a table, which is how its keys begin. */
export const nameOf = ({ prefix, part }: Pick<TableDescription, "prefix" | "part">): string =>
  part === undefined ? prefix : `${prefix} ${part}`;

/** Returns a function that finds the table that declares a key, or that of its index. */
export function tableFinder(
  tables: readonly TableDescription[],
): (key: Deno.KvKey) => TableDescription | undefined {
  const declared = new Map(
    tables.flatMap((table) =>
      [nameOf(table), ...table.indexes].map((name) => [name, table] as const)
    ),
  );
  return ([prefix, part]) =>
    declared.get(String(prefix)) ??
      declared.get(nameOf({ prefix: String(prefix), part: String(part) }));
}
