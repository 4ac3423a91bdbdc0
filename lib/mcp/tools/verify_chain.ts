import { z } from "zod";
import { verifyEvents } from "../../chain/mod.ts";
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

export const verifyChain = defineTool({
  name: "verify_chain",
  title: "Verify a chain of events",
  description: "Checks a record's events against the open standard for verifiable records: each " +
    "event's form, sequence, link and hash. Answers ok with the chain's size and tip, or the first " +
    "bad seq and why. An intact list may still lack its end: only a signed head shows that.",
  input: z.strictObject({
    record_hash: z.string().regex(
      /^[0-9a-f]{64}$/,
      "64 lowercase hexadecimal digits",
    )
      .describe("The record's hash: 64 lowercase hexadecimal digits.")
      .meta({ examples: [RECORD_HASH] }),
    // An event of any form is taken, for the verifier to name it.
    events: z.array(z.unknown())
      .describe(
        "The events in order from seq 0, each {seq, kind, at, status, prev, hash}.",
      )
      .meta({ examples: [[EVENT]] }),
  }),
  run: ({ record_hash, events }) => verifyEvents(record_hash, events),
});
