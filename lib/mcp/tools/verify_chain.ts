import { z } from "zod";
import {
  hashSchema,
  type LinkedEvent,
  verifyChain as verify,
  verifyEvents,
} from "../../chain/mod.ts";
import { MAX_PAGE_SIZE } from "../../chain/store/mod.ts";
import { defineTool, type ToolDeps } from "../tool.ts";

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
    "head reveals. Returns ok with the size and tip of the chain, or the first invalid seq and why.",
  input: z.strictObject({
    record_hash: hashSchema.describe("The record's hash: 64 lowercase hexadecimal digits.")
      .meta({ examples: [RECORD_HASH] }),
    // Unvalidated, so that the verifier reports malformed events.
    events: z.array(z.unknown()).optional()
      .describe(
        "The events in order from seq 0, each {seq, kind, at, status, prev, hash}. If omitted, " +
          `the stored events are verified, up to ${MAX_EVENTS}.`,
      )
      .meta({ examples: [[EVENT]] }),
  }).meta({ examples: [{ record_hash: RECORD_HASH, events: [EVENT] }] }),
  work: 20,
  run: ({ record_hash, events }, { chains }) =>
    events === undefined ? verifyStored(record_hash, chains) : verifyEvents(record_hash, events),
});

/** Verifies a stored chain with the published keys, as an outsider would. */
async function verifyStored(recordHash: string, chains: ToolDeps["chains"]) {
  const newest = await chains.page(recordHash, { limit: 1 });
  if (newest === null) {
    return { ok: false, code: "not_found", message: "no chain of this record is stored here" };
  }
  const { head } = newest;
  if (head.size > MAX_EVENTS) {
    const message =
      `the chain has ${head.size} events, more than ${MAX_EVENTS}: verify it on its page`;
    return { ok: false, code: "too_large", message };
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
  return result.ok ? { ...result, publisher } : result;
}
