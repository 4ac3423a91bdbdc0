import { assert, assertEquals } from "@std/assert";
import { readRelease, RELEASES, VERIFIER_FILE, VERSION } from "../packages/proof/release/mod.ts";
import { buildVerifier } from "./verifier_bundle.ts";

const ROOT = new URL("..", import.meta.url).pathname.replace(/\/$/, "");

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
