import { type TableDescription, tableFinder } from "../../platform/kv/mod.ts";
import type { StoredRow } from "./file_rows.ts";

/** The rows that do not fit the schema of their table. */
export interface UnfitRows {
  count: number;
  /** The problems of the first {@link EXAMPLES} of them, without values, which may be personal. */
  examples: string[];
}

const EXAMPLES = 5;

/** Creates the check of rows against the tables' schemas. Indexes have none. */
export function createSchemaCheck(tables: readonly TableDescription[]) {
  const tableOf = tableFinder(tables);
  const unfit: UnfitRows = { count: 0, examples: [] };
  return {
    unfit,
    check({ key, value }: StoredRow): void {
      const table = tableOf(key);
      // Some tables have a counter next to the rows that it counts, such as access logs.
      if (table?.prefix !== key[0] || value instanceof Deno.KvU64) return;
      const error = table.value?.safeParse(value).error;
      if (error === undefined) return;
      unfit.count++;
      if (unfit.examples.length === EXAMPLES) return;
      const [{ path: [column], code, message }] = error.issues;
      const place = column === undefined ? table.prefix : `${table.prefix}, ${String(column)}`;
      // The message would name the unknown columns, which may be personal too.
      unfit.examples.push(`${place}: ${code === "unrecognized_keys" ? "unknown column" : message}`);
    },
  };
}
