/** The MCP tool that verifies a chain of events: one that is given, or that of the caller's own record. */
import { z } from "zod";
import {
  type LinkedEvent,
  verifyChain as verify,
  verifyEvents,
} from "../../../../packages/proof/mod.ts";
import { MAX_PAGE_SIZE, sentHash } from "../../chain/mod.ts";
import type { DocumentRow } from "../../documents/mod.ts";
import type { Caller } from "../caller.ts";
import { defineTool, type ToolDeps, ToolFailure } from "../tool.ts";

/** The standard's first test vector. */
const RECORD_HASH = "9618aa0abe31e8bbad8646d37344a283dfa4f0977952c32dd99e0bf490a6131d";
const EVENT = {
  seq: 0,
  kind: "hash_generated",
  at: "2026-01-15T09:30:00.000Z",
  status: "ok",
  prev: RECORD_HASH,
  hash: "69ded01d4aebb67b575cd349d5a6c37461fc27f5b29b17592f033302c9c424b9",
};

/** The maximum number of stored events that one call reads. */
const MAX_EVENTS = 500;

export const verifyChain = defineTool({
  name: "verify_chain",
  title: "Verify a chain of events",
  description: "Verifies a record's events against the open standard for verifiable records: the " +
    "form, sequence, link and hash of each event. With record_hash alone, it reads and verifies " +
    "the chain that this publisher stores for the record, including its signed head. With events, " +
    "it verifies those instead; an intact list may still lack its last events, which only a signed " +
    "head reveals. Returns ok with the size and tip of the chain, or the first invalid seq and why. " +
    'With record "mine" instead of record_hash, which requires signing in, it verifies the stored ' +
    "chain of the user's own record and also returns its events, its level, and the hashes of its " +
    "documents. No result contains a name, an intent, a document's title or anything else that a " +
    "record or a document says.",
  strangersText: "parts of the given events, which the message may repeat",
  input: z.strictObject({
    record_hash: sentHash.optional()
      .describe("The record's hash: 64 hexadecimal digits. Give this or record.")
      .meta({ examples: [RECORD_HASH] }),
    record: z.literal("mine").optional()
      .describe("The record of the user who signed in. Give this or record_hash."),
    // Unvalidated, so that the verifier reports malformed events.
    events: z.array(z.unknown()).optional()
      .describe(
        "The events in order from seq 0, each {seq, kind, at, status, prev, hash}. If omitted, " +
          `the stored events are verified, up to ${MAX_EVENTS}. Not with record.`,
      )
      .meta({ examples: [[EVENT]] }),
  }).refine(
    ({ record_hash, record }) => (record_hash === undefined) !== (record === undefined),
    "give exactly one of record_hash and record",
  ).refine(
    ({ record, events }) => record === undefined || events === undefined,
    "give events only with record_hash",
  ).meta({ examples: [{ record_hash: RECORD_HASH, events: [EVENT] }] }),
  work: 20,
  scope: ({ record }) => record === "mine" ? "record" : null,
  run({ record_hash, events }, deps, caller) {
    if (record_hash === undefined) return verifyOwn(deps, caller);
    return events === undefined
      ? verifyStored(record_hash, deps).then(({ result }) => result)
      : verifyGiven(record_hash, events);
  },
});

/** Verifies events without a head, and says what that does not show (standard, "Without a head"). */
async function verifyGiven(recordHash: string, events: readonly unknown[]) {
  const result = await verifyEvents(recordHash, events);
  if (!result.ok) return result;
  const note = result.size === 0
    ? "There are no events, so nothing was verified."
    : "These events are intact. Without a signed head, events may be missing at the end.";
  return { ...result, note };
}

/** Verifies the chain of the caller's record, and returns it with the record's level and documents. */
async function verifyOwn(deps: ToolDeps, caller: Caller | null) {
  const hash = caller?.record ?? null;
  const [summary, chain] = hash === null
    ? [null, null]
    : await Promise.all([deps.recordOf(hash), verifyStored(hash, deps)]);
  if (summary === null || chain === null) {
    throw new ToolFailure("not_found", "There is no record to read for this user.");
  }
  const { result, ...stored } = chain;
  const { level, documents } = summary;
  return { ...result, record_hash: hash, level, documents: documents.flatMap(hashesOf), ...stored };
}

/** Returns the hashes of each version of a document, without its title. */
const hashesOf = ({ id, versions }: DocumentRow) =>
  versions.map(({ number, state, original, issued }) => ({
    id,
    version: number,
    state,
    sha256: original.sha256,
    // Readers get the copy with QR codes.
    issued_sha256: issued?.sha256 ?? null,
  }));

/** Verifies a stored chain with the published keys, as an outsider would, and returns both. */
async function verifyStored(
  recordHash: string,
  { chains, logOf }: Pick<ToolDeps, "chains" | "logOf">,
) {
  const newest = await chains.page(recordHash, { limit: 1 });
  if (newest === null) {
    const message = "no chain of this record is stored here";
    return { result: { ok: false, code: "not_found", message } };
  }
  const { head } = newest;
  if (head.size > MAX_EVENTS) {
    const message =
      `the chain has ${head.size} events, more than ${MAX_EVENTS}: verify it on its page`;
    return { result: { ok: false, code: "too_large", message } };
  }
  const events: LinkedEvent[] = [];
  while (events.length < head.size) {
    const page = await chains.page(recordHash, { after: events.length - 1, limit: MAX_PAGE_SIZE });
    if (!page?.events.length) break; // the verification against the head reports that events are missing
    events.push(...page.events);
  }
  const { keys } = await chains.keys();
  const { publisher } = chains;
  const result = await verify({ recordHash, events, head, publisher, keys });
  if (!result.ok) return { result, events, head };
  const log = await logOf({ hash: recordHash, events });
  return { result: { ...result, publisher, ...log }, events, head };
}
