import { assert, assertEquals } from "@std/assert";
import { encodeHex, utf8 } from "../../../lib/base/bytes.ts";
import { VERSION } from "../verify/version.ts";
import { buildVerifier } from "../../../tools/verifier_bundle.ts";
import { readRelease, RELEASES, VERIFIER_FILE } from "./mod.ts";

const ROOT = new URL("../../..", import.meta.url).pathname.replace(/\/$/, "");

Deno.test("the newest published version is what the code builds", async () => {
  const [{ version }] = RELEASES;
  const built = await buildVerifier(ROOT);
  for (const [file, text] of Object.entries(built)) {
    assert(
      version === VERSION && await readRelease(version, file) === text,
      `${file} of version ${version} is not what the code builds. Others rely on the bytes of a version, so ` +
        "write a new number into packages/proof/verify/version.ts and run `deno task verifier:build` " +
        "(with --replace instead, if no site has served this version yet).",
    );
  }
  // Two copies of the schema library in a page must not share their settings.
  assertEquals(built[VERIFIER_FILE].match(/globalThis\W+__zod\w*|\bDeno\b|node:/g), null);
  // Nor may a path of the machine that built it be in it.
  assertEquals(built[VERIFIER_FILE].match(/.*\/registry\.npmjs\.org\/.*/g), null);
});

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
