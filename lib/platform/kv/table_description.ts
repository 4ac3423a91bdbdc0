import type { z } from "zod";

/** Whom the rows of a table belong to. */
export type Owner = "record" | "user" | "organisation" | "nobody";

/**
 * How rows are removed:
 *
 * - `store`: each row is written with its expiry, and the store deletes it
 * - `record`, `account`: they are deleted with the record or the account
 * - `use`: the feature deletes them, when they have been used or replaced
 * - `nothing`: they stay; `per` says what causes a new one
 */
export type Remover = "store" | "record" | "account" | "use" | "nothing";

/** How long rows are kept, in the words of `docs/ops/retention.md`. */
export interface Lifetime {
  kept: string;
  removedBy: Remover;
  /** The job that removes what the feature could not. */
  job?: string;
}

/** Rows that are written with their expiry. */
export const expires = (kept: string): Lifetime => ({ kept, removedBy: "store" });

/** Rows that the feature deletes. */
export const untilUsed = (kept: string, job?: string): Lifetime => ({
  kept,
  removedBy: "use",
  job,
});

/** Rows that are deleted with their record. */
export const WITH_RECORD: Lifetime = { kept: "until the record is deleted", removedBy: "record" };
/** Rows that are deleted with their account. */
export const WITH_ACCOUNT: Lifetime = {
  kept: "until the account is deleted",
  removedBy: "account",
};
/** Rows that stay. */
export const ALWAYS: Lifetime = { kept: "always", removedBy: "nothing" };

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
  /** Markdown. Undefined if another table has the text with this label. */
  text?: string;
  /** Returns whether a deployment with this configuration stores it. Default: it does. */
  if?(config: never): boolean;
}

/** A table without the types of its rows, as everything outside its feature sees it. */
export interface TableDescription {
  /** The first part of its keys. */
  prefix: string;
  /** The schema of its rows, without their indexes. */
  value: z.ZodType | undefined;
  /** The first parts of the keys of its indexes. */
  indexes: readonly string[];
  owner: Owner;
  /** True if a correction moves the rows to the new record. */
  moves: boolean;
  lifetime: Lifetime;
  /** The cause of a new row, such as `sign-in link`. */
  per: string;
  /** Empty if the rows are about nobody, which the page says in one sentence. */
  privacy: readonly PrivacyText[];
  /** Deletes all rows of a record or a user. It has no effect if the feature deletes them. */
  deleteOf(kv: Deno.Kv, owner: string | number): Promise<void>;
  /**
   * Moves all rows to the record that corrects `from`.
   *
   * @throws {TypeError} if the table does not name the column of its record
   */
  move(kv: Deno.Kv, from: string, to: string, now: number): Promise<void>;
}

/** Returns the first parts of all keys that tables declare, each with its table. */
export const prefixesOf = (
  tables: readonly TableDescription[],
): Map<string, TableDescription> =>
  new Map(
    tables.flatMap((table) =>
      [table.prefix, ...table.indexes].map((prefix) => [prefix, table] as const)
    ),
  );
