import * as z from "../zod.ts";
import { linkedEventSchema } from "../event.ts";

/**
 * A whole chain in one JSON file, to be kept and verified anywhere:
 * `{hash, publisher, head, keys, events}`. Whoever gives it wrote all of it, so to trust it the
 * record's hash, the publisher and its keys must be known from elsewhere as well.
 */
export interface SavedChain {
  /** The record's hash. */
  hash: string;
  /** The host whose key set `keys` is, with a port if it has one. */
  publisher: string;
  head: unknown;
  /** The publisher's keys as they were: JWKs. */
  keys: unknown[];
  /** All events, from event 0 on. */
  events: unknown[];
}

/** What a file holds; or why it holds no chain, and the first bad event where that is one. */
export type ParsedChain =
  | { ok: true; chain: SavedChain }
  | { ok: false; code: "bad_input" | "bad_event"; seq?: number; message: string };

const savedSchema = z.object({
  hash: z.string(),
  publisher: z.string(),
  head: z.unknown().optional(),
  keys: z.array(z.unknown()),
  events: z.array(z.unknown()),
});

const EVENTS = '"events":[';

/** The file's text, with each event on a line of its own. */
export function formatSavedChain({ hash, publisher, head, keys, events }: SavedChain): string {
  const opening = Object.entries({ hash, publisher, head, keys })
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},\n`).join("");
  const lines = events.map((event) => "\n" + JSON.stringify(event)).join(",");
  return `{${opening}${EVENTS}${lines}\n]}\n`;
}

/**
 * Reads a file's text. Where it is no JSON, because a character of it was altered, the event that
 * is broken is named all the same, as long as the file has them line by line.
 */
export function parseSavedChain(text: string): ParsedChain {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const seq = brokenLine(text);
    return seq === undefined
      ? { ok: false, code: "bad_input", message: "the file is not JSON" }
      : { ok: false, code: "bad_event", seq, message: "the event is not JSON" };
  }
  const parsed = savedSchema.safeParse(value);
  if (parsed.success) return { ok: true, chain: { ...parsed.data, head: parsed.data.head } };
  const names = parsed.error.issues.map(({ path }) => path[0] ?? "an object").join(", ");
  return { ok: false, code: "bad_input", message: `the file is no saved chain: lacks ${names}` };
}

/** The first line below `events` that holds no event, where there is one. */
function brokenLine(text: string): number | undefined {
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
    return linkedEventSchema.safeParse(JSON.parse(line.replace(/,$/, ""))).success;
  } catch {
    return false;
  }
}
