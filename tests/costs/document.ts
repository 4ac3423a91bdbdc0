/**
 * The tables of `docs/ops/costs.md`: reading them, comparing them with what was counted, and writing the
 * numbers again.
 *
 * @module
 */
import type { Costs } from "./measure.ts";
import { type Effort, sumOf } from "./meter.ts";
import type { Cost } from "./walk.ts";

export const DOCUMENT = new URL("../../docs/ops/costs.md", import.meta.url);

/** The counted costs, by the columns of the tables. */
const COLUMNS = ["Trips", "Store", "Work", "Page", "Later"] as const;
type Column = typeof COLUMNS[number];

/** The numbers of a request by column and name. The column of round trips has a single one without a name. */
type Numbers = Record<Column, Record<string, number>>;

interface Row {
  numbers: Numbers;
  reason: string;
}

/** A table: the most that its requests may cost without a reason, and its rows by their names. */
interface Table {
  most: Numbers;
  rows: Record<string, Row>;
}

const MOST = "**At most**";
const REASON = "Why more";

const none = (): Numbers => ({ Trips: {}, Store: {}, Work: {}, Page: {}, Later: {} });

/** Bytes are rounded up to whole kilobytes, so that not every word changes a number. */
const kilobytes = (bytes: number): number => Math.ceil(bytes / 1_000);

export function numbersOf({ trips, store, work, later, page }: Cost): Numbers {
  const sizes = page === null ? {} : {
    "HTML KB": kilobytes(page.html),
    "inline KB": kilobytes(page.inline),
    "scripts": page.scripts.files,
    "scripts KB": kilobytes(page.scripts.bytes),
    "styles": page.styles.files,
    "styles KB": kilobytes(page.styles.bytes),
  };
  const present = Object.entries(sizes).filter(([, size]) => size > 0);
  return {
    Trips: trips === null ? {} : { "": trips },
    Store: store,
    Work: sorted(work),
    Page: Object.fromEntries(present),
    Later: later,
  };
}

/** Concurrent work begins in any order. */
const sorted = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1));

/** Returns the tables of the document by section. */
export function readTables(text: string): Record<string, Table> {
  const tables: Record<string, Table> = {};
  let section = "";
  let columns: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("## ")) section = line.slice(3);
    if (!line.startsWith("| ")) continue;
    const [name, ...cells] = line.slice(2, -2).split(" | ").map((cell) => cell.trim());
    if (name === "Request") {
      columns = cells;
      tables[section] = { most: none(), rows: {} };
    } else if (!name.startsWith("--")) {
      const table = tables[section];
      const row: Row = { numbers: none(), reason: "" };
      cells.forEach((cell, i) => {
        if (columns[i] === REASON) row.reason = cell;
        else row.numbers[columns[i] as Column] = parseCell(cell);
      });
      if (name === MOST) table.most = row.numbers;
      else table.rows[name.replaceAll("`", "")] = row;
    }
  }
  return tables;
}

function parseCell(cell: string): Record<string, number> {
  if (cell === "") return {};
  return Object.fromEntries(
    cell.split(", ").map((part) => {
      const [, name, count] = /^(.*?) ?(\d+)$/.exec(part) ?? [];
      if (count === undefined) throw new Error(`A cell of the table is not readable: ${cell}`);
      return [name, Number(count)];
    }),
  );
}

const formatCell = (counts: Record<string, number>): string =>
  Object.entries(counts).map(([name, count]) => `${name} ${count}`.trim()).join(", ");

/** Returns the documented round trips, calls of the store and work of each request. */
export const effortsOf = (tables: Record<string, Table>): Record<string, Record<string, Effort>> =>
  Object.fromEntries(
    Object.entries(tables).map(([section, { rows }]) => [
      section,
      Object.fromEntries(
        Object.entries(rows).map(([name, { numbers: { Trips, Store, Work } }]) => [
          name,
          { trips: Trips[""], calls: sumOf(Store) + sumOf(Work) },
        ]),
      ),
    ]),
  );

/** Returns what is wrong with the document, one text for each row. */
export function faultsOf(tables: Record<string, Table>, costs: Costs): string[] {
  const faults: string[] = [];
  for (const section of new Set([...Object.keys(tables), ...Object.keys(costs)])) {
    const { most, rows } = tables[section] ?? { most: none(), rows: {} };
    const counted = costs[section] ?? {};
    for (const name of new Set([...Object.keys(rows), ...Object.keys(counted)])) {
      const where = `${section}: ${name}`;
      const cost = counted[name];
      const row = rows[name];
      if (cost === undefined) {
        faults.push(`${where} is in the document, but no such request was sent.`);
        continue;
      }
      const numbers = numbersOf(cost);
      const line = [nameOf(name), ...COLUMNS.map((column) => formatCell(numbers[column]))];
      const should = `\n  The row should be: | ${line.join(" | ")} | … |`;
      const calls = cost.calls.length === 0
        ? ""
        : `\n  Its calls of the store:${cost.calls.map((call) => `\n    ${call}`).join("")}`;
      const changes = row === undefined ? [] : changesOf(row.numbers, numbers);
      if (row === undefined) faults.push(`${where} is not in the document.${should}`);
      else if (changes.length > 0) faults.push(`${where}: ${changes.join(", ")}.${should}${calls}`);
      const isKnown = row !== undefined && changes.length === 0;
      const above = aboveOf(most, isKnown ? row.numbers : numbers);
      if (above.length > 0 && !row?.reason) {
        faults.push(`${where} needs a reason, because ${above.join(", ")}.${calls}`);
      }
    }
  }
  return faults;
}

function* pairsOf(first: Numbers, second: Numbers) {
  for (const column of COLUMNS) {
    for (const name of new Set([...Object.keys(first[column]), ...Object.keys(second[column])])) {
      const what = [column === "Later" ? "later" : "", name || "round trips"].join(" ").trim();
      yield { what, from: first[column][name] ?? 0, to: second[column][name] ?? 0 };
    }
  }
}

/**
 * By how much a number may differ: the same scripts have some bytes more or less in another folder, which can be a
 * kilobyte after rounding.
 */
const slackOf = (what: string): number => what.endsWith("KB") ? 1 : 0;

const changesOf = (documented: Numbers, counted: Numbers): string[] =>
  [...pairsOf(documented, counted)]
    .filter(({ what, from, to }) => Math.abs(from - to) > slackOf(what))
    .map(({ what, from, to }) => `${what} ${to} instead of ${from}`);

const aboveOf = (most: Numbers, counted: Numbers): string[] =>
  [...pairsOf(most, counted)].filter(({ from, to }) => to > from)
    .map(({ what, from, to }) => `${what} ${to} of at most ${from}`);

const nameOf = (name: string): string =>
  name.replace(/((?:POST |DELETE |PATCH )?\/[^\s,]*)/, "`$1`");

/** Returns the document with the counted numbers. Texts, limits and reasons stay. */
export function writeTables(text: string, costs: Costs): string {
  const tables = readTables(text);
  const parts = text.split(/^(?=## )/m);
  const written = parts.map((part) => {
    const section = /^## (.*)/.exec(part)?.[1];
    const counted = section === undefined ? undefined : costs[section];
    if (counted === undefined) return part;
    const lines = part.split("\n").filter((line) => !line.startsWith("|"));
    const body = lines.join("\n").trimEnd();
    const { most, rows } = tables[section!] ?? { most: none(), rows: {} };
    return `${body}\n\n${formatTable(most, counted, rows)}\n\n`;
  });
  return written.join("").trimEnd() + "\n";
}

function formatTable(
  most: Numbers,
  costs: Record<string, Cost>,
  rows: Record<string, Row>,
): string {
  const all: [string, Numbers, string][] = [
    [MOST, most, ""],
    ...Object.entries(costs).map(([name, cost]): [string, Numbers, string] => [
      nameOf(name),
      numbersOf(cost),
      rows[name]?.reason ?? "",
    ]),
  ];
  const columns = COLUMNS.filter((column) =>
    all.some(([, numbers]) => Object.keys(numbers[column]).length > 0)
  );
  const cells = [
    ["Request", ...columns, REASON],
    ...all.map(([name, numbers, reason]) => [
      name,
      ...columns.map((column) => formatCell(numbers[column])),
      reason,
    ]),
  ];
  const widths = cells[0].map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  const lineOf = (line: string[]) =>
    `| ${line.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lineOf(cells[0]), rule, ...cells.slice(1).map(lineOf)].join("\n");
}
