import { assert, assertEquals } from "@std/assert";
import { sampleChain } from "../../lib/trust_pages/mod.ts";
import {
  changeByte,
  computedHashes,
  differenceOf,
  editedEvents,
  recompute,
  verifyEdited,
} from "./tamper.ts";

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
      const changed = text.slice(0, i) + (text[i] === "x" ? "y" : "x") + text.slice(i + 1);
      const result = await verifyEdited(chain, withText(seq, changed));
      assertEquals(result.ok ? null : result.seq, seq, changed);
    }
  }
});

Deno.test("recomputed hashes of a changed sample do not match the signature", async () => {
  const changed = withText(1, changeByte(original[1].text));
  const hidden = (await recompute(chain, changed))!;
  const result = await verifyEdited(chain, hidden);
  assertEquals(result.ok ? null : result.code, "bad_tip");
  assertEquals(await recompute(chain, withText(1, "{}")), null);
});

Deno.test("changeByte() changes one byte, and a text without a time stays as it is", () => {
  const { text } = original[1];
  assertEquals(differenceOf(text, changeByte(text)), { at: 23, from: "4", to: "5" });
  assertEquals(changeByte("9:59"), "9:59");
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
