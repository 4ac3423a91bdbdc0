import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { publicJwkSchema } from "../keys.ts";
import { makeSavedChain } from "../../testing/chains.ts";
import { verifyChain } from "../verify.ts";
import { formatSavedChain, parseSavedChain, type SavedChain } from "./saved.ts";

/** Returns the fault of a file, or the result of verifying it. */
async function verifyFile(text: string) {
  const parsed = parseSavedChain(text);
  if (!parsed.ok) return parsed;
  const { hash: recordHash, ...chain } = parsed.chain;
  return await verifyChain({ recordHash, ...chain });
}

/** Returns the part of a file that a verifier reads; only the public members of each key. */
const evidenceOf = ({ keys, ...chain }: SavedChain) =>
  JSON.stringify({ ...chain, keys: keys.map((key) => publicJwkSchema.safeParse(key).data) });

Deno.test("a saved chain has one event per line, parses to the same chain and verifies", async () => {
  const saved = await makeSavedChain();
  const text = formatSavedChain(saved);
  assertEquals(parseSavedChain(text), { ok: true, chain: saved });
  assertEquals(text.split("\n").length, 4 + 1 + saved.events.length + 2);
  assert((await verifyFile(text)).ok);
  const pretty = JSON.stringify(JSON.parse(text), null, 2);
  assert((await verifyFile(pretty)).ok, "another layout is the same chain");
});

Deno.test("any altered byte of a saved chain is found, and reported at its seq if it is in an event", async () => {
  const saved = await makeSavedChain();
  const text = formatSavedChain(saved);
  const bytes = new TextEncoder().encode(text);
  const begin = text.indexOf('"events":[\n') + '"events":[\n'.length;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      async (place: number, flip: number) => {
        const altered = bytes.slice();
        altered[place] ^= flip;
        const now = new TextDecoder().decode(altered);
        const result = await verifyFile(now);
        const parsed = parseSavedChain(now);
        const same = parsed.ok && evidenceOf(parsed.chain) === evidenceOf(saved);
        assertEquals(result.ok, same, now.slice(place - 20, place + 20));
        if (result.ok || text[place] === "\n") return;
        const seq = text.slice(begin, place).split("\n").length - 1;
        if (place >= begin && seq < saved.events.length) {
          assertEquals(result.seq, seq, result.message);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

Deno.test("a missing or extra comma between events is reported at its seq", async () => {
  const text = formatSavedChain(await makeSavedChain({ length: 3 }));
  const missing = text.replace("},\n{", "} \n{");
  const additional = text.replace("}\n]}", "},\n]}");
  for (const [seq, broken] of [[0, missing], [2, additional]] as const) {
    const parsed = parseSavedChain(broken);
    assertEquals(!parsed.ok && [parsed.code, parsed.seq], ["bad_event", seq]);
  }
});

Deno.test("parseSavedChain() returns bad_input for any other text", () => {
  for (
    const other of ["", "null", "[]", "7", "{}", '{"events":[]}', "\u0000", "{".repeat(10_000)]
  ) {
    const parsed = parseSavedChain(other);
    assertEquals(!parsed.ok && [parsed.code, parsed.seq], ["bad_input", undefined], other);
  }
  fc.assert(fc.property(fc.string(), (other: string) => !parseSavedChain(other).ok));
});
