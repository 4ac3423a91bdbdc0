import { assert, assertEquals, assertExists } from "@std/assert";
import zlib from "node:zlib";
import { brotliTemplate, fill, newNonce, templateOf } from "./nonce_template.ts";

/** Text in which the encoder uses contexts and matches. */
const words = (seed: number, count: number): string => {
  let html = "";
  for (let i = 0, n = seed; i < count; i++, n = (n * 48271) % 2147483647) {
    html += `<p class="c${n % 97}">${["record", "chain", "event", "→ überprüft"][n % 4]} ${n}</p>`;
  }
  return html;
};

Deno.test("a compressed template decompresses to the page with whatever nonce is written into it", async () => {
  const scripts = ['<script nonce="', '">a</script><script nonce="', '">b</script>'];
  const texts = [
    [`${words(1, 300)}${scripts[0]}`, `${scripts[1]}`, `${scripts[2]}${words(2, 300)}`],
    ["", words(3, 400)],
    [words(4, 200), ""],
    [words(5, 100), "AB", "AB", words(6, 300)],
  ];
  for (const parts of texts) {
    const compressed = await brotliTemplate(templateOf(parts));
    assertExists(compressed);
    for (let round = 0; round < 100; round++) {
      const nonce = newNonce();
      const html = zlib.brotliDecompressSync(fill(compressed!, nonce)).toString();
      assert(html === parts.join(nonce), nonce);
    }
  }
  // Two characters after a nonce are stored with it.
  assertEquals(await brotliTemplate(templateOf([words(7, 100), "A", words(8, 100)])), null);
});

Deno.test("templateOf() returns the places of the nonces, and a nonce has 22 characters", () => {
  assertEquals(templateOf(["añb"]).places, []);
  assertEquals(templateOf(["ñ", "b", ""]).places, [2, 2 + 22 + 1]);
  assertEquals(newNonce().length, 22);
});
