/**
 * Public test vectors of other implementations, in the folder that `LOG_VECTORS` names. They are not part
 * of the source: `merkle-inclusion.json` and `merkle-consistency.json` are the cases of
 * transparency-dev/merkle in one array each, and `tessera-log.json` is the log in `testdata` of
 * transparency-dev/tessera, as paths with their bytes in base64.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { utf8 } from "../../../lib/base/bytes.ts";
import { decodeBase64, encodeBase64, encodeBase64Url } from "../../../lib/base/encoding.ts";
import {
  createSigner,
  encodeBundle,
  formatCheckpoint,
  formatNote,
  formatVerifierKey,
  isConsistent,
  isIncluded,
  leafHash,
  LOG_KEY,
  parseCheckpoint,
  parseTilePath,
  parseVerifierKey,
  rootOf,
  verifyNote,
} from "./mod.ts";
import { growTree } from "../testing/trees.ts";

const FOLDER = Deno.env.get("LOG_VECTORS");
if (FOLDER === undefined) {
  console.log("The tests with public vectors of logs are skipped: LOG_VECTORS names no folder.");
}

const test = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name, ignore: FOLDER === undefined, fn });

const read = async (name: string) => JSON.parse(await Deno.readTextFile(join(FOLDER!, name)));

/** Some of the faulty cases have no hash where one is expected. */
const bytes = (text: string | null) => decodeBase64(text ?? "")!;

test("98 inclusion proofs of transparency-dev/merkle are valid or not as stated", async () => {
  const cases = await read("merkle-inclusion.json");
  assertEquals(cases.length, 98);
  for (const { leafIdx, treeSize, root, leafHash, proof, desc, wantErr, file } of cases) {
    const result = isIncluded({
      index: leafIdx,
      size: treeSize,
      leaf: bytes(leafHash),
      proof: (proof ?? []).map(bytes),
      root: bytes(root),
    });
    assertEquals(result, !wantErr, `${file}: ${desc}`);
  }
});

test("98 consistency proofs of transparency-dev/merkle are valid or not as stated", async () => {
  const cases = await read("merkle-consistency.json");
  assertEquals(cases.length, 98);
  for (const { size1, size2, root1, root2, proof, desc, wantErr, file } of cases) {
    const result = isConsistent({
      oldSize: size1,
      oldRoot: bytes(root1),
      newSize: size2,
      newRoot: bytes(root2),
      proof: (proof ?? []).map(bytes),
    });
    assertEquals(result, !wantErr, `${file}: ${desc}`);
  }
});

test("Tessera's log of 15 entries has our checkpoints, tiles and bundles, byte for byte", async () => {
  const VKEY = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx";
  const PRIVATE = "AeymY/SZAX0jZcJ8enZ5FY1Dz+wTML2yWSkK+9DSF3eg"; // its type and its 32 bytes
  const files: Record<string, string> = await read("tessera-log.json");
  const key = parseVerifierKey(VKEY)!;
  const d = encodeBase64Url(bytes(PRIVATE).slice(1));
  const x = encodeBase64Url(key.publicKey);
  const signer = await createSigner(key.name, LOG_KEY, { kty: "OKP", crv: "Ed25519", d, x });
  assertEquals(formatVerifierKey(signer.key), VKEY);

  const words =
    "one two three four five six seven eit nain ten ileven twelf threeten fourten fivten";
  const entries = words.split(" ").map(utf8);
  const { edges, readTiles } = growTree(entries.map(leafHash));
  const expected: Record<string, string> = {};
  for (const [size, edge] of edges.entries()) {
    const text = formatCheckpoint({ origin: key.name, size, root: rootOf(edge) });
    const note = formatNote({ text, signatures: [await signer.sign(text)] });
    expected[`checkpoint.${size}`] = encodeBase64(utf8(note));
    const verified = await verifyNote(parseCheckpoint(note)!.note, [key]);
    assertEquals(verified?.length, 1);
  }
  expected.checkpoint = expected["checkpoint.15"];
  for (const path of Object.keys(files)) {
    const tile = parseTilePath(path);
    if (tile === null) continue;
    const [ours] = tile.level === "entries"
      ? [encodeBundle(entries.slice(0, tile.width))]
      : await readTiles([tile]);
    expected[path] = encodeBase64(ours);
  }
  const sorted = (texts: Record<string, string>) => Object.entries(texts).sort();
  assertEquals(sorted(files), sorted(expected));
  assertEquals(sorted(files).length, 17 + 15 + 15);
});
