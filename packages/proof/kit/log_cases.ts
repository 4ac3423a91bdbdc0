/**
 * The checks of the kit about the log.
 *
 * @module
 */
import {
  createSigner,
  formatCheckpoint,
  formatNote,
  formatProof,
  LOG_KEY,
  type LogProof,
  nodeHash,
  type NoteSignature,
  parseCheckpoint,
  parseProof,
  sha256Bytes,
  WITNESS_KEY,
} from "../log/mod.ts";
import { type LogRequest, VECTORS } from "./vectors.ts";
import type { CaseList } from "./case_list.ts";

const { log: VECTOR } = VECTORS;
const { origin: ORIGIN } = VECTOR;
const PROOF = parseProof(VECTOR.proof)!;
const CHECKPOINT = parseCheckpoint(VECTOR.checkpoint)!;
const [EVENT, DOCUMENT] = VECTOR.entries;
const [VALID] = VECTOR.valid;
const CONSISTENT = VECTOR.valid.find(({ title }) => title.endsWith("with the tree of 3"))!.request;
const CHAIN = VECTOR.valid.find(({ request }) => request.op === "log_chain")!.request;

/** The key of a witness that has signed nothing: RFC 8032, section 7.1, test 3. */
const SILENT = "silent.example+3436a0d7+BPxRzY5iGKGjjaR+0AIw8FgIFu0TujMDrF3rkRVIkIAl";

/**
 * Adds the checks of the section on the transparency log: every value of its vectors, every invalid one, and
 * further inputs that break one rule each. They are optional, because a verifier need not check proofs.
 */
export async function addLog(cases: CaseList): Promise<void> {
  for (const { title, input, slot, commitment, leaf } of VECTOR.entries) {
    cases.add(
      `Log entry: ${title}`,
      { op: "log_entry", ...input },
      { slot, commitment, leaf },
      true,
    );
  }
  for (const { title, request, response } of VECTOR.valid) {
    cases.add(`Log: ${title}`, request, response, true);
  }
  for (const { change, request, code } of VECTOR.invalid) {
    cases.add(`Log: ${change}`, request, { ok: false, code }, true);
  }
  addEntries(cases);
  await addProofs(cases);
  addPolicies(cases);
  addTrees(cases);
  await addUneven(cases);
  await addWrongPlaces(cases);
  await addLarge(cases);
  addKeySets(cases);
}

const fault = (code: string) => ({ ok: false, code });

function addEntries(cases: CaseList): void {
  const withdrawn = { ...DOCUMENT.input, n: 2, state: "withdrawn", issued: null };
  cases.add("Log entry: a withdrawn document without an issued copy", {
    op: "log_entry",
    ...withdrawn,
  }, {
    slot: "5edc1e63ea63d7c74f389423b1d3aadcaa65c65549783612226e9a8cb23f6859",
    commitment: "3056ad1e71e61b355321c2644a406fb1a0dc2db75fc6f2e603aa9af44fd0b8dc",
  }, true);
  cases.add("Log entry: a chain of 2^53 - 1 events", {
    op: "log_entry",
    ...EVENT.input,
    size: Number.MAX_SAFE_INTEGER,
  }, {
    slot: "9fc2954fa4738e95b6a04413017d87de62b8fd8ed0f8e28810ffbb149a9b9773",
    commitment: "1cc7141ae1e8d423bf49ed140718aa22b66ba8486c01dc1057d2d948ba973776",
  }, true);
}

function addKeySets(cases: CaseList): void {
  const { request } = VECTOR.valid.find(({ request }) => request.op === "log_keys")!;
  const [set] = request.key_sets as string[];
  const kid = "9z9zXv8jdYKPInPBODn5XMMq40K2-QUgiPRxeVVNX2I";
  const other = set.replace(/"kid":"[^"]+"/, `"kid":"${kid}"`);
  const add = (title: string, key_sets: string[], expected: Record<string, unknown>) =>
    cases.add(`Log keys: ${title}`, { ...request, kid, key_sets }, expected as never, true);
  add("the key is in the second of three sets", [set, other, set], { ok: true });
  add("the `kid` is another member of a key", [set.replace("sig", kid)], fault("log_unknown"));
  add("no sets", [], fault("log_unknown"));
}

type Signer = Awaited<ReturnType<typeof createSigner>>;

async function addProofs(cases: CaseList): Promise<void> {
  const log = await createSigner(ORIGIN, LOG_KEY, VECTOR.logKey);
  const witness = await createSigner("witness.example", WITNESS_KEY, VECTOR.witnessKey);
  const add = (title: string, change: Partial<LogRequest>, expected: Record<string, unknown>) =>
    cases.add(`Log proof: ${title}`, { ...VALID.request, ...change }, expected as never, true);
  const proofWith = (change: Partial<LogProof>) => formatProof({ ...PROOF, ...change });
  const noteWith = (signatures: NoteSignature[], text = CHECKPOINT.note.text) =>
    proofWith({ checkpoint: formatNote({ text, signatures }) });
  const signed = async (text: string, signers: Signer[] = [log, witness]) =>
    noteWith(
      await Promise.all(
        signers.map((each) => each.sign(text, each === witness ? VECTOR.time : undefined)),
      ),
      text,
    );
  const { text, signatures } = CHECKPOINT.note;
  const [own, other] = signatures;
  const good = VALID.response;

  add("a signature of an unknown key is ignored", {
    proof: noteWith([own, {
      ...own,
      name: "unknown.example",
      bytes: own.bytes.with(3, own.bytes[3] ^ 1),
    }, other]),
  }, good);
  add("a countersignature of a known name with another id is ignored", {
    proof: noteWith([own, other, {
      ...other,
      id: "00000000",
      bytes: other.bytes.with(70, other.bytes[70] ^ 1),
    }]),
  }, good);
  add("the earliest of two times of one witness counts", {
    proof: noteWith([own, other, await witness.sign(text, VECTOR.time - 60)]),
  }, { ...good, time: VECTOR.time - 60 });
  add("a later time of the same witness does not count", {
    proof: noteWith([own, other, await witness.sign(text, VECTOR.time + 60)]),
  }, good);
  add("extension lines are signed with the text", {
    proof: await signed(`${text}extension\n`),
  }, good);

  const malformed = (title: string, proof: string) => add(title, { proof }, fault("log_malformed"));
  malformed("it is empty", "");
  malformed("another header", VECTOR.proof.replace("@v1", "@v2"));
  malformed("no index", VECTOR.proof.replace("index 0\n", ""));
  malformed("an index of -1", VECTOR.proof.replace("index 0", "index -1"));
  malformed("an index above 2^53 - 1", VECTOR.proof.replace("index 0", "index 9007199254740992"));
  malformed("a line before the index", VECTOR.proof.replace("index", "note x\nindex"));
  malformed("text after the index", VECTOR.proof.replace("index 0", "index 0 "));
  malformed("a hash of 33 bytes", proofWith({ hashes: [...PROOF.hashes, new Uint8Array(33)] }));
  malformed("a hash that is not base64", VECTOR.proof.replace("lMlx", "lMl!"));
  malformed("an extra that is not base64", VECTOR.proof.replace("extra u7", "extra !7"));
  malformed("64 hashes", proofWith({ hashes: Array(64).fill(PROOF.hashes[0]) }));
  add("63 hashes", { proof: proofWith({ hashes: Array(63).fill(PROOF.hashes[0]) }) }, {
    ...fault("log_inclusion"),
  });
  malformed("no empty line", VECTOR.proof.replace("\n\n", "\n"));
  malformed("no signature", proofWith({ checkpoint: `${text}\n` }));
  malformed("no line break at the end", VECTOR.proof.slice(0, -1));
  malformed("a hyphen instead of the dash", VECTOR.proof.replace("— ", "- "));
  malformed("a signature that is not base64", VECTOR.proof.replace("wjEB", "wjE!"));
  malformed("a signature of 4 bytes", noteWith([{ ...own, bytes: new Uint8Array() }]));
  malformed("an unknown signature of 3 bytes", `${VECTOR.proof}— x.example AAAA\n`);
  malformed(
    "an unknown signature by a name with a plus sign",
    `${VECTOR.proof}— x+y ${"AAAA".repeat(20)}\n`,
  );
  malformed("a tab in the checkpoint", VECTOR.proof.replace("/log\n4", "/log\t\n4"));
  malformed("a delete character", VECTOR.proof.replace("/log\n4", "/log\x7f\n4"));
  malformed("an empty extension line", await signed(`${text}\nx\n`));
  malformed("no root", await signed(`${ORIGIN}\n4\n`));
  malformed("no size", await signed(`${ORIGIN}\n`));
  malformed(
    "a root of 31 bytes",
    await signed(formatCheckpoint({ ...CHECKPOINT, root: CHECKPOINT.root.slice(1) })),
  );
  malformed("a size of -1", await signed(text.replace("\n4\n", "\n-1\n")));
  malformed("a size above 2^53 - 1", await signed(text.replace("\n4\n", "\n9007199254740992\n")));
  malformed("an origin with a space", await signed(text.replace(ORIGIN, "trust.example/ log")));
  malformed("an origin with a plus sign", await signed(text.replace(ORIGIN, "trust.example/log+")));
  malformed("a tab in an extension line", await signed(`${text}a\tb\n`));
  malformed("another character instead of the last line break", `${VECTOR.proof.slice(0, -1)}x`);
  malformed("text before the dash", VECTOR.proof.replace("— ", "x— "));
  malformed("text before the index", VECTOR.proof.replace("index 0", "xindex 0"));
  malformed("an empty tree with another root", await signed(text.replace("\n4\n", "\n0\n")));

  add("only the witness has signed", { proof: noteWith([other]) }, fault("log_unknown"));
  add("another origin than the one that is expected", { origin: "other.example/log" }, {
    ...fault("log_unknown"),
  });
  add("the log's key has signed the checkpoint of another origin", {
    proof: await signed(text.replace(ORIGIN, "other.example/log")),
  }, fault("log_unknown"));
  add("a policy without the log", {
    policy: VECTOR.policy.replace(/^log .*\n/, ""),
  }, fault("log_unknown"));
  const invalid = (title: string, proof: string) => add(title, { proof }, fault("log_signature"));
  const cut = (signature: NoteSignature) => ({ ...signature, bytes: signature.bytes.slice(0, -1) });
  invalid("the log's signature of 63 bytes", noteWith([cut(own), other]));
  invalid("a countersignature of 71 bytes", noteWith([own, cut(other)]));
  invalid(
    "the log's signature twice, one of them wrong",
    noteWith([own, {
      ...own,
      bytes: own.bytes.with(3, own.bytes[3] ^ 1),
    }, other]),
  );
  invalid(
    "the time is above 2^53 - 1",
    noteWith([own, {
      ...other,
      bytes: Uint8Array.from([0xff, ...other.bytes.slice(1)]),
    }]),
  );
  invalid("the text was changed after it was signed", noteWith([own, other], `${text}x\n`));
  add("two faults: the log's key and the inclusion", {
    proof: noteWith([other]),
    size: 4,
  }, fault("log_unknown"));
  add("two faults: no signature of the log, and an invalid countersignature", {
    proof: noteWith([{ ...other, bytes: other.bytes.with(70, other.bytes[70] ^ 1) }]),
  }, fault("log_unknown"));
  add("two faults: the quorum and the inclusion", { proof: noteWith([own]), size: 4 }, {
    ...fault("log_quorum"),
  });

  for (const [name, value] of [["record_hash", "ff".repeat(32)], ["size", 2]] as const) {
    add(`another ${name}`, { [name]: value }, fault("log_inclusion"));
  }
  add("the index of another entry", { proof: proofWith({ index: 1 }) }, fault("log_inclusion"));
  add("no hashes", { proof: proofWith({ hashes: [] }) }, fault("log_inclusion"));
  const swapped = proofWith({ hashes: PROOF.hashes.toReversed() });
  const pair = nodeHash(Uint8Array.fromHex(EVENT.leaf), Uint8Array.fromHex(DOCUMENT.leaf));
  const short = await signed(formatCheckpoint({ ...CHECKPOINT, root: pair }));
  const one = formatProof({ ...parseProof(short)!, hashes: PROOF.hashes.slice(0, 1) });
  add("the root of 2 entries, signed for 4", { proof: one }, fault("log_inclusion"));
  add("the hashes in the other order", { proof: swapped }, fault("log_inclusion"));
}

/** Returns a key of any type and length as text, with the right id. */
function vkeyOf(name: string, type: number, key: Uint8Array): string {
  const typed = Uint8Array.of(type, ...key);
  const id = sha256Bytes(Uint8Array.of(...new TextEncoder().encode(`${name}\n`), ...typed));
  return `${name}+${id.slice(0, 4).toHex()}+${typed.toBase64()}`;
}

function addPolicies(cases: CaseList): void {
  const [, id] = VECTOR.witnessVkey.split("+");
  const add = (title: string, policy: string, expected: Record<string, unknown>) =>
    cases.add(`Log policy: ${title}`, { ...VALID.request, policy }, expected as never, true);
  const lines = (...more: string[]) =>
    [`log ${VECTOR.logVkey}`, `witness other ${VECTOR.witnessVkey}`, ...more, ""].join("\n");
  const good = VALID.response;
  add(
    "comments, tabs, empty lines and addresses",
    lines("", "\t# comment", "quorum\tother").replace(
      VECTOR.witnessVkey,
      `${VECTOR.witnessVkey}\thttps://witness.example/`,
    ),
    good,
  );
  add(
    "any of a group",
    lines(`witness silent ${SILENT}`, "group g any other silent", "quorum g"),
    good,
  );
  add(
    "one of a group",
    lines(`witness silent ${SILENT}`, "group g 1 other silent", "quorum g"),
    good,
  );
  add(
    "a group of groups",
    lines(
      `witness silent ${SILENT}`,
      "group a any other",
      "group b all a",
      "group c 1 b silent",
      "quorum c",
    ),
    good,
  );
  for (const count of ["all", "2"]) {
    const policy = lines(`witness silent ${SILENT}`, `group g ${count} other silent`, "quorum g");
    add(`${count} of a group of which one has signed`, policy, fault("log_quorum"));
  }
  const bad = (title: string, policy: string) => add(title, policy, fault("log_malformed"));
  bad("no quorum", lines());
  bad("two quorums", lines("quorum other", "quorum none"));
  bad("a quorum that is not defined", lines("quorum unknown"));
  bad("a quorum that is defined below it", lines("quorum g", "group g any other"));
  bad("a quorum of two names", lines("quorum other other"));
  bad("a quorum without a name", lines("quorum"));
  bad("an unknown word", lines("witnesses x", "quorum other"));
  bad("a control character", lines("quorum other\x01"));
  bad("a log's key for a witness", lines(`witness b ${VECTOR.logVkey}`, "quorum other"));
  bad("a witness's key for a log", lines(`log ${SILENT}`, "quorum other"));
  bad("a key with another id", lines("quorum other").replace(`+${id}+`, "+00000000+"));
  bad(
    "a key with an id in capitals",
    lines("quorum other").replace(`+${id}+`, `+${id.toUpperCase()}+`),
  );
  bad("a key with text before its name", lines(`log x+${VECTOR.logVkey}`, "quorum other"));
  const silentKey = Uint8Array.fromBase64(SILENT.split("+").slice(2).join("+")).slice(1);
  const unknownType = vkeyOf("b.example", 2, silentKey);
  bad(
    "a witness's key with text before its name",
    lines("quorum other").replace("witness other ", "witness other x+"),
  );
  bad("a key of an unknown type", lines(`witness b ${unknownType}`, "quorum other"));
  const later = vkeyOf("b.example", 7, Uint8Array.of(...silentKey, 0));
  add(
    "a witness with a key of a later algorithm",
    lines(`witness b ${later}`, "quorum other"),
    good,
  );
  add(
    "a quorum of a witness with a key of a later algorithm, which counts as absent",
    lines(`witness b ${later}`, "quorum b"),
    fault("log_quorum"),
  );
  const long = vkeyOf("b.example", 4, Uint8Array.of(...silentKey, 0));
  bad("a key of 33 bytes", lines(`witness b ${long}`, "quorum other"));
  const small = vkeyOf("b.example", 4, Uint8Array.of(1, ...new Uint8Array(31)));
  bad("a key of order 1", lines(`witness b ${small}`, "quorum other"));
  bad("a control character in a comment", lines("# \x01", "quorum other"));
  bad("a comment after an address", lines(`witness b ${SILENT} # x`, "quorum other"));
  bad("an address that cannot be parsed", lines(`witness b ${SILENT} https://[`, "quorum other"));
  bad(
    "an address that begins with another letter",
    lines(`witness b ${SILENT} xhttps://b`, "quorum other"),
  );
  bad("a malformed key", lines("log x", "quorum other"));
  bad("a log without a key", lines("log", "quorum other"));
  bad(
    "an address that is not one of HTTP",
    lines(`witness b ${SILENT} ftp://b.example`, "quorum other"),
  );
  bad("more after the address", lines(`witness b ${SILENT} https://b.example x`, "quorum other"));
  bad("one name for two witnesses", lines(`witness other ${SILENT}`, "quorum other"));
  bad("a witness named none", lines(`witness none ${SILENT}`, "quorum other"));
  bad("a log's key twice", lines(`log ${VECTOR.logVkey}`, "quorum other"));
  bad("a member that is not defined", lines("group g any x", "quorum other"));
  bad("a member twice", lines("group g any other other", "quorum g"));
  bad("a member of two groups", lines("group g any other", "group h any other", "quorum g"));
  for (const count of ["2", "0", "x", "-1", "01", "1.5"]) {
    bad(`a group that needs ${count} of one member`, lines(`group g ${count} other`, "quorum g"));
  }
  bad("a group without members", lines("group g all", "quorum g"));
  bad("a group with the name of a witness", lines("group other any other", "quorum other"));
}

/** A tree of leaves, by recursion. */
function treeOf(leaves: readonly Uint8Array[]) {
  const middleOf = (start: number, end: number): number => {
    let width = 1;
    while (width * 2 < end - start) width *= 2;
    return start + width;
  };
  const root = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    if (end - start === 1) return Uint8Array.from(leaves[start]);
    const middle = middleOf(start, end);
    return nodeHash(root(start, middle), root(middle, end));
  };
  const inclusion = (index: number, start = 0, end = leaves.length): Uint8Array<ArrayBuffer>[] => {
    if (end - start === 1) return [];
    const middle = middleOf(start, end);
    return index < middle
      ? [...inclusion(index, start, middle), root(middle, end)]
      : [...inclusion(index, middle, end), root(start, middle)];
  };
  const consistency = (
    old: number,
    start = 0,
    end = leaves.length,
    isKnown = true,
  ): Uint8Array<ArrayBuffer>[] => {
    if (old === end) return isKnown ? [] : [root(start, end)];
    const middle = middleOf(start, end);
    return old <= middle
      ? [...consistency(old, start, middle, isKnown), root(middle, end)]
      : [...consistency(old, middle, end, false), root(start, middle)];
  };
  return { root, inclusion, consistency };
}

interface Path {
  hashes: Uint8Array<ArrayBuffer>[];
  root: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the hashes that lead from a leaf to the root of a tree of any size, and the root. The other leaves
 * are invented.
 */
function pathOf(leaf: Uint8Array<ArrayBuffer>, index: number, size: number): Path {
  if (size === 1) return { hashes: [], root: leaf };
  let middle = 1;
  while (middle * 2 < size) middle *= 2;
  const isLeft = index < middle;
  const { hashes, root } = isLeft
    ? pathOf(leaf, index, middle)
    : pathOf(leaf, index - middle, size - middle);
  const sibling = new Uint8Array(32).fill(hashes.length);
  return {
    hashes: [...hashes, sibling],
    root: isLeft ? nodeHash(root, sibling) : nodeHash(sibling, root),
  };
}

/** Adds proofs that are refused only because of the index or the size: the hashes lead to the root. */
async function addWrongPlaces(cases: CaseList): Promise<void> {
  const log = await createSigner(ORIGIN, LOG_KEY, VECTOR.logKey);
  const witness = await createSigner("witness.example", WITNESS_KEY, VECTOR.witnessKey);
  const leaf = Uint8Array.fromHex(EVENT.leaf);
  const sibling = new Uint8Array(32).fill(7);
  const one = [sibling];
  const two = [sibling, sibling];
  const places: [title: string, index: number, size: number, Uint8Array<ArrayBuffer>[]][] = [
    ["the index 1 in a tree of one entry", 1, 1, []],
    ["a hash in a tree of one entry", 0, 1, one],
    ["no hash in a tree of two entries", 0, 2, []],
    ["two hashes in a tree of two entries", 0, 2, two],
  ];
  for (const [title, index, size, hashes] of places) {
    // A verifier that does not stop at the root takes each further hash as the left one.
    const root = hashes.reduce<Uint8Array<ArrayBuffer>>(
      (below, hash, i) => i < size - 1 ? nodeHash(below, hash) : nodeHash(hash, below),
      Uint8Array.from(leaf),
    );
    const text = formatCheckpoint({ origin: ORIGIN, size, root });
    const signatures = [await log.sign(text), await witness.sign(text, VECTOR.time)];
    const checkpoint = formatNote({ text, signatures });
    const proof = formatProof({ ...PROOF, index, hashes, checkpoint });
    cases.add(`Log proof: ${title}`, { ...VALID.request, proof }, fault("log_inclusion"), true);
  }
}

/** Adds proofs in trees that are so large that numbers of 32 bits are not enough. */
async function addLarge(cases: CaseList): Promise<void> {
  const log = await createSigner(ORIGIN, LOG_KEY, VECTOR.logKey);
  const witness = await createSigner("witness.example", WITNESS_KEY, VECTOR.witnessKey);
  for (const [index, size] of [[2 ** 31, 2 ** 31 + 3], [2 ** 32 + 1, 2 ** 40 + 12_345]]) {
    const { hashes, root } = pathOf(Uint8Array.fromHex(EVENT.leaf), index, size);
    const text = formatCheckpoint({ origin: ORIGIN, size, root });
    const signatures = [await log.sign(text), await witness.sign(text, VECTOR.time)];
    const checkpoint = formatNote({ text, signatures });
    const proof = formatProof({ ...PROOF, index, hashes, checkpoint });
    cases.add(`Log proof: entry ${index} of ${size}`, { ...VALID.request, proof }, {
      ok: true,
      index,
      log_size: size,
    }, true);
  }
}

/** Adds proofs in trees whose size is not a power of two. */
async function addUneven(cases: CaseList): Promise<void> {
  const log = await createSigner(ORIGIN, LOG_KEY, VECTOR.logKey);
  const witness = await createSigner("witness.example", WITNESS_KEY, VECTOR.witnessKey);
  const leaf = Uint8Array.fromHex(EVENT.leaf);
  const leaves = Array.from({ length: 11 }, (_, i) => new Uint8Array(32).fill(i));
  for (const [size, index] of [[1, 0], [3, 2], [5, 4], [7, 6], [7, 5], [11, 10], [11, 3]]) {
    const { root, inclusion } = treeOf(leaves.slice(0, size).with(index, leaf));
    const text = formatCheckpoint({ origin: ORIGIN, size, root: root(0, size) });
    const signatures = [await log.sign(text), await witness.sign(text, VECTOR.time)];
    const checkpoint = formatNote({ text, signatures });
    const proof = formatProof({ ...PROOF, index, hashes: inclusion(index), checkpoint });
    cases.add(`Log proof: entry ${index} of ${size}`, { ...VALID.request, proof }, {
      ok: true,
      index,
      log_size: size,
    }, true);
  }
  for (const [from, to] of [[3, 7], [6, 7], [4, 7], [5, 11], [8, 11], [10, 11], [1, 11]]) {
    const { root, consistency } = treeOf(leaves.slice(0, to));
    const tree = {
      op: "log_consistency",
      old_size: from,
      old_root: root(0, from).toHex(),
      new_size: to,
      new_root: root(0, to).toHex(),
    };
    const proof = consistency(from).map((hash) => hash.toHex());
    cases.add(`Log tree: ${from} entries and ${to}`, { ...tree, proof }, { ok: true }, true);
    cases.add(
      `Log tree: ${from} entries and ${to}, without the last hash`,
      {
        ...tree,
        proof: proof.slice(0, -1),
      },
      fault("log_inconsistent"),
      true,
    );
  }
}

function addTrees(cases: CaseList): void {
  const add = (title: string, change: Record<string, unknown>, code: string | null) =>
    cases.add(
      `Log tree: ${title}`,
      { ...CONSISTENT, ...change },
      code === null ? { ok: true } : fault(code),
      true,
    );
  const { old_root, new_root, proof } = CONSISTENT as LogRequest & { proof: string[] };
  const same = { old_size: 4, old_root: new_root, proof: [] };
  add("a tree and itself", same, null);
  add("two trees of one size", { ...same, old_root }, "log_inconsistent");
  add("a tree and itself, with a proof", { ...same, proof }, "log_inconsistent");
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  add("the empty tree", { old_size: 0, old_root: empty, proof: [] }, null);
  add("the empty tree with another root", { old_size: 0, proof: [] }, "log_inconsistent");
  add("the empty tree, with a proof", { old_size: 0, old_root: empty }, "log_inconsistent");
  add("a smaller tree", { old_size: 5 }, "log_inconsistent");
  add("no proof", { proof: [] }, "log_inconsistent");
  // Each is refused only because of its sizes: the hashes lead to both roots.
  const hash = (n: number) => new Uint8Array(32).fill(n);
  const [a, b, c, d] = [1, 2, 3, 4].map(hash);
  const roots = (older: Uint8Array, newer: Uint8Array, ...path: Uint8Array[]) => ({
    old_root: older.toHex(),
    new_root: newer.toHex(),
    proof: path.map((each) => each.toHex()),
  });
  add("6 entries and 5, with equal roots", {
    old_size: 6,
    new_size: 5,
    ...roots(nodeHash(b, a), nodeHash(b, a), a, b),
  }, "log_inconsistent");
  const [older, newer] = [a, nodeHash(a, b)].map((each) => nodeHash(d, nodeHash(c, each)));
  add(
    "3 entries and 4, with a hash above both roots",
    roots(older, newer, a, b, c, d),
    "log_inconsistent",
  );
  for (const size of [-1, 1.5]) add(`a size of ${size}`, { old_size: size }, "log_inconsistent");
  add("a new size of 4.5", { new_size: 4.5 }, "log_inconsistent");
  add("another new root", { new_root: old_root }, "log_inconsistent");
  add("a hash too many", { proof: [...proof, proof[0]] }, "log_inconsistent");
  add("a hash of 31 bytes", { proof: [proof[0].slice(2), ...proof.slice(1)] }, "log_inconsistent");
  const [one] = VECTOR.valid.filter(({ request }) => request.op === "log_consistency");
  cases.add(
    "Log tree: a power of two whose old root is another one",
    {
      ...one.request,
      old_root: new_root,
    },
    fault("log_inconsistent"),
    true,
  );

  const chain = (
    title: string,
    change: Record<string, unknown>,
    expected: Record<string, unknown>,
  ) => cases.add(`Log chain: ${title}`, { ...CHAIN, ...change }, expected as never, true);
  const { events } = CHAIN as LogRequest & { events: { at: string; hash: string }[] };
  chain("the proof is of another chain", { record_hash: "ff".repeat(32) }, fault("log_inclusion"));
  chain("the proof is malformed", { proof: "x" }, fault("log_malformed"));
  chain("the proof has no extra", { proof: VECTOR.proof.replace(/extra .*\n/, "") }, {
    ...fault("log_malformed"),
  });
  chain("the proof is null", { proof: null, as_of: "2026-11-24T00:00:00.000Z" }, {
    ...fault("log_missing"),
  });
  chain("the first two events only", { events: events.slice(0, 2) }, fault("log_inclusion"));

  const tiles: [
    size: number,
    level: number | "entries",
    index: number,
    path: string,
    width: number,
  ][] = [
    [256, 0, 0, "tile/0/000", 256],
    [255, 0, 0, "tile/0/000.p/255", 255],
    [65_536, 1, 0, "tile/1/000", 256],
    [65_535, 1, 0, "tile/1/000.p/255", 255],
    [70_000, 2, 0, "tile/2/000.p/1", 1],
    [70_000, "entries", 0, "tile/entries/000", 256],
    [256_000, 0, 999, "tile/0/999", 256],
    [256_001, 0, 1000, "tile/0/x001/000.p/1", 1],
  ];
  for (const [size, level, index, path, width] of tiles) {
    cases.add(`Log tile: ${path} of ${size}`, { op: "log_tile", size, level, index }, {
      path,
      width,
    }, true);
  }
}
