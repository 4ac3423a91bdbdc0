import { assert, assertEquals } from "@std/assert";
import {
  DOMAINS,
  importSigningKey,
  type LinkedEvent,
  linkEvent,
  recordHash,
  signHead,
  thumbprint,
  verifyChain,
  verifyEvents,
} from "../chain/mod.ts";
import { decodeHex, utf8 } from "../../base/encoding.ts";
import { createStandard } from "./mod.ts";
import { type ChainVector, VECTORS as vectors } from "./vectors.ts";

const [single, triple] = vectors.valid;
const { head } = triple;
const standard = createStandard();
const text = standard.get("test-vectors")!.markdown;
const published = (vector: ChainVector): LinkedEvent[] =>
  vector.events.map(({ event, prev, hash }) => ({
    ...event,
    prev,
    hash,
  }));

Deno.test("lib/features/chain reproduces every vector", async () => {
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

Deno.test("lib/features/chain reproduces the signed head", async () => {
  const key = await importSigningKey(head!.privateKey);
  assertEquals(key.kid, head!.kid);
  assertEquals(await thumbprint(key.publicJwk), head!.kid);
  const { kid: _, signature: __, ...statement } = head!.signed;
  assertEquals(await signHead(statement, key), head!.signed);
});

Deno.test("verifyChain() returns the fault and the seq of each invalid vector", async () => {
  const { privateKey: { d: _, ...publicJwk }, signed } = head!;
  const verify = (events: readonly unknown[]) =>
    verifyChain({
      recordHash: triple.recordHash,
      events,
      head: signed,
      publisher: "trust.example",
      keys: [publicJwk],
    });
  assert((await verify(published(triple))).ok);
  for (const { change, edit, seq, code } of vectors.invalid) {
    const events: unknown[] = published(triple);
    if ("remove" in edit) events.splice(edit.remove, 1);
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
  const rows = lines.filter((line) => line.startsWith("| event"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assertEquals(
    rows,
    vectors.invalid.map(({ change, code, seq }) => [
      change,
      `\`${code}\``,
      `${seq}`,
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

Deno.test("the text states the domains of lib/features/chain with their lengths", () => {
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
