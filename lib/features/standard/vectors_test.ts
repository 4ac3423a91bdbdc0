import { assert, assertEquals } from "@std/assert";
import {
  appendLeaf,
  completionEntry,
  createSigner,
  documentEntry,
  DOMAINS,
  type Edge,
  entryBytes,
  eventEntry,
  formatCheckpoint,
  formatNote,
  formatVerifierKey,
  importSigningKey,
  keySetEntry,
  leafHash,
  type LinkedEvent,
  linkEvent,
  LOG_KEY,
  parseStrictJson,
  recordHash,
  rootOf,
  sha256Bytes,
  signHead,
  thumbprint,
  verifyChain,
  verifyEvents,
  verifyHead,
  WITNESS_KEY,
} from "../../../packages/proof/mod.ts";
import { encodeHex } from "../../base/bytes.ts";
import { decodeHex, utf8 } from "../../base/encoding.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { createStandard } from "./mod.ts";
import {
  type ChainVector,
  PRINTED_RECORDS,
  VECTORS as vectors,
} from "../../../packages/proof/kit/mod.ts";

const [single, triple] = vectors.valid;
const { head } = triple;
const standard = createStandard();
const { privateKey: { d: _private, ...publicJwk } } = head!;
const evidence = {
  recordHash: triple.recordHash,
  events: [] as unknown[],
  head: head!.signed as unknown,
  publisher: "trust.example",
  keys: [publicJwk],
};
const text = standard.get("test-vectors")!.markdown;
const published = (vector: ChainVector): LinkedEvent[] =>
  vector.events.map(({ event, prev, hash }) => ({
    ...event,
    prev,
    hash,
  }));

Deno.test("packages/proof reproduces every vector", async () => {
  for (const vector of vectors.valid) {
    const hash = await recordHash(decodeHex(vector.salt), vector.record);
    assertEquals(hash, vector.recordHash);
    let prev = hash;
    for (const { event, ...links } of vector.events) {
      const linked = await linkEvent(prev, event);
      assertEquals(linked, { ...event, prev: links.prev, hash: links.hash });
      prev = linked.hash;
    }
    assertEquals(await verifyEvents(hash, published(vector)), {
      ok: true,
      size: vector.events.length,
      tip: prev,
    });
  }
});

Deno.test("packages/proof reproduces the signed head", async () => {
  const key = await importSigningKey(head!.privateKey);
  assertEquals(key.kid, head!.kid);
  assertEquals(await thumbprint(key.publicJwk), head!.kid);
  const { kid: _, signature: __, ...statement } = head!.signed;
  assertEquals(await signHead(statement, key), head!.signed);
});

Deno.test("verifyChain() returns the fault and the seq of each invalid vector", async () => {
  const verify = (events: readonly unknown[]) => verifyChain({ ...evidence, events });
  assert((await verify(published(triple))).ok);
  for (const { change, edit, seq, code } of vectors.invalid) {
    let events: unknown[] = published(triple);
    if ("order" in edit) events = edit.order.map((seq) => events[seq]);
    else if ("remove" in edit) events.splice(edit.remove, 1);
    else {
      const altered = { ...published(triple)[edit.event] };
      events[edit.event] = { ...altered, [edit.member]: edit.value };
    }
    const result = await verify(events);
    assertEquals(
      result.ok ? "ok" : [result.code, result.seq],
      [code, seq],
      change,
    );
  }
});

Deno.test("verifyHead() returns the fault of each altered head, key and signature", async () => {
  const codeOf = async (head: unknown, keys: readonly unknown[]) => {
    const result = await verifyHead(head, keys);
    return result.ok ? null : result.code;
  };
  for (const { change, edit: { member, value }, code } of vectors.heads) {
    assertEquals(await codeOf({ ...head!.signed, [member]: value }, evidence.keys), code, change);
  }
  for (const { title, x, kid, signature, code } of vectors.signatures) {
    const jwk = { kty: "OKP", crv: "Ed25519", x } as const;
    assertEquals(await thumbprint(jwk), kid);
    assertEquals(await codeOf({ ...head!.signed, kid, signature }, [jwk]), code, title);
  }
});

Deno.test("parseStrictJson() and verifyChain() return the result of each altered text", async () => {
  for (const { change, text, code, seq } of vectors.texts) {
    const chain = parsed(text);
    const result = chain && await verifyChain({ ...evidence, ...chain });
    const found = result === null
      ? ["bad_input", 0]
      : result.ok
      ? [null]
      : [result.code, result.seq];
    assertEquals(found, seq === undefined && found.length === 1 ? [code] : [code, seq], change);
  }
});

Deno.test("each altered text has the change that its title names", () => {
  const whole = JSON.stringify({ events: published(triple), head: head!.signed });
  for (const { change, text } of vectors.texts) {
    assert(text !== whole);
    const [, written] = /written `(.*?)`/.exec(change) ?? [];
    if (written) assert(text.includes(`:${written}`) || text.includes(`"${written}"`), change);
  }
});

Deno.test("the vectors of version 1.0 have not changed", async () => {
  const { version, valid, invalid } = vectors;
  assertEquals(version, standard.version);
  const first = JSON.stringify({ valid, invalid: invalid.slice(0, 8) });
  assertEquals(
    await sha256(first),
    "e9413e5070701c37f5b03625a106ff1f70adb8c2b5a491c295e159144ff287d0",
  );
});

function parsed(text: string): { events: unknown[]; head: unknown } | null {
  try {
    return parseStrictJson(text) as { events: unknown[]; head: unknown };
  } catch {
    return null;
  }
}

Deno.test("the text contains every value of the vectors, in order", () => {
  const lines = text.split("\n");
  let last = -1;
  const follows = (value: string) => {
    const line = lines.findIndex((each, i) => i > last && each === value);
    assert(line > last, `missing or out of place in the text: ${value}`);
    last = line;
  };
  for (const vector of vectors.valid) {
    follows(vector.salt);
    follows(vector.recordCanonical);
    follows(vector.recordPreimage);
    follows(vector.recordHash);
    for (const [i, { canonical, preimage, hash }] of vector.events.entries()) {
      follows(`### Event ${i}`);
      follows(canonical);
      follows(preimage);
      follows(hash);
    }
    if (vector.head) {
      assert(text.includes(`\`${vector.head.privateKey.d}\``));
      assert(text.includes(`\`${vector.head.privateKey.x}\``));
      follows(vector.head.thumbprintInput);
      follows(vector.head.kid);
      follows(vector.head.canonical);
      follows(vector.head.message);
      follows(vector.head.signature);
    }
  }
});

Deno.test("the text contains every value of the log's vectors, in order", () => {
  const { log } = vectors;
  const [, section] = text.split("\n## The log: entries\n");
  let last = 0;
  const follows = (value: string) => {
    const at = section.indexOf(`\n${value}\n`, last);
    assert(at >= last, `missing or out of place in the text: ${value}`);
    last = at + value.length;
  };
  for (const { slotPreimage, slot, commitmentPreimage, commitment, leaf } of log.entries) {
    [slotPreimage, slot, commitmentPreimage, commitment, leaf].forEach(follows);
  }
  log.roots.forEach(follows);
  [log.logVkey, log.witnessVkey, log.policy.trimEnd(), log.proof.trimEnd(), log.proofSha256]
    .forEach(follows);
  assert(log.proof.endsWith(log.checkpoint));
});

Deno.test("lib/features/log reproduces the entries, the tree and the proof of the vectors", async () => {
  const { log } = vectors;
  const entries = log.entries.map(({ input }) => {
    // deno-lint-ignore no-explicit-any -- of each kind of entry
    const { kind, record_hash: record, document: id, log_salt, key_set, n, ...more } = input as any;
    const salt = log_salt && decodeHex(log_salt);
    return kind === "event"
      ? eventEntry({ record, salt, ...more })
      : kind === "document"
      ? documentEntry({ id, salt, n, ...more })
      : kind === "keys"
      ? keySetEntry(n, utf8(key_set))
      : completionEntry();
  });
  const leaves = entries.map((entry) => leafHash(entryBytes(entry)));
  const hashOf = (bytes: Uint8Array) => encodeHex(sha256Bytes(bytes));
  for (const [i, vector] of log.entries.entries()) {
    const found = [entries[i].slot, entries[i].commitment, leaves[i]].map(encodeHex);
    assertEquals(found, [vector.slot, vector.commitment, vector.leaf]);
    assertEquals(hashOf(decodeHex(vector.slotPreimage)), vector.slot);
    assertEquals(hashOf(decodeHex(vector.commitmentPreimage)), vector.commitment);
  }
  let edge: Edge = [];
  const roots = leaves.map((leaf, i) => encodeHex(rootOf(edge = appendLeaf(edge, i, leaf))));
  assertEquals(roots, [...log.roots]);
  assertEquals(hashOf(utf8(log.proof)), log.proofSha256);
  const signer = await createSigner(log.origin, LOG_KEY, log.logKey);
  const witness = await createSigner("witness.example", WITNESS_KEY, log.witnessKey);
  assertEquals([signer, witness].map(({ key }) => formatVerifierKey(key)), [
    log.logVkey,
    log.witnessVkey,
  ]);
  const note = formatCheckpoint({ origin: log.origin, size: 4, root: rootOf(edge) });
  const signatures = [await signer.sign(note), await witness.sign(note, log.time)];
  assertEquals(formatNote({ text: note, signatures }), log.checkpoint);
});

/** The rows of the table below a heading. */
const rowsOf = (heading: string): string[][] =>
  text.split(`\n## ${heading}\n`)[1].split("\n## ")[0].split("\n")
    .filter((line) => line.startsWith("| ")).slice(2)
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));

const result = (code: string | null) => code === null ? "verified" : `\`${code}\``;

Deno.test("the text contains every alteration of the vectors with its result", () => {
  assertEquals(
    rowsOf("Invalid chains"),
    vectors.invalid.map(({ change, code, seq }) => [change, result(code), `${seq}`]),
  );
  assertEquals(
    rowsOf("Altered heads"),
    vectors.heads.map(({ change, code }) => [change, result(code)]),
  );
  assertEquals(
    rowsOf("JSON texts"),
    vectors.texts.map(({ change, code, seq = "" }) => [change, result(code), `${seq}`]),
  );
  assertEquals(
    rowsOf("The log: invalid inputs"),
    vectors.log.invalid.map(({ change, code }) => [change, result(code)]),
  );
  assertEquals(
    rowsOf("The log: valid inputs").map(([title]) => title),
    vectors.log.valid.map(({ title }) => title),
  );
  const blocks = [...text.matchAll(
    /^(.+): (verified|`\w+`)\n\n```\nx +(\S+)\nkid +(\S+)\nsignature +(\S+)\n```$/gm,
  )];
  assertEquals(
    blocks.map(([, title, ...values]) => [title.toLowerCase(), ...values]),
    vectors.signatures.map(({ title, code, x, kid, signature }) => [
      title.toLowerCase(),
      result(code),
      x,
      kid,
      signature,
    ]),
  );
});

Deno.test("every value in the text is in the vectors", () => {
  const known = JSON.stringify(vectors);
  const values = text.match(/\b[0-9a-f]{64,}\b/g)!;
  assert(values.length > 12);
  for (const value of values) assert(known.includes(value), value);
  const records = [...text.matchAll(/```json\n([\s\S]*?)```/g)]
    .map(([, json]) => JSON.parse(json));
  assertEquals(records, vectors.valid.map(({ record }) => record));
});

Deno.test("the example in the section on the chain is the first vector's event", () => {
  const chain = standard.get("event-chain")!.markdown;
  const [, json] = chain.match(/```json\n([\s\S]*?)```/)!;
  assertEquals(JSON.parse(json), published(single)[0]);
  assert(chain.includes(`\n${single.events[0].canonical}\n`));
});

Deno.test("the text states the domains of packages/proof with their lengths", () => {
  const places = { record: "records", event: "event-chain", head: "heads" };
  for (const [name, id] of Object.entries(places)) {
    const domain = DOMAINS[name as keyof typeof DOMAINS];
    const { markdown } = standard.get(id)!;
    assert(markdown.includes(`"${domain}" ‖ 0x00 ‖`), domain);
    const length = utf8(domain).length;
    assert(
      new RegExp(`\`${domain}\`[^\\n]*\\| ${length} |${length} ASCII bytes`)
        .test(markdown),
      `${domain} has ${length} bytes`,
    );
  }
});

Deno.test("the kit sends the records as the text prints them", () => {
  const printed = [...text.matchAll(/```json\n([\s\S]*?)```/g)]
    .map(([, json]) => json.replace(/\n\s*/g, ""));
  assertEquals(PRINTED_RECORDS, printed);
  assertEquals(printed.map((json) => JSON.parse(json)), vectors.valid.map(({ record }) => record));
});
