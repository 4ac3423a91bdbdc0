import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { publicJwkSchema, verifyChain } from "../mod.ts";
import { formatSavedChain, parseSavedChain, type SavedChain } from "./saved.ts";
import { makeSavedChain } from "./testing.ts";

const saved = await makeSavedChain();
const text = formatSavedChain(saved);
const bytes = new TextEncoder().encode(text);

/** What a reader of a file finds: `ok`, or the code and where. */
async function findingOf(text: string) {
  const parsed = parseSavedChain(text);
  if (!parsed.ok) return parsed;
  const { hash: recordHash, ...chain } = parsed.chain;
  return await verifyChain({ recordHash, ...chain });
}

/** All that a verifier looks at: of a key set the keys, not what it says about them. */
const evidenceOf = ({ keys, ...chain }: SavedChain) =>
  JSON.stringify({ ...chain, keys: keys.map((key) => publicJwkSchema.safeParse(key).data) });

Deno.test("a saved chain comes back as it was, one event a line, and verifies", async () => {
  const parsed = parseSavedChain(text);
  assertEquals(parsed, { ok: true, chain: saved });
  assertEquals(text.split("\n").length, 4 + 1 + saved.events.length + 2);
  assert((await findingOf(text)).ok);
  const pretty = JSON.stringify(JSON.parse(text), null, 2);
  assert((await findingOf(pretty)).ok, "another layout is the same chain");
});

Deno.test("any byte that is altered anywhere in the file is found, in an event at its seq", async () => {
  const begin = text.indexOf('"events":[\n') + '"events":[\n'.length;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      async (place: number, flip: number) => {
        const altered = bytes.slice();
        altered[place] ^= flip;
        const now = new TextDecoder().decode(altered);
        const finding = await findingOf(now);
        const parsed = parseSavedChain(now);
        const same = parsed.ok && evidenceOf(parsed.chain) === evidenceOf(saved);
        assertEquals(finding.ok, same, now.slice(place - 20, place + 20));
        if (finding.ok || text[place] === "\n") return;
        const seq = text.slice(begin, place).split("\n").length - 1;
        if (place >= begin && seq < saved.events.length) {
          assertEquals(finding.seq, seq, finding.message);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

Deno.test("what is no saved chain is said, whatever it is", () => {
  for (
    const other of ["", "null", "[]", "7", "{}", '{"events":[]}', "\u0000", "{".repeat(10_000)]
  ) {
    const parsed = parseSavedChain(other);
    assertEquals(!parsed.ok && [parsed.code, parsed.seq], ["bad_input", undefined], other);
  }
  fc.assert(fc.property(fc.string(), (other: string) => !parseSavedChain(other).ok));
});
