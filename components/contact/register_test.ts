import { assert, assertEquals } from "@std/assert";
import { CONFIG, forbiddenOf } from "../../lib/features/contact/config.ts";
import { bodyOfControls } from "../../lib/features/contact/fields.ts";
import { submissionSchema } from "../../lib/features/contact/mod.ts";
import { check, type Draft, emptyDraft, issuesOf, remainingIssues } from "./draft.ts";
import { nameOf } from "../EventName.tsx";
import { lineLength, messageOf, rowOf, timestamp } from "./message.ts";
import { type Failure, newKey, register } from "./register.ts";
import { readEvents, readReceipt } from "./responses.ts";

const { COPY } = CONFIG;
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
const DRAFT: Draft = {
  ...emptyDraft(),
  name: "Ada",
  email: "ada@mail.example",
  enquiry_type: "Other",
};
const signal = new AbortController().signal;

async function failureOf(response: Response | Error): Promise<Failure> {
  const outcome = await register(
    "https://api.example/api/ir/register",
    bodyOfControls(DRAFT),
    "key",
    {
      fetch: () => response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
      signal,
      origin: "https://page.example",
    },
  );
  if ("receipt" in outcome) throw new Error("It was registered.");
  return outcome.failure;
}

const refusal = (status: number, error: string, more: object = {}, headers = {}) =>
  Response.json({ error, message: "", ...more }, { status, headers });

Deno.test("readReceipt() returns null for an invalid response", () => {
  assertEquals(readReceipt(RECEIPT)!.events.length, 1);
  const bad: unknown[] = [
    null,
    "text",
    [],
    { ...RECEIPT, hash: "x" },
    { ...RECEIPT, masked: undefined },
    { ...RECEIPT, masked: { email: 1, mobile: null } },
    { ...RECEIPT, masked: { email: null, mobile: null } },
    { ...RECEIPT, masked: { email: "a•••@m•••.org" } },
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

Deno.test("register() returns a failure with a specific text for each error, and never rejects", async () => {
  const { FAILURES } = COPY;
  const cases: [Response | Error, string, boolean][] = [
    [new TypeError("Failed to fetch"), FAILURES.network, true],
    [Response.json({ hash: "x" }, { status: 201 }), FAILURES.unreadable, true],
    [new Response("<html>", { status: 201 }), FAILURES.unreadable, true],
    [refusal(400, "too_fast"), FAILURES.refused, false],
    [refusal(400, "challenge_failed"), FAILURES.challenge_missing, false],
    [refusal(400, "invalid_request"), FAILURES.refused, false],
    [refusal(403, "forbidden"), forbiddenOf("https://page.example"), false],
    [refusal(409, "conflict"), FAILURES.conflict, true],
    [refusal(413, "too_large"), FAILURES.too_large, false],
    [refusal(500, "internal"), FAILURES.unavailable, true],
    [new Response("bad gateway", { status: 502 }), FAILURES.unavailable, true],
  ];
  for (const [response, text, inDoubt] of cases) {
    const failure = await failureOf(response);
    assertEquals([failure.text, failure.inDoubt], [text, inDoubt]);
    const title = failure.conflict
      ? COPY.CONFLICT_TITLE
      : inDoubt
      ? COPY.DOUBT_TITLE
      : COPY.FAILURE_TITLE;
    assertEquals(failure.title, title);
  }
});

Deno.test("register() reports when to retry after a 429", async () => {
  const text = async (seconds?: string) =>
    (await failureOf(refusal(429, "rate_limited", {}, seconds ? { "retry-after": seconds } : {})))
      .text;
  assert((await text("1")).endsWith("in 1 minute."));
  assert((await text("60")).endsWith("in 1 minute."));
  assert((await text("61")).endsWith("in 2 minutes."));
  assert((await text("1800")).endsWith("in 30 minutes."));
  assert((await text()).endsWith("later."));
  assert((await text("Wed, 21 Oct")).endsWith("later."));
});

Deno.test("register() maps the server's issues to fields, and reports other issues as a refusal", async () => {
  const issues = {
    "mobile.number": "No such number.",
    "email": "No such address.",
    "mobiles": "-",
  };
  const failure = await failureOf(refusal(400, "invalid_request", { issues }));
  assertEquals(failure.issues, { mobile: "No such number.", email: "No such address." });
  assertEquals(issuesOf({ elapsed_ms: "x" }), {});
  const unknown = await failureOf(refusal(400, "invalid_request", { issues: { elapsed_ms: "x" } }));
  assertEquals(unknown.text, COPY.FAILURES.refused);
});

Deno.test("the body of a valid draft passes the endpoint's schema", () => {
  const full = {
    ...DRAFT,
    organisation: " Example ",
    mobile_number: "0412 345 678",
    message: "Hello",
  };
  for (const draft of [DRAFT, full]) {
    assertEquals(check(draft), {});
    const parsed = submissionSchema.parse({ ...bodyOfControls(draft), elapsed_ms: 3_000 });
    assertEquals(parsed.honeypotFilled, false);
  }
  assertEquals(bodyOfControls(DRAFT), {
    name: "Ada",
    email: "ada@mail.example",
    enquiry_type: "Other",
  });
  const honeypotFilled = bodyOfControls({ ...DRAFT, [CONFIG.HONEYPOT]: "1" });
  assert(submissionSchema.parse({ ...honeypotFilled, elapsed_ms: 1 }).honeypotFilled);
});

const messageOfField = (name: "email" | "mobile") =>
  CONFIG.FIELDS.filter((field) => "invalid" in field).find((field) => field.name === name)!.invalid;

Deno.test("check() returns the issues of each field", () => {
  assertEquals(Object.keys(check(emptyDraft())), ["name", "email"]);
  assertEquals(check({ ...DRAFT, email: "ada@mail" }).email, messageOfField("email"));
  for (const number of ["+61 412-345-678", "０９０－１２３４－５６７８", "٠٥٠١٢٣٤٥٦٧"]) {
    assertEquals(check({ ...DRAFT, mobile_number: number }), {}, number);
  }
  for (const number of ["abc", "1", "12 34x"]) {
    assertEquals(
      check({ ...DRAFT, mobile_number: number }).mobile,
      messageOfField("mobile"),
      number,
    );
  }
  assertEquals(
    check({ ...DRAFT, message: "x".repeat(5_001) }).message,
    COPY.TOO_LONG,
  );
});

Deno.test("remainingIssues() drops the issues of fields that have changed", () => {
  const issues = { name: "-", mobile: "-", challenge: "-" };
  const remaining = (change: Partial<Draft>) =>
    Object.keys(remainingIssues(issues, DRAFT, { ...DRAFT, ...change }));
  assertEquals(remaining({}), ["name", "mobile", "challenge"]);
  assertEquals(remaining({ mobile_country: "NZ" }), ["name", "challenge"]);
  assertEquals(remaining({ mobile_number: "1", email: "x" }), ["name", "challenge"]);
  assertEquals(remaining({ name: "Eve" }), ["mobile", "challenge"]);
});

Deno.test("rowOf() returns the day, short month, year and time to the second, the kind and the mark", () => {
  assertEquals(rowOf(event(0), nameOf)[1], "Record registered");
  assertEquals(rowOf(event(0)), ["01 Mar 2026 09:05:07", "", "hash_generated", "✓"]);
  assertEquals(timestamp("2026-12-31T23:59:59.999Z"), "31 Dec 2026 23:59:59");
});

Deno.test("messageOf() contains the masked email and mobile number, the QR code and the whole hash", () => {
  const lines = messageOf(readReceipt(RECEIPT)!);
  const texts = JSON.stringify(lines);
  assert(texts.includes("a•••@m•••.org") && texts.includes("NOT GIVEN"));
  assertEquals(lines.filter((line) => "qr" in line), [{ qr: RECEIPT.verify_url }]);
  assert(texts.replace("\\n", "").includes(HASH));
  assertEquals(lineLength({ label: "AB", value: "CD" }), 4);
});

Deno.test("newKey() returns a different key each time", () => {
  assertEquals(new Set(Array.from({ length: 100 }, newKey)).size, 100);
  assert(/^[0-9a-f]{32}$/.test(newKey()));
});
