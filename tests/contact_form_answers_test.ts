import { assert, assertEquals, assertRejects } from "@std/assert";
import { readEvents, readReceipt } from "../components/contact_form/answers.ts";
import { createChainClient } from "../components/contact_form/chain_client.ts";
import { bodyOf, check, emptyDraft, issuesOf } from "../components/contact_form/draft.ts";
import { type Failure, newKey, register } from "../components/contact_form/register.ts";
import { lineLength, messageOf, rowOf, timestamp } from "../components/contact_form/words.ts";
import { CONFIG } from "../lib/contact/config.ts";
import { submissionSchema } from "../lib/contact/mod.ts";

const HASH = "ab".repeat(32);
const event = (seq: number) => ({
  seq,
  kind: "hash_generated" as const,
  at: "2026-03-01T09:05:07.123Z",
  status: "ok" as const,
  prev: HASH,
  hash: HASH,
});
const RECEIPT = {
  hash: HASH,
  head: {},
  events: [event(0)],
  masked: { email: "a•••@m•••.org", mobile: null },
  chain_url: `https://api.example/api/chain/${HASH}`,
  verify_url: `https://trust.example/verify?hash=${HASH}`,
};
const DRAFT = { ...emptyDraft(), name: "Ada", email: "ada@mail.example", enquiry_type: "Other" };
const signal = new AbortController().signal;

async function failureOf(response: Response | Error): Promise<Failure> {
  const outcome = await register(
    "https://api.example/api/ir/register",
    bodyOf(DRAFT, { elapsed_ms: 5_000 }),
    "key",
    {
      fetch: () => response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
      signal,
    },
  );
  if ("receipt" in outcome) throw new Error("It was registered.");
  return outcome.failure;
}

const refusal = (status: number, error: string, more: object = {}, headers = {}) =>
  Response.json({ error, message: "", ...more }, { status, headers });

Deno.test("a registration is read; anything that is not one is refused", () => {
  assertEquals(readReceipt(RECEIPT)!.events.length, 1);
  const bad: unknown[] = [
    null,
    "text",
    [],
    { ...RECEIPT, hash: "x" },
    { ...RECEIPT, masked: undefined },
    { ...RECEIPT, masked: { email: 1, mobile: null } },
    { ...RECEIPT, chain_url: "/api/chain/x" },
    { ...RECEIPT, verify_url: "javascript:alert(1)" },
    { ...RECEIPT, verify_url: "data:text/html,x" },
    { ...RECEIPT, events: [] },
    { ...RECEIPT, events: [event(0), event(2)] },
    { ...RECEIPT, events: [{ ...event(0), kind: "<img>" }] },
    { ...RECEIPT, events: [{ ...event(0), at: "yesterday" }] },
    { ...RECEIPT, events: [{ ...event(0), seq: -1 }] },
  ];
  for (const value of bad) assertEquals(readReceipt(value), null, JSON.stringify(value));
  assertEquals(readEvents({ length: 1 }), null);
});

Deno.test("each refusal is told in words of its own, and nothing is thrown", async () => {
  const { COPY } = CONFIG;
  const { FAILURES } = COPY;
  const cases: [Response | Error, string, boolean][] = [
    [new TypeError("Failed to fetch"), FAILURES.network, true],
    [Response.json({ hash: "x" }, { status: 201 }), FAILURES.unreadable, true],
    [new Response("<html>", { status: 201 }), FAILURES.unreadable, true],
    [refusal(400, "too_fast"), FAILURES.too_fast, false],
    [refusal(400, "challenge_failed"), FAILURES.challenge_missing, false],
    [refusal(400, "invalid_request"), FAILURES.refused, false],
    [refusal(403, "forbidden"), FAILURES.forbidden, false],
    [refusal(409, "conflict"), FAILURES.conflict, true],
    [refusal(413, "too_large"), FAILURES.too_large, false],
    [refusal(500, "internal"), FAILURES.unavailable, true],
    [new Response("bad gateway", { status: 502 }), FAILURES.unavailable, true],
  ];
  for (const [response, text, inDoubt] of cases) {
    const failure = await failureOf(response);
    assertEquals([failure.text, failure.inDoubt], [text, inDoubt]);
    const told = failure.conflict
      ? COPY.CONFLICT_TITLE
      : inDoubt
      ? COPY.DOUBT_TITLE
      : COPY.FAILURE_TITLE;
    assertEquals(failure.title, told, "what is not known is not claimed");
  }
});

Deno.test("too many: it says when to try again", async () => {
  const text = async (seconds?: string) =>
    (await failureOf(refusal(429, "rate_limited", {}, seconds ? { "retry-after": seconds } : {})))
      .text;
  assert((await text("1")).endsWith("in a minute."));
  assert((await text("60")).endsWith("in a minute."));
  assert((await text("61")).endsWith("in 2 minutes."));
  assert((await text("1800")).endsWith("in 30 minutes."));
  assert((await text()).endsWith("later."));
  assert((await text("Wed, 21 Oct")).endsWith("later."));
});

Deno.test("the server's issues come to their fields; others do not get lost", async () => {
  const issues = {
    "mobile.number": "No such number.",
    "email": "No such address.",
    "mobiles": "-",
  };
  const failure = await failureOf(refusal(400, "invalid_request", { issues }));
  assertEquals(failure.issues, { mobile: "No such number.", email: "No such address." });
  assertEquals(issuesOf({ elapsed_ms: "x" }), {});
  const unknown = await failureOf(refusal(400, "invalid_request", { issues: { elapsed_ms: "x" } }));
  assertEquals(unknown.text, CONFIG.COPY.FAILURES.refused);
});

Deno.test("what the form would send passes the endpoint's own schema", () => {
  const full = {
    ...DRAFT,
    organisation: " Example ",
    mobile_number: "0412 345 678",
    message: "Hello",
  };
  for (const draft of [DRAFT, full]) {
    assertEquals(check(draft), {});
    const parsed = submissionSchema.parse(bodyOf(draft, { elapsed_ms: 3_000 }));
    assertEquals(parsed.trapped, false);
  }
  assertEquals(bodyOf(DRAFT, { elapsed_ms: 1 }), {
    name: "Ada",
    email: "ada@mail.example",
    enquiry_type: "Other",
    elapsed_ms: 1,
  });
  assert(submissionSchema.parse(bodyOf({ ...DRAFT, trap: "1" }, { elapsed_ms: 1 })).trapped);
});

Deno.test("what can be told without the server is told by field", () => {
  assertEquals(Object.keys(check(emptyDraft())), ["name", "email", "enquiry_type"]);
  assertEquals(check({ ...DRAFT, email: "ada@mail" }).email, CONFIG.COPY.PROBLEMS.email_form);
  for (const number of ["+61 412-345-678", "０９０－１２３４－５６７８", "٠٥٠١٢٣٤٥٦٧"]) {
    assertEquals(check({ ...DRAFT, mobile_number: number }), {}, number);
  }
  for (const number of ["abc", "1", "12 34x"]) {
    assertEquals(
      check({ ...DRAFT, mobile_number: number }).mobile,
      CONFIG.COPY.PROBLEMS.mobile,
      number,
    );
  }
  assertEquals(
    check({ ...DRAFT, message: "x".repeat(5_001) }).message,
    CONFIG.COPY.PROBLEMS.too_long,
  );
});

Deno.test("a chain is asked by seq; an answer with a gap, or none, is refused", async () => {
  const asked: string[] = [];
  let answer: () => Response = () => Response.json({ events: [event(3), event(4)] });
  const chain = createChainClient(`https://api.example/api/chain/${HASH}`, {
    fetch: (url) => {
      asked.push(new URL(String(url)).search);
      return Promise.resolve(answer());
    },
    signal,
  });
  assertEquals((await chain.after(2)).map(({ seq }) => seq), [3, 4]);
  assertEquals((await chain.before(5)).map(({ seq }) => seq), [3, 4]);
  assertEquals(asked, ["?after=2&limit=100", "?before=5&limit=100"]);
  await assertRejects(() => chain.after(1));
  await assertRejects(() => chain.before(6));
  answer = () => Response.json({ events: [] });
  assertEquals(await chain.after(4), []);
  await assertRejects(() => chain.before(3));
  for (const status of [404, 500]) {
    answer = () => Response.json({ error: "not an answer" }, { status });
    await assertRejects(() => chain.after(4));
  }
});

Deno.test("an event is shown as day, short month, year, time to the second, kind and mark", () => {
  assertEquals(rowOf(event(0)), ["01 Mar 2026 09:05:07", "hash_generated", "✓"]);
  assertEquals(timestamp("2026-12-31T23:59:59.999Z"), "31 Dec 2026 23:59:59");
});

Deno.test("the message holds the masked email and mobile, the QR code and the whole hash", () => {
  const lines = messageOf(readReceipt(RECEIPT)!);
  const texts = JSON.stringify(lines);
  assert(texts.includes("a•••@m•••.org") && texts.includes("NOT GIVEN"));
  assertEquals(lines.filter((line) => "qr" in line), [{ qr: RECEIPT.verify_url }]);
  assert(texts.replace("\\n", "").includes(HASH));
  assertEquals(lineLength({ label: "AB", value: "CD" }), 4);
});

Deno.test("idempotency keys differ and need no secure page", () => {
  assertEquals(new Set(Array.from({ length: 100 }, newKey)).size, 100);
  assert(/^[0-9a-f]{32}$/.test(newKey()));
});
