/**
 * Turns observed texts into lines that can be compared in any order: each says where it belongs.
 *
 * @module
 */
import { removeFrom } from "./removed.ts";

/** The members that name an element of a list, instead of its position. */
const NAMES = ["subject", "name", "url"];

/**
 * Returns the lines of an observed text, sorted, without what is removed: a row of an export each, and of
 * JSON the path and value of each member.
 */
export function linesOf(file: string, text: string): string[] {
  const lines = file.endsWith(".json") ? [...members("", JSON.parse(text))] : text.split("\n");
  return lines.map(removeFrom).filter((line) => line !== "").sort();
}

function* members(path: string, value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    yield `${path} = ${JSON.stringify(value)}`;
    return;
  }
  const seen = new Map<string, number>();
  for (const [key, member] of Object.entries(value)) {
    const name = Array.isArray(value) ? nameOf(member, seen) : key;
    yield* members(path === "" ? name : `${path} › ${name}`, member);
  }
}

/** Returns the name of a list's element. Those with the same name are numbered. */
function nameOf(element: unknown, seen: Map<string, number>): string {
  const own = NAMES.map((name) => (element as Record<string, unknown> | null)?.[name])
    .find((name) => typeof name === "string");
  const name = own === undefined ? "" : String(own);
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  return name === "" ? `#${count}` : count === 1 ? name : `${name} #${count}`;
}

/** The lines that only one of two observations has. */
interface LineChanges {
  removed: string[];
  added: string[];
}

/** Compares two sorted lists of lines, in which lines can occur several times. */
export function compareLines(before: readonly string[], after: readonly string[]): LineChanges {
  const rest = new Map<string, number>();
  for (const line of before) rest.set(line, (rest.get(line) ?? 0) + 1);
  const added = after.filter((line) => {
    const count = rest.get(line) ?? 0;
    if (count > 0) rest.set(line, count - 1);
    return count === 0;
  });
  const removed = [...rest].flatMap(([line, count]) => Array<string>(count).fill(line));
  return { removed, added };
}
