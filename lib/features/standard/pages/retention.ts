import type { TableDescription } from "../../../platform/kv/mod.ts";

/** Returns the table of `docs/ops/retention.md`, a row for each table of the store. */
export const retentionRows = (tables: readonly TableDescription[]): string[][] =>
  tables.map(({ prefix, part, indexes, lifetime: { kept, removedBy, job }, per }) => [
    [prefix, ...indexes].map((each) => `\`${each}\``).join(", ") +
    (part === undefined ? "" : `: \`${part}\``),
    kept,
    removedBy + (job === undefined ? "" : `, job \`${job.replaceAll(", ", "`, `")}\``),
    per,
  ]);
