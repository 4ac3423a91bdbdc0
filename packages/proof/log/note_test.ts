import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { concatBytes, decodeHex, utf8 } from "../../../lib/base/bytes.ts";
import { decodeBase64, encodeBase64 } from "../../../lib/base/encoding.ts";
import {
  createSigner,
  formatNote,
  formatVerifierKey,
  LOG_KEY,
  parseCheckpoint,
  parseNote,
  parseSize,
  parseVerifierKey,
  verifyNote,
  WITNESS_KEY,
} from "./mod.ts";
import { verifierKey } from "./note.ts";
import { LOG_JWK, ORIGIN, PROOF, TIME, WITNESS_JWK } from "../testing/worked_example.ts";

/** The example of the specification of signed notes. */
const VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const TEXT = "This is an example message.\n";
const LINE =
  "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
const NOTE = `${TEXT}\n${LINE}`;

const key = parseVerifierKey(VKEY)!;
const log = await createSigner(ORIGIN, LOG_KEY, LOG_JWK);
const witness = await createSigner("witness.example", WITNESS_KEY, WITNESS_JWK);

/** Returns a line with its base64 changed. */
const edit = (change: (base64: string) => string) =>
  LINE.replace(/\S+(?=\n)/, (base64) => change(base64));

Deno.test("a note gives its text, its signatures and itself back; the text may have empty lines", () => {
  for (const text of [TEXT, "\n", `${TEXT}\n${TEXT}`, "\n\n", "è già sera — 🌒\n"]) {
    const note = parseNote(`${text}\n${LINE}${LINE}`)!;
    assertEquals([note.text, note.signatures.length], [text, 2]);
    assertEquals(note.signatures[0].bytes.length, 64);
    assertEquals(formatNote(note), `${text}\n${LINE}${LINE}`);
  }
  const names = Array.from({ length: 16 }, (_, i) => LINE.replace("foo", `${i}`));
  assertEquals(parseNote(`${TEXT}\n${names.join("")}`)?.signatures.length, 16);
});

Deno.test("a malformed note is refused", () => {
  const cases: Record<string, string> = {
    "nothing": "",
    "no signatures": TEXT,
    "an empty line without signatures": `${TEXT}\n`,
    "two empty lines without signatures": `${TEXT}\n\n`,
    "an empty line at the end": `${NOTE}\n`,
    "no empty line": `${TEXT}${LINE}`,
    "no newline at the end": NOTE.slice(0, -1),
    "a control character in the text": `\x01${NOTE}`,
    "a tab in the text": NOTE.replace(" an ", "\tan "),
    "CR in the text": NOTE.replace(".\n", ".\r\n"),
    "CR in the signature": NOTE.replace(/\n$/, "\r\n"),
    "half a surrogate pair": `\ud83d${NOTE}`,
    "a line of another kind after the signatures": `${NOTE}end\n`,
    "a line of another kind before them": `${TEXT}\nstart\n${LINE}`,
    "a hyphen instead of a dash": NOTE.replace("—", "-"),
    "an en dash": NOTE.replace("—", "–"),
    "no space after the dash": NOTE.replace("— ", "—"),
    "two spaces after the dash": NOTE.replace("— ", "—  "),
    "a space before the dash": NOTE.replace("—", " —"),
    "a space at the end of the line": NOTE.replace(/\n$/, " \n"),
    "no name": NOTE.replace("example.com/foo ", ""),
    "a name with a space": NOTE.replace("com/foo", "com foo"),
    "a name with a no-break space": NOTE.replace("com/foo", "com\u00a0foo"),
    "a name with a plus sign": NOTE.replace("com/foo", "com+foo"),
    "no base64": `${TEXT}\n${edit(() => "")}`,
    "letters that are not base64": `${TEXT}\n${edit((text) => `!${text.slice(1)}`)}`,
    "base64url": `${TEXT}\n${edit((text) => text.replaceAll("+", "-").replace(/^./, "_"))}`,
    "no padding": `${TEXT}\n${edit((text) => text.replace("=", ""))}`,
    "too much padding": `${TEXT}\n${edit((text) => `${text}=`)}`,
    "unused bits that are set": `${TEXT}\n${edit((text) => text.replace("M=", "N="))}`,
    "a key id without a signature": `${TEXT}\n${edit(() => "Uw2QOg==")}`,
    "fewer bytes than a key id": `${TEXT}\n${edit(() => "Uw2Q")}`,
    "101 signatures": `${TEXT}\n${LINE.repeat(101)}`,
    "more than 64 KiB": `${"a".repeat(64 * 1024)}\n${NOTE}`,
  };
  const accepted = Object.keys(cases).filter((name) => parseNote(cases[name]) !== null);
  assertEquals(accepted, []);
  const unchanged = Object.keys(cases).filter((name) => cases[name] === NOTE);
  assertEquals(unchanged, []);
});

Deno.test("a note is valid for keys whose name and id are on a line, and refused if such a line is wrong", async () => {
  const other = await log.sign(TEXT);
  const wrong = { ...other, bytes: other.bytes.with(0, other.bytes[0] ^ 1) };
  const { signatures: [good] } = parseNote(NOTE)!;
  const cases: [name: string, Parameters<typeof verifyNote>[0], keys: string[] | null][] = [
    ["the example", { text: TEXT, signatures: [good] }, [key.name]],
    ["one known twice", { text: TEXT, signatures: [good, good] }, [key.name, key.name]],
    ["both", { text: TEXT, signatures: [other, good] }, [ORIGIN, key.name]],
    ["neither", { text: TEXT, signatures: [] }, []],
    ["another name", { text: TEXT, signatures: [{ ...good, name: "example.com/fo" }] }, []],
    ["another id", { text: TEXT, signatures: [{ ...good, id: "530d903b" }] }, []],
    ["another text", { text: `${TEXT}\n`, signatures: [good] }, null],
    ["a wrong line after a good one", { text: TEXT, signatures: [good, wrong] }, null],
    ["a good line after a wrong one", { text: TEXT, signatures: [wrong, other] }, null],
    [
      "another key's signature",
      { text: TEXT, signatures: [{ ...good, bytes: other.bytes }] },
      null,
    ],
    [
      "a short signature",
      { text: TEXT, signatures: [{ ...good, bytes: good.bytes.slice(1) }] },
      null,
    ],
    ["a long signature", {
      text: TEXT,
      signatures: [{ ...good, bytes: concatBytes([good.bytes, good.bytes.slice(0, 1)]) }],
    }, null],
  ];
  for (const [name, note, keys] of cases) {
    const verified = await verifyNote(note, [key, log.key]);
    assertEquals(verified?.map(({ key }) => key.name) ?? null, keys, name);
  }
});

Deno.test("a key of a log or witness gives its text back", () => {
  const keys = [
    VKEY,
    "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx",
    "witness.example.org+b8a2cf20+BFLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN",
    "mirror.example.org+3fb148ef+BAAjjch9GyYz0sJsJx7ALhbdAtz2ov0unbzSl1vMp94O",
  ];
  assertEquals(keys.map((text) => formatVerifierKey(parseVerifierKey(text)!)), keys);
  assertEquals(keys.map((text) => parseVerifierKey(text)!.type), [1, 1, 4, 4]);
});

Deno.test("every part of a key's text, and the text with any letter changed, is refused", () => {
  const accepted = new Set<string>();
  const check = (text: string) => text !== VKEY && parseVerifierKey(text) && accepted.add(text);
  for (let start = 0; start < VKEY.length; start++) {
    for (let end = start; end <= VKEY.length; end++) check(VKEY.slice(start, end));
    check(
      VKEY.slice(0, start) + String.fromCharCode(VKEY.charCodeAt(start) + 1) +
        VKEY.slice(start + 1),
    );
  }
  const { publicKey } = key;
  const withId = (name: string, bytes: Uint8Array) => {
    const [type, ...rest] = bytes;
    return formatVerifierKey(verifierKey(name, type as 1, Uint8Array.from(rest)));
  };
  const cases = [
    withId("a", concatBytes([Uint8Array.of(1), publicKey, publicKey.slice(0, 1)])),
    withId("a", concatBytes([Uint8Array.of(1), publicKey.slice(1)])),
    withId("a", Uint8Array.of(1)),
    ...[0x00, 0x02, 0x03, 0x05, 0x06].map((type) =>
      withId("a", concatBytes([Uint8Array.of(type), publicKey]))
    ),
    withId("a", new Uint8Array(33).with(0, 1)), // a point of small order
    withId("a", new Uint8Array(33).fill(0xff).with(0, 1)), // not reduced
    VKEY.replace("530d903a", "530D903A"),
    VKEY.replace("530d903a", "0530d903a"),
    ` ${VKEY}`,
    `${VKEY}\n`,
    `${VKEY}+`,
    "++",
  ];
  cases.forEach(check);
  assertEquals([...accepted], []);
  for (const name of ["", "a b", "a+b", "a\nb", "a\u2003b", "\ud800"]) {
    assertThrows(() => verifierKey(name, LOG_KEY, publicKey), TypeError);
  }
});

Deno.test("cosignatures of two public witnesses and of our own give their times, and no other", async () => {
  const cosigned = [
    [
      "witness.example.org+b8a2cf20+BFLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN",
      "lCkHUpkmVBEms2r2T1K6Og69+wUuuN3MIEW1/ezu2v0=",
      "uKLPIAAAAABpVGeAhm2bOvKc3LaB9PFN1ruG19Y5yqslmcAAbhftnn1Zznmo0LXFZq4LGvqKqLX8jWlwLKasxEGTLIqAVusneCBmBw==",
    ],
    [
      "mirror.example.org+3fb148ef+BAAjjch9GyYz0sJsJx7ALhbdAtz2ov0unbzSl1vMp94O",
      "gw31yQrqZZCcEOPrzX+bpy3nJ6QgngTKn8G1m0i62uU=",
      "P7FI7wAAAABpVGeAjA1S4pJm6MbcXjX7UUImu4azZtrfcVW2uyr/LXIYlwEJzXC0N0EiZkbqfLdXt/4gVEEuGmxJjAfXKMCISpsJAg==",
    ],
  ];
  for (const [vkey, root, signature] of cosigned) {
    const key = parseVerifierKey(vkey)!;
    const text = `rome2026h1.example.org\n300\n${root}\n\n— ${key.name} ${signature}\n`;
    const verified = await verifyNote(parseCheckpoint(text)!.note, [key]);
    assertEquals(verified?.map(({ time }) => time), [1767139200]);
  }

  const good = await witness.sign(TEXT, TIME);
  const times = async (bytes: typeof good.bytes, keys = [witness.key]) =>
    (await verifyNote({ text: TEXT, signatures: [{ ...good, bytes }] }, keys))
      ?.map(({ time }) => time);
  assertEquals(await times(good.bytes), [TIME]);
  const at = (hex: string) => concatBytes([decodeHex(hex), good.bytes.slice(8)]);
  const cases: [string, typeof good.bytes][] = [
    ["another time", good.bytes.with(7, good.bytes[7] ^ 1)],
    ["time 0", await rawCosignature(0n)],
    ["a time beyond 2^53", await rawCosignature(2n ** 53n)],
    ["the largest time", at("ffffffffffffffff")],
    ["no time", good.bytes.slice(8)],
    ["a byte too many", concatBytes([good.bytes, Uint8Array.of(0)])],
    ["only a time", good.bytes.slice(0, 8)],
  ];
  for (const [name, bytes] of cases) assertEquals(await times(bytes), undefined, name);
  const next = await rawCosignature(BigInt(TIME));
  assertEquals(next, good.bytes);
  for (const time of [undefined, 0, -1, 1.5, NaN, 2 ** 53]) {
    await assertRejects(() => witness.sign(TEXT, time), RangeError);
  }
});

/** Returns what the witness's key signs for a time that the signer refuses. */
async function rawCosignature(time: bigint) {
  const jwk = { ...WITNESS_JWK };
  const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["sign"]);
  const signed = utf8(`cosignature/v1\ntime ${time}\n${TEXT}`);
  const stamp = new Uint8Array(8);
  new DataView(stamp.buffer).setBigUint64(0, time);
  return concatBytes([
    stamp,
    new Uint8Array(await crypto.subtle.sign("Ed25519", key, signed)),
  ]);
}

Deno.test("a checkpoint gives its origin, size and root; extension lines are ignored, and a malformed one is refused", () => {
  const example = PROOF.slice(PROOF.indexOf("\n\n") + 2);
  const { origin, size, root } = parseCheckpoint(example)!;
  assertEquals([origin, size, encodeBase64(root)], [
    ORIGIN,
    4,
    "RtXtFMECLrSXWz6lmTAeeBB2DaRVEZSiIG3flaxxCVo=",
  ]);
  const line = example.slice(example.indexOf("\n— ") + 1);
  const hash = encodeBase64(root);
  const read = (text: string) => parseCheckpoint(`${text}\n${line}`);
  const empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  assertEquals(read(`log\n0\n${empty}\n`)?.size, 0);
  assertEquals(read(`log\n4\n${hash}\nmore\n— lines\n`)?.size, 4);
  assertEquals(read(`log\n${Number.MAX_SAFE_INTEGER}\n${hash}\n`)?.size, 2 ** 53 - 1);
  const cases: Record<string, string> = {
    "no root": "log\n4\n",
    "no size": "log\n",
    "no origin": `\n4\n${hash}\n`,
    "an origin with a space": `a log\n4\n${hash}\n`,
    "a size with a leading zero": `log\n04\n${hash}\n`,
    "a negative size": `log\n-4\n${hash}\n`,
    "a size with a sign": `log\n+4\n${hash}\n`,
    "a size in words": `log\nfour\n${hash}\n`,
    "no digits": `log\n\n${hash}\n`,
    "a size with a space": `log\n4 \n${hash}\n`,
    "hexadecimal digits": `log\n0x4\n${hash}\n`,
    "an exponent": `log\n1e3\n${hash}\n`,
    "a size beyond 2^53": `log\n9007199254740992\n${hash}\n`,
    "a size beyond 64 bits": `log\n18446744073709551616\n${hash}\n`,
    "a root that is not base64": `log\n4\n!${hash.slice(1)}\n`,
    "a root of 31 bytes": `log\n4\n${encodeBase64(root.slice(1))}\n`,
    "a root of 33 bytes": `log\n4\n${encodeBase64(Uint8Array.of(...root, 0))}\n`,
    "a root in hexadecimal digits": `log\n4\n${"46".repeat(32)}\n`,
    "an empty extension line": `log\n4\n${hash}\n\nmore\n`,
    "an empty line at the end of the text": `log\n4\n${hash}\n\n`,
    "an empty tree with another root": `log\n0\n${hash}\n`,
  };
  assertEquals(Object.keys(cases).filter((name) => read(cases[name]) !== null), []);
  assertEquals(parseSize("0"), 0);
  assertEquals(decodeBase64(`${hash}\n`), null);
});
