import { z } from "zod";
import { type LinkedEvent, verifyChain as verify, verifyEvents } from "../../chain/mod.ts";
import { MAX_PAGE_SIZE } from "../../chain/store/mod.ts";
import type { ToolDeps } from "../deps.ts";
import { defineTool } from "../tool.ts";

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

/** The most events that are read for one call. */
const MOST = 500;

export const verifyChain = defineTool({
  name: "verify_chain",
  title: "Verify a chain of events",
  description: "Checks a record's events against the open standard for verifiable records: each " +
    "event's form, sequence, link and hash. With record_hash alone, the chain that this publisher " +
    "keeps of the record is read and verified, its signed head included. With events, those are " +
    "checked instead; an intact list may still lack its end, which only a signed head shows. " +
    "Answers ok with the chain's size and tip, or the first bad seq and why.",
  input: z.strictObject({
    record_hash: z.string().regex(
      /^[0-9a-f]{64}$/,
      "64 lowercase hexadecimal digits",
    )
      .describe("The record's hash: 64 lowercase hexadecimal digits.")
      .meta({ examples: [RECORD_HASH] }),
    // An event of any form is taken, for the verifier to name it.
    events: z.array(z.unknown()).optional()
      .describe(
        "The events in order from seq 0, each {seq, kind, at, status, prev, hash}. Left out: " +
          `the events kept here, ${MOST} at most.`,
      )
      .meta({ examples: [[EVENT]] }),
  }).meta({ examples: [{ record_hash: RECORD_HASH, events: [EVENT] }] }),
  work: 20,
  run: ({ record_hash, events }, { chains }) =>
    events === undefined ? verifyKept(record_hash, chains) : verifyEvents(record_hash, events),
});

/** Verifies a chain that is kept here, as an outsider would, with the keys as they are published. */
async function verifyKept(recordHash: string, chains: ToolDeps["chains"]) {
  const newest = await chains.page(recordHash, { limit: 1 });
  if (newest === null) {
    return { ok: false, code: "not_found", message: "no chain of this record is kept here" };
  }
  const { head } = newest;
  if (head.size > MOST) {
    const message = `the chain has ${head.size} events, more than ${MOST}: verify it on its page`;
    return { ok: false, code: "too_large", message };
  }
  const events: LinkedEvent[] = [];
  while (events.length < head.size) {
    const page = await chains.page(recordHash, { after: events.length - 1, limit: MAX_PAGE_SIZE });
    if (!page?.events.length) break; // events are missing, which the head shows
    events.push(...page.events);
  }
  const { keys } = await chains.keys();
  const { publisher } = chains;
  const result = await verify({ recordHash, events, head, publisher, keys });
  return result.ok ? { ...result, publisher } : result;
}
