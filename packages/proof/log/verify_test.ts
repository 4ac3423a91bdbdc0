import { assertEquals, assertThrows } from "@std/assert";
import { concatBytes } from "../../../lib/base/bytes.ts";
import { encodeBase64 } from "../../../lib/base/encoding.ts";
import { generatePrivateJwk } from "../chain/mod.ts";
import {
  createSigner,
  entryBytes,
  formatCheckpoint,
  formatNote,
  formatProof,
  formatVerifierKey,
  leafHash,
  LOG_KEY,
  type LogEntry,
  type LogProof,
  type NoteSigner,
  parseCheckpoint,
  parsePolicy,
  parseProof,
  PolicyError,
  verifyProof,
  WITNESS_KEY,
} from "./mod.ts";
import { verifierKey } from "./note.ts";
import { MAX_PROOF_HASHES } from "./proof.ts";
import { smallTree } from "../testing/trees.ts";
import {
  ENTRIES,
  eventAt,
  LOG_JWK,
  LOG_VKEY,
  ORIGIN,
  PROOF,
  salt,
  TIME,
  WITNESS_JWK,
  WITNESS_VKEY,
} from "../testing/worked_example.ts";

const log = await createSigner(ORIGIN, LOG_KEY, LOG_JWK);
const witness = await createSigner("witness.example", WITNESS_KEY, WITNESS_JWK);
const stranger = await generatePrivateJwk();
const other = await createSigner("other.example/log", LOG_KEY, stranger);

const POLICY = `log ${LOG_VKEY}
log ${formatVerifierKey(other.key)}
witness other ${WITNESS_VKEY}
quorum other
`;

const opened = (extra: LogProof["extra"]) => extra && eventAt(3, extra);

interface Given {
  text?: string;
  entryOf?: (extra: LogProof["extra"]) => LogEntry | null;
  policy?: string;
  origin?: string;
}

/** Returns the fault that is reported, or the times of the cosignatures. */
async function verify({ text = PROOF, entryOf = opened, policy = POLICY, origin = ORIGIN }: Given) {
  const result = await verifyProof(text, entryOf, parsePolicy(policy), origin);
  return result.ok ? result.checkpoint.cosignatures.map(({ time }) => time) : result.error;
}

const GOOD = parseProof(PROOF)!;
const CHECKPOINT = parseCheckpoint(GOOD.checkpoint)!;
const [LOG_LINE, WITNESS_LINE] = GOOD.checkpoint.split("\n").slice(-3);
const ROOT = encodeBase64(CHECKPOINT.root);

const proofWith = (change: Partial<LogProof>) => formatProof({ ...GOOD, ...change });

/** Returns the proof with a changed checkpoint, which is signed again. */
async function resigned(
  change: Partial<typeof CHECKPOINT>,
  signers: readonly NoteSigner[] = [log, witness],
): Promise<string> {
  const text = formatCheckpoint({ ...CHECKPOINT, ...change });
  const signatures = await Promise.all(
    signers.map((signer) => signer.sign(text, signer === log ? undefined : TIME)),
  );
  return proofWith({ checkpoint: formatNote({ text, signatures }) });
}

/** Returns the proof with the bytes after the key id of one signature changed. */
function withSignature(i: number, change: (bytes: Uint8Array) => Uint8Array): string {
  const { text, signatures } = CHECKPOINT.note;
  const bytes = Uint8Array.from(change(signatures[i].bytes));
  const changed = signatures.with(i, { ...signatures[i], bytes });
  return proofWith({ checkpoint: formatNote({ text, signatures: changed }) });
}

const flip = (at: number) => (bytes: Uint8Array) => bytes.with(at, bytes[at] ^ 1);

Deno.test("the standard's proof is valid, also with a quorum of none and with lines of unknown keys", async () => {
  const unknown = await createSigner("unknown.example", WITNESS_KEY, stranger);
  const late = await witness.sign(CHECKPOINT.note.text, TIME + 60);
  const more = [
    await unknown.sign(CHECKPOINT.note.text, 1),
    late,
    ...CHECKPOINT.note.signatures,
  ];
  const checkpoint = formatNote({ text: CHECKPOINT.note.text, signatures: more });
  const none = `log ${LOG_VKEY}\nquorum none`;
  const cases: [string, Given, number[]][] = [
    ["the proof", {}, [TIME]],
    ["the earliest of two times", { text: proofWith({ checkpoint }) }, [TIME]],
    ["no known witness", { policy: none }, []],
    ["no witness", { text: await resigned({}, [log]), policy: none }, []],
    ["the last entry", {
      text: proofWith({
        index: 3,
        hashes: smallTree(ENTRIES.map((entry) => leafHash(entryBytes(entry)))).inclusion(3, 4),
        extra: null,
      }),
      entryOf: (extra) => extra === null ? ENTRIES[3] : null,
    }, [TIME]],
  ];
  for (const [name, given, times] of cases) assertEquals(await verify(given), times, name);
});

Deno.test("one alteration of the standard's proof gives the fault of the standard", async () => {
  const { index, hashes } = GOOD;
  const twin = await createSigner(ORIGIN, LOG_KEY, stranger);
  const leaves = ENTRIES.map((entry) => leafHash(entryBytes(entry)));
  const root = smallTree(leaves).root(0, 3);
  const cases: [name: string, given: Given, fault: string][] = [
    ["wrong log_salt", { text: proofWith({ extra: salt.with(0, 0) }) }, "log_inclusion"],
    ["size n + 1 with the proof of n", { entryOf: () => eventAt(4, salt) }, "log_inclusion"],
    ["an entry of 63 bytes", {
      entryOf: () => ({ ...ENTRIES[0], commitment: ENTRIES[0].commitment.slice(1) }),
    }, "log_inclusion"],
    ["no log_salt", { text: proofWith({ extra: null }) }, "log_malformed"],
    ["a log_salt of 31 bytes", { text: proofWith({ extra: salt.slice(1) }) }, "log_malformed"],
    ["a log_salt of 33 bytes", {
      text: proofWith({ extra: Uint8Array.of(...salt, 0) }),
    }, "log_malformed"],

    ["another origin with a valid key", {
      text: await resigned({ origin: other.key.name }, [other, witness]),
    }, "log_unknown"],
    ["the origin of another known log", { origin: other.key.name }, "log_unknown"],
    ["a known log's signature under another's origin", {
      text: await resigned({ origin: other.key.name }),
      origin: other.key.name,
    }, "log_unknown"],
    ["the log's signature under another origin", {
      text: await resigned({ origin: "x.example/log" }),
    }, "log_unknown"],
    ["another log's signature under the origin", {
      text: await resigned({}, [other, witness]),
    }, "log_unknown"],
    ["an unknown origin", { origin: "x.example/log" }, "log_unknown"],
    [
      "key name equal but id different",
      { text: await resigned({}, [twin, witness]) },
      "log_unknown",
    ],
    ["no signature of the log", { text: await resigned({}, [witness]) }, "log_unknown"],
    ["no signature of the log, and a bad one of the witness", {
      text: proofWith({
        checkpoint: formatNote({
          text: CHECKPOINT.note.text,
          signatures: CHECKPOINT.note.signatures.slice(1)
            .map((each) => ({ ...each, bytes: Uint8Array.from(flip(70)(each.bytes)) })),
        }),
      }),
    }, "log_unknown"],
    ["a policy without logs", {
      policy: `witness other ${WITNESS_VKEY}\nquorum other`,
    }, "log_unknown"],

    ["known key with a bad signature", { text: withSignature(0, flip(9)) }, "log_signature"],
    ["a witness's bad signature", { text: withSignature(1, flip(70)) }, "log_signature"],
    ["cosignature over another time", { text: withSignature(1, flip(7)) }, "log_signature"],
    ["time 0", {
      text: withSignature(1, (bytes) => concatBytes([new Uint8Array(8), bytes.slice(8)])),
    }, "log_signature"],
    ["root of another size", {
      text: PROOF.replace(ROOT, encodeBase64(root)),
    }, "log_signature"],
    ["another size", { text: PROOF.replace("\n4\n", "\n3\n") }, "log_signature"],
    ["root of another size, signed", { text: await resigned({ root }) }, "log_inclusion"],
    ["size of another root, signed", { text: await resigned({ size: 2 }) }, "log_inclusion"],

    ["no cosignature", { text: await resigned({}, [log]) }, "log_quorum"],
    ["cosignature by an unknown witness", {
      text: await resigned({}, [log, await createSigner("witness.example", WITNESS_KEY, stranger)]),
    }, "log_quorum"],
    ["cosignature under another name of the witness", {
      text: PROOF.replace("— witness.example ", "— witness2.example "),
    }, "log_quorum"],

    ["index ≥ size", { text: proofWith({ index: 4 }) }, "log_inclusion"],
    ["another index", { text: proofWith({ index: 1 }) }, "log_inclusion"],
    ["one hash missing", { text: proofWith({ hashes: hashes.slice(1) }) }, "log_inclusion"],
    ["one hash too many", { text: proofWith({ hashes: [...hashes, leaves[0]] }) }, "log_inclusion"],
    ["hashes in another order", {
      text: proofWith({ hashes: hashes.toReversed() }),
    }, "log_inclusion"],
    ["one hash of 31 bytes", {
      text: proofWith({ hashes: hashes.with(0, hashes[0].slice(1)) }),
    }, "log_malformed"],

    ["no empty line before the checkpoint", {
      text: PROOF.replace("\n\n", "\n"),
    }, "log_malformed"],
    ["no empty line before the signatures", {
      text: PROOF.replace(`\n\n${LOG_LINE}`, `\n${LOG_LINE}`),
    }, "log_malformed"],
    ["CR in the note", { text: PROOF.replace(`${ORIGIN}\n`, `${ORIGIN}\r\n`) }, "log_malformed"],
    ["CR after a signature", {
      text: PROOF.replace(WITNESS_LINE, `${WITNESS_LINE}\r`),
    }, "log_malformed"],
    ["size with a leading zero", { text: PROOF.replace("\n4\n", "\n04\n") }, "log_malformed"],
    ["index with a leading zero", {
      text: PROOF.replace(`index ${index}`, `index 0${index}`),
    }, "log_malformed"],
  ];
  for (const [name, given, fault] of cases) {
    if (given.text !== undefined) assertEquals(given.text === PROOF, false, name);
    assertEquals(await verify(given), fault, name);
  }
});

Deno.test("a quorum of one witness that is listed twice under two names is not a policy", () => {
  const again = formatVerifierKey(
    verifierKey("witness2.example", WITNESS_KEY, witness.key.publicKey),
  );
  const twice = `witness a ${WITNESS_VKEY}\nwitness b ${again}\ngroup g all a b\nquorum g`;
  assertThrows(() => parsePolicy(twice), PolicyError, "Line 2: this public key occurs twice");
});

Deno.test("a proof gives its parts and itself back, and a malformed one is refused", () => {
  const [hash] = GOOD.hashes;
  const header = "c2sp.org/tlog-proof@v1\n";
  const line = encodeBase64(hash);
  const end = "\n\ncheckpoint\n";
  const texts = [
    PROOF,
    `${header}index 0${end}`,
    `${header}extra \nindex 9007199254740991\n${line}${end}`,
    `${header}index 5\n${`${line}\n`.repeat(MAX_PROOF_HASHES).trimEnd()}${end}\n\nmore`,
  ];
  assertEquals(texts.map((text) => formatProof(parseProof(text)!)), texts);
  const cases: Record<string, string> = {
    "nothing": "",
    "another version": PROOF.replace("@v1", "@v2"),
    "a space before the header": ` ${PROOF}`,
    "CR after the header": PROOF.replace("\n", "\r\n"),
    "no index": `${header}${line}${end}`,
    "no line after the header": `${header}\ncheckpoint\n`,
    "an index in letters": `${header}index two${end}`,
    "a negative index": `${header}index -5${end}`,
    "an index with a sign": `${header}index +5${end}`,
    "an index beyond 2^53": `${header}index 9007199254740992${end}`,
    "an empty index": `${header}index ${end}`,
    "two spaces before the index": `${header}index  0${end}`,
    "the index before extra": `${header}index 0\nextra ${line}${end}`,
    "extra twice": `${header}extra ${line}\nextra ${line}\nindex 0${end}`,
    "extra that is not base64": `${header}extra !!!!\nindex 0${end}`,
    "extra without padding": `${header}extra ${line.replace("=", "")}\nindex 0${end}`,
    "a hash that is not base64": `${header}index 0\n${line.replace("=", "!")}${end}`,
    "a hash of 64 bytes": `${header}index 0\n${encodeBase64(new Uint8Array(64))}${end}`,
    "a hash of 0 bytes before the checkpoint": `${header}index 0\n \n${line}${end}`,
    "64 hashes": `${header}index 0\n${`${line}\n`.repeat(64).trimEnd()}${end}`,
    "no checkpoint": `${header}index 0\n${line}\n`,
    "a very long line": `${header}index 0\n${"a".repeat(64 * 1024)}${end}`,
  };
  assertEquals(Object.keys(cases).filter((name) => parseProof(cases[name]) !== null), []);
});
