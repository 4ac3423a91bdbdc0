/**
 * Saved chains: a whole chain in one file.
 *
 * @module
 */
import { linkedEventSchema } from "../event.ts";
import * as z from "../zod.ts";
import { parseStrictJson } from "./strict_json.ts";

/**
 * A whole chain in one JSON file that can be verified anywhere. The author of the file controls all
 * of it, so a reader must know the record's hash, the publisher and its keys from another source.
 */
export interface SavedChain {
  hash: string;
  /** The host that `keys` belongs to, with its port if it has one. */
  publisher: string;
  head: unknown;
  /** The publisher's JWKs when the file was saved. */
  keys: unknown[];
  /** The proof that a size of the chain is in the public log (standard, "Transparency log"). */
  log_proof?: unknown;
  events: unknown[];
  /** The record and its salt, only in the holder's own copy. They open the commitment. */
  record?: unknown;
  salt?: unknown;
}

/** The largest file that is read; the longest possible chain needs less. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The content of a file, or why it is not a chain; `seq` is the broken event, if there is one. */
type ParsedChain =
  | { ok: true; chain: SavedChain }
  | { ok: false; code: "bad_input" | "bad_event"; seq?: number; message: string };

const savedSchema = z.object({
  hash: z.string(),
  publisher: z.string(),
  head: z.unknown().optional(),
  keys: z.array(z.unknown()),
  log_proof: z.unknown().optional(),
  events: z.array(z.unknown()),
  record: z.unknown().optional(),
  salt: z.unknown().optional(),
});

const EVENTS = '"events":[';

/**
 * Returns the text of the file, with one event per line.
 *
 * @param more further members, which readers ignore
 */
export function formatSavedChain(
  { hash, publisher, head, keys, log_proof, events, record, salt }: SavedChain,
  more: Record<string, unknown> = {},
): string {
  const opening = Object.entries({ hash, publisher, record, salt, ...more, head, keys, log_proof })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},\n`).join("");
  const lines = events.map((event) => "\n" + JSON.stringify(event)).join(",");
  return `{${opening}${EVENTS}${lines}\n]}\n`;
}

/**
 * Returns the text of a file with some members replaced, for example by a newer proof. Everything else stays, also
 * what readers ignore.
 *
 * @param text that of a file which {@link parseSavedChain} accepts
 */
export function changeSavedChain(text: string, changes: Partial<SavedChain>): string {
  const { hash, publisher, head, keys, log_proof, events, record, salt, ...more } = {
    ...parseStrictJson(text) as SavedChain,
    ...changes,
  };
  return formatSavedChain({ hash, publisher, head, keys, log_proof, events, record, salt }, more);
}

/**
 * Parses the text of a file. If it is not valid JSON because a character was altered, but the events
 * are one per line, the broken event is still reported.
 */
export function parseSavedChain(text: string): ParsedChain {
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch {
    const seq = findBrokenLine(text);
    return seq === undefined
      ? { ok: false, code: "bad_input", message: "the file is not valid JSON" }
      : { ok: false, code: "bad_event", seq, message: "the event is not valid JSON" };
  }
  const parsed = savedSchema.safeParse(value);
  if (parsed.success) return { ok: true, chain: { ...parsed.data, head: parsed.data.head } };
  const names = parsed.error.issues.map(({ path }) => path[0] ?? "an object").join(", ");
  const message = `the file is not a saved chain: missing or malformed: ${names}`;
  return { ok: false, code: "bad_input", message };
}

function findBrokenLine(text: string): number | undefined {
  const begin = text.indexOf(EVENTS + "\n");
  if (begin < 0) return undefined;
  const lines = text.slice(begin + EVENTS.length + 1).split("\n");
  const end = lines.indexOf("]}");
  const events = lines.slice(0, end < 0 ? -2 : end);
  const broken = events.findIndex((line, i) => !isEvent(line, i === events.length - 1));
  return broken < 0 ? undefined : broken;
}

function isEvent(line: string, last: boolean): boolean {
  if (line.endsWith(",") === last) return false;
  try {
    return linkedEventSchema.safeParse(parseStrictJson(line.replace(/,$/, ""))).success;
  } catch {
    return false;
  }
}
