import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { formatVerifierKey, LOG_KEY, parsePolicy, PolicyError, satisfiesQuorum } from "./mod.ts";
import { type KeyType, verifierKey, WITNESS_KEY } from "./note.ts";
import { quorumProblem, uncheckedWitnesses } from "./policy.ts";
import { LOG_VKEY, ORIGIN, WITNESS_VKEY } from "../testing/worked_example.ts";

/** Returns the text of a key of an invented witness or log. */
const vkey = (n: number, name = `w${n}.example`, type: KeyType = WITNESS_KEY) =>
  formatVerifierKey(verifierKey(name, type, new Uint8Array(32).fill(n + 1)));

const witnesses = (...names: string[]) =>
  names.map((name, n) => `witness ${name} ${vkey(n)}\n`).join("");

const GROUPED = `${witnesses("a1", "a2", "a3", "b1", "b2", "c")}group A 2 a1 a2 a3
group B any b1 b2
group both all A B
group top any both c
`;

Deno.test("a policy gives its logs, witnesses, groups and quorum", () => {
  const policy = parsePolicy(
    `# A reader's policy\n\n \t # indented\nlog ${LOG_VKEY} https://${ORIGIN}\n` +
      `\twitness \t Zeugin-ü  ${WITNESS_VKEY}\thttp://witness.localhost:8000/w \n` +
      `witness all ${vkey(1)}\ngroup any 01 Zeugin-ü\n`.replace(" 01 ", " 1 ") +
      `group group all any all\n  quorum\tgroup`,
  );
  assertEquals(policy.logs.map(({ key, url }) => [key.name, url]), [[ORIGIN, `https://${ORIGIN}`]]);
  assertEquals(policy.witnesses.map(({ name, key, url }) => [name, key.name, url]), [
    ["Zeugin-ü", "witness.example", "http://witness.localhost:8000/w"],
    ["all", "w1.example", null],
  ]);
  assertEquals(policy.groups, [
    { name: "any", threshold: 1, members: ["Zeugin-ü"] },
    { name: "group", threshold: 2, members: ["any", "all"] },
  ]);
  assertEquals(policy.quorum, "group");
  const names = Array.from({ length: 32 }, (_, n) => `w${n}`);
  const large = parsePolicy(
    names.map((_, n) => `log ${vkey(100 + n, `l${n}`, LOG_KEY)}\n`).join("") +
      witnesses(...names) + names.map((name) => `group g${name} all ${name}\n`).join("") +
      "quorum none\n# and nothing after the quorum but another witness\n" +
      `witness last ${vkey(99)}`,
  );
  assertEquals([large.logs.length, large.witnesses.length, large.groups.length], [32, 33, 32]);
  assertEquals([large.quorum, parsePolicy("quorum none").logs], [null, []]);
});

Deno.test("a quorum is satisfied by enough members of its groups", () => {
  const cases: [quorum: string, signed: string, satisfied: boolean][] = [
    ["none", "", true],
    ["c", "", false],
    ["c", "c", true],
    ["c", "a1 a2 a3 b1 b2", false],
    ["A", "a1", false],
    ["A", "a1 a3", true],
    ["A", "a1 b1", false],
    ["B", "b2", true],
    ["both", "a1 a2", false],
    ["both", "a1 b1 b2", false],
    ["both", "a2 a3 b2", true],
    ["top", "a1 b1", false],
    ["top", "c", true],
    ["top", "a1 a2 b1", true],
    ["top", "A B both top unknown", false],
  ];
  for (const [quorum, signed, satisfied] of cases) {
    const policy = parsePolicy(`${GROUPED}quorum ${quorum}`);
    const names = new Set(signed.split(" "));
    assertEquals(satisfiesQuorum(policy, names), satisfied, `${quorum}: ${signed}`);
  }
});

Deno.test("a policy with a faulty line is refused, with the line and what is wrong", () => {
  const same = vkey(0, "other.example");
  const cases: [text: string, problem: RegExp][] = [
    ["", /^Line 1: expected a quorum/],
    [witnesses("a", "b"), /^Line 3: expected a quorum/],
    ["quorum none\n# \f", /^Line 2: control/],
    ["quorum none\r\n", /^Line 1: control/],
    ["# \x7f\nquorum none", /^Line 1: control/],
    ["\ufeffquorum none", /^Line 1: \ufeffquorum is not log/],
    ["quorum\u00a0none", /^Line 1: quorum\u00a0none is not log/],
    ["Quorum none", /^Line 1: Quorum is not log/],
    ["quorum none # anyone", /^Line 1: # is not expected/],
    ["quorum none\nquorum none", /^Line 2: there is another quorum/],
    ["quorum", /^Line 1: expected a name/],
    ["quorum a", /^Line 1: a is not defined above/],
    [`quorum a\n${witnesses("a")}`, /^Line 1: a is not defined above/],
    [`${witnesses("a")}quorum w0.example`, /^Line 2: w0\.example is not defined/],
    ["log", /^Line 1: expected a key/],
    ["log trust.example/log", /^Line 1: expected a key/],
    [`log ${LOG_VKEY.replace("c231", "c232")}`, /^Line 1: expected a key/],
    [`log ${WITNESS_VKEY}`, /^Line 1: expected the key of a log/],
    [`log ${LOG_VKEY} trust.example`, /^Line 1: expected an HTTP address/],
    [`log ${LOG_VKEY} javascript:alert()`, /^Line 1: expected an HTTP address/],
    [`log ${LOG_VKEY} https://a.example b`, /^Line 1: b is not expected/],
    [`log ${LOG_VKEY}\nlog ${LOG_VKEY} https://a.example`, /^Line 2: this public key/],
    ["witness a", /^Line 1: expected a key/],
    [`witness ${WITNESS_VKEY}`, /^Line 1: expected a key/],
    [`witness a ${LOG_VKEY}`, /^Line 1: expected the key of a witness/],
    [`witness none ${WITNESS_VKEY}`, /^Line 1: the name none is used twice/],
    [witnesses("a", "a"), /^Line 2: the name a is used twice/],
    [`${witnesses("a")}witness b ${same}\ngroup g 2 a b\nquorum g`, /^Line 2: this public key/],
    [`log ${vkey(0, "l", LOG_KEY)}\n${witnesses("a")}`, /^Line 2: this public key/],
    [`${witnesses("a")}group a any a`, /^Line 2: the name a is used twice/],
    [`${witnesses("a")}group none any a`, /^Line 2: the name none is used twice/],
    [`${witnesses("a")}group g any g`, /^Line 2: g is not defined above/],
    [`${witnesses("a")}group g any none`, /^Line 2: none is not defined above/],
    [`group g any a\n${witnesses("a")}`, /^Line 1: a is not defined above/],
    [`${witnesses("a")}group g any a a`, /^Line 2: a is in two groups/],
    [`${witnesses("a", "b")}group g any a b\ngroup h all b`, /^Line 4: b is in two groups/],
    ...[
      "",
      "g",
      "g any",
      "g 1",
      "g 0 a",
      "g -1 a",
      "g 2 a",
      "g 01 a",
      "g 1.0 a",
      "g 1e0 a",
      "g ALL a",
    ]
      .map((rest): [string, RegExp] => [`${witnesses("a")}group ${rest}`, /^Line 2: expected all/]),
    [`# ${"a".repeat(64 * 1024)}`, /^Line 1: a policy has at most/],
  ];
  for (const [text, problem] of cases) {
    assertMatch(assertThrows(() => parsePolicy(text), PolicyError, "", text).message, problem);
  }
});

Deno.test("a witness may have a key of ML-DSA-44 or of a later algorithm, a log may not", () => {
  const keyOf = (type: number, length: number) =>
    formatVerifierKey(verifierKey(`w${type}.example`, type, new Uint8Array(length).fill(type)));
  const policy = parsePolicy(
    `witness a ${keyOf(6, 1312)}\nwitness b ${keyOf(7, 1)}\ngroup g any a b\nquorum g`,
  );
  assertEquals([uncheckedWitnesses(policy), quorumProblem(policy).includes("lines of b")], [
    ["b"],
    true,
  ]);
  for (
    const line of [
      `witness a ${keyOf(6, 32)}`,
      `witness a ${keyOf(2, 32)}`,
      `witness a ${keyOf(5, 32)}`,
      `log ${keyOf(6, 1312)}`,
      `log ${keyOf(7, 1)}`,
    ]
  ) assertThrows(() => parsePolicy(`${line}\nquorum none`), PolicyError, "Line 1: expected");
});
