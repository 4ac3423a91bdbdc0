/**
 * Builds the module that is published for others into `packages/proof/release/published/`:
 *
 *     deno task verifier:build
 *
 * Adds a version if `packages/proof/verify/version.ts` has a new number. A version that exists is replaced only
 * with `--replace`, which is for one that no site has served yet: others rely on the bytes of a version.
 *
 * @module
 */
import { encodeHex } from "../lib/base/bytes.ts";
import { utf8 } from "../lib/base/encoding.ts";
import { dayOf } from "../lib/base/time.ts";
import { buildVerifier } from "./verifier_bundle.ts";
import {
  type Release,
  releasePath,
  RELEASES,
  RELEASES_FOLDER,
  VERSION,
} from "../packages/proof/release/mod.ts";

const files = await buildVerifier(new URL("..", import.meta.url).pathname.replace(/\/$/, ""));
const sha256: Record<string, string> = {};
for (const [name, text] of Object.entries(files)) {
  sha256[name] = encodeHex(await crypto.subtle.digest("SHA-256", utf8(text)));
}
const existing = RELEASES.find(({ version }) => version === VERSION);
if (JSON.stringify(existing?.sha256) === JSON.stringify(sha256)) {
  console.log(`Version ${VERSION} is up to date.`);
  Deno.exit();
}
if (existing !== undefined && !Deno.args.includes("--replace")) {
  console.error(
    `Version ${VERSION} exists and would change. Write a new number into ` +
      "packages/proof/verify/version.ts, or pass --replace if no site has served this version yet.",
  );
  Deno.exit(1);
}
const release: Release = { version: VERSION, date: dayOf(Date.now()), sha256 };
const releases = [release, ...RELEASES.filter((each) => each !== existing)];
for (const [name, text] of Object.entries(files)) {
  const file = new URL(`.${releasePath(VERSION, name)}`, RELEASES_FOLDER);
  await Deno.mkdir(new URL(".", file), { recursive: true });
  await Deno.writeTextFile(file, text);
}
await Deno.writeTextFile(
  new URL("versions.json", RELEASES_FOLDER),
  `${JSON.stringify(releases, null, 2)}\n`,
);
console.log(
  `Version ${VERSION}: ${Object.values(files).map((text) => text.length).join(" and ")} bytes.`,
);
