import { assert, assertEquals } from "@std/assert";
import { sampleChain } from "./sample_chain.ts";
import { changeByte, differenceOf, editedEvents, minuteOf } from "./edit_sample.ts";
import { computedHashes, recompute, verifyEdited } from "./verify_sample.ts";

const chain = sampleChain();
const original = editedEvents(chain);
const withText = (seq: number, text: string) =>
  original.map((event, i) => i === seq ? { ...event, text } : event);

Deno.test("the sample chain verifies, and each text hashes to its recorded hash", async () => {
  assert((await verifyEdited(chain, original)).ok);
  assertEquals(await computedHashes(original), original.map(({ hash }) => hash));
});

Deno.test("changing any single byte of the sample's events fails at that event", async () => {
  for (const [seq, { text }] of original.entries()) {
    for (let i = 0; i < text.length; i++) {
      const changed = changeByte(text, i);
      const result = await verifyEdited(chain, withText(seq, changed));
      assertEquals(result.ok ? null : result.seq, seq, changed);
    }
  }
});

Deno.test("recomputed hashes of a changed sample do not match the signature", async () => {
  const changed = withText(1, changeByte(original[1].text, minuteOf(original[1].text)));
  const hidden = (await recompute(chain, changed))!;
  const result = await verifyEdited(chain, hidden);
  assertEquals(result.ok ? null : result.code, "bad_tip");
  assertEquals(await recompute(chain, withText(1, "{}")), null);
});

Deno.test("changeByte() changes the character at an index, and minuteOf() finds a digit that stays valid", () => {
  const { text } = original[1];
  assertEquals(differenceOf(text, changeByte(text, minuteOf(text))), {
    at: 23,
    from: "4",
    to: "5",
  });
  assertEquals(["9", "z", "Z", "{", "?"].map((old) => changeByte(old, 0)), [
    "0",
    "a",
    "A",
    "?",
    "!",
  ]);
  assertEquals(changeByte("abc", 3), "abc");
  assertEquals(minuteOf("9:59"), -1);
});

for (
  const [from, to, difference] of [
    ["abc", "abc", null],
    ["abc", "axc", { at: 2, from: "b", to: "x" }],
    ["aaa", "aa", { at: 3, from: "a", to: "" }],
    ["ab", "axb", { at: 2, from: "", to: "x" }],
    ["", "ab", { at: 1, from: "", to: "ab" }],
  ] as const
) {
  Deno.test(`differenceOf("${from}", "${to}") is ${JSON.stringify(difference)}`, () => {
    assertEquals(differenceOf(from, to), difference);
  });
}
