import { assertEquals } from "@std/assert";
import type { LinkedEvent } from "../chain/mod.ts";
import { HASH, makeSavedChain, PUBLISHER } from "../testing/chains.ts";
import { formatVerifierKey } from "../log/mod.ts";
import { watchNewRecord } from "./new_record.ts";
import type { LogSentence } from "./sentence.ts";
import { entriesOf, smallLog, testKeys } from "../testing/small_log.ts";

const RECORD = {
  hash: HASH,
  chain_url: `https://api.example/api/chain/${HASH}`,
  verify_url: `https://${PUBLISHER}/verify?hash=${HASH}`,
};
const keys = await testKeys();
const events = (await makeSavedChain()).events as LinkedEvent[];
const policy = [
  `log ${formatVerifierKey(keys.log.key)}`,
  `witness Other ${formatVerifierKey(keys.witness.key)}`,
  "quorum none",
].join("\n");

/** Watches the record, with a time that passes at once. `readLogProof` is called for each check. */
function watch(readLogProof: () => string | null) {
  const planned = new Map<number, () => void>();
  const sentences: LogSentence[] = [];
  let onAnswer = () => {};
  const stop = watchNewRecord(RECORD, (sentence) => {
    sentences.push(sentence);
    onAnswer();
  }, {
    fetch: (url) => {
      if (String(url).includes("/log?")) return Promise.resolve(Response.json({ policy }));
      return Promise.resolve(Response.json({ events, log_proof: readLogProof() }));
    },
    later: (run, ms) => {
      planned.set(ms, run);
      return () => planned.delete(ms);
    },
  });
  return {
    planned,
    sentences,
    stop,
    /** Waits until the check has an answer. */
    check: (ms: number) =>
      new Promise<void>((resolve) => {
        onAnswer = resolve;
        planned.get(ms)!();
      }),
  };
}

Deno.test("a new record is checked after 15 seconds, 1, 3 and 11 minutes, and the last check warns if it is not in the log", async () => {
  const { planned, sentences, check, stop } = watch(() => null);
  assertEquals([...planned.keys()], [15_000, 60_000, 180_000, 660_000]);
  for (const ms of planned.keys()) await check(ms);
  assertEquals(sentences.length, 4);
  assertEquals(sentences[3].tone, "warning");
  assertEquals(sentences[3].text.startsWith("Warning: Not in the log"), true);
  stop();
  assertEquals(planned.size, 0);
});

Deno.test("once all of a new record is in the log, the remaining checks are cancelled", async () => {
  const log = smallLog(entriesOf(HASH, events), keys);
  const checkpoint = await log.checkpoint({ time: Date.UTC(2026, 2, 1, 0, 10) / 1000 });
  const proof = await log.proof(events.length - 1, checkpoint);
  let isLogged = false;
  const { planned, sentences, check } = watch(() => isLogged ? proof : null);
  await check(15_000);
  isLogged = true;
  await check(60_000);
  assertEquals(sentences.map(({ tone }) => tone), ["warning", "good"]);
  assertEquals([...planned.keys()], [15_000, 60_000]);
});
