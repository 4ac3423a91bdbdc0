import { assertEquals } from "@std/assert";
import { encodeHex, utf8 } from "../../../lib/base/bytes.ts";
import { readRelease, RELEASES, VERIFIER_FILE, VERSION } from "./mod.ts";

Deno.test("every published version has the bytes that were published", async () => {
  for (const { version, sha256 } of RELEASES) {
    for (const [file, expected] of Object.entries(sha256)) {
      const text = (await readRelease(version, file))!;
      const actual = encodeHex(await crypto.subtle.digest("SHA-256", utf8(text)));
      assertEquals([version, file, actual], [version, file, expected]);
    }
  }
  for (const [version, file] of [["0.0.1", VERIFIER_FILE], [VERSION, "versions.json"]]) {
    assertEquals(await readRelease(version, file), null);
  }
  assertEquals(await readRelease(VERSION, "constructor"), null);
});
