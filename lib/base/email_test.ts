import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { mailAddress } from "../platform/mail/address.ts";
import { emailSchema, isSameMailbox, mailboxOf, normaliseEmail, TYPED_LIMIT } from "./email.ts";

const WELL_FORMED: [typed: string, stored: string][] = [
  ["ada@example.org", "ada@example.org"],
  [" \t Ada+Work@Example.ORG\r\n", "ada+work@example.org"],
  ["o'brien@example.org", "o'brien@example.org"],
  ["a.b-c_d@sub.example-1.co", "a.b-c_d@sub.example-1.co"],
  ["ｅｖｅ＠ｅｘａｍｐｌｅ．ｏｒｇ", "eve@example.org"],
  ["\u3000ada@example.org\u00a0", "ada@example.org"],
  ["\u200eada\u200b@example.org\u202c", "ada@example.org"],
  ["ADA\u212a@example.org", "adak@example.org"],
  ["Jose\u0301@Bu\u0308cher.example", "josé@xn--bcher-kva.example"],
  ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
  ["ada@b\u00fccher\u3002example", "ada@xn--bcher-kva.example"],
  [`${"a".repeat(64)}@example.org`, `${"a".repeat(64)}@example.org`],
  [`aa@${`${"a".repeat(61)}.`.repeat(4)}org`, `aa@${`${"a".repeat(61)}.`.repeat(4)}org`],
];

for (const [typed, stored] of WELL_FORMED) {
  Deno.test(`email: ${JSON.stringify(typed).slice(0, 50)} is accepted`, () => {
    assertEquals(normaliseEmail(typed), stored);
  });
}

const MALFORMED: [why: string, typed: string][] = [
  ["nothing", ""],
  ["only white space", " \n"],
  ["no @", "ada.example.org"],
  ["two @", "ada@example.org@evil.example"],
  ["a second @ after NFKC", "ada@example.org＠evil.example"],
  ["no local part", "@example.org"],
  ["no domain", "ada@"],
  ["no dot in the domain", "ada@localhost"],
  ["an empty label", "ada@example..org"],
  ["a trailing dot in the domain", "ada@example.org."],
  ["a label that begins with a hyphen", "ada@-example.org"],
  ["a label that ends with a hyphen", "ada@example-.org"],
  ["an underscore in the domain", "ada@exa_mple.org"],
  ["an IP address", "ada@192.0.2.1"],
  ["an address literal", "ada@[192.0.2.1]"],
  ["adjacent dots", "a..b@example.org"],
  ["a leading dot", ".ada@example.org"],
  ["a quoted local part", '"ada lovelace"@example.org'],
  ["a quote", 'ada"@example.org'],
  ["a list", "ada@example.org,eve@example.org"],
  ["a display name", "Ada <ada@example.org>"],
  ["a comment", "ada(work)@example.org"],
  ["a backslash", "ada\\@example.org"],
  ["an injected header", "ada@example.org\r\nBcc: eve@example.org"],
  ["a line break in the local part", "ada\neve@example.org"],
  ["a tab inside", "ada\t@example.org"],
  ["a zero byte", "ada\0@example.org"],
  ["a space inside", "ada lovelace@example.org"],
  ["a joiner that may be part of a name", "ada@\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example"],
  ["a lone surrogate", "ada\ud800@example.org"],
  ["a local part of 65 characters", `${"a".repeat(65)}@example.org`],
  ["255 characters", `aa@${`${"a".repeat(61)}.`.repeat(4)}orgs`],
  ["255 octets in fewer characters", `éa@${`${"a".repeat(61)}.`.repeat(4)}org`],
  ["a label of 64 characters", `ada@${"a".repeat(64)}.org`],
  ["a label of 64 characters in ASCII", `ada@${"é".repeat(60)}.org`],
  ["255 octets once its domain is ASCII", `a@${`${"a".repeat(57)}.`.repeat(4)}bücher.example`],
  ["an invalid IDN", "ada@xn--a.example"],
  ["an encoded word (RFC 2047), which mail programs would decode", "=?utf-8?q?x?=@x.example"],
  ["the start of an encoded word", "a=?x@x.example"],
];

for (const [why, typed] of MALFORMED) {
  Deno.test(`email: rejected for ${why}`, () => assertEquals(normaliseEmail(typed), null));
}

Deno.test("email: text far over the limit is rejected before it is normalised", () => {
  const { normalize } = String.prototype;
  String.prototype.normalize = () => {
    throw new Error("normalize was called");
  };
  try {
    const text = "a" + "\u0344".repeat(16_000) + "\u0323".repeat(16_000) + "@x.example";
    assertEquals(normaliseEmail(text), null);
    assertEquals(normaliseEmail("ada@example.org".padEnd(TYPED_LIMIT + 1)), null);
  } finally {
    String.prototype.normalize = normalize;
  }
  assertEquals(normaliseEmail("ada@example.org".padEnd(TYPED_LIMIT)), "ada@example.org");
});

Deno.test("email: normalising is idempotent, and its output fits in a mail header", () => {
  const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(part, part, (local, label) => {
      const email = normaliseEmail(`${local}@${label}.example`);
      if (email === null) return;
      assertEquals(normaliseEmail(email), email);
      assertEquals(mailAddress.safeParse(email).success, true, email);
      assertMatch(email, /^[^\s@"<>(),:;\\\p{C}]+@[^\s@"<>(),:;\\\p{C}]+\.example$/u);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("emailSchema returns the normalised address or the problem with the input", () => {
  const schema = emailSchema({ malformed: "malformed", missing: "missing" });
  assertEquals(schema.parse(" Ada@Example.ORG"), "ada@example.org");
  const cases: [input: unknown, message: string][] = [
    [undefined, "missing"],
    [7, "missing"],
    ["", "missing"],
    [" \n", "missing"],
    ["ada", "malformed"],
    [" ".repeat(TYPED_LIMIT + 1), "malformed"],
  ];
  for (const [input, message] of cases) {
    assertEquals(schema.safeParse(input).error?.issues.map((issue) => issue.message), [message]);
  }
});

const MAILBOXES: [email: string, mailbox: string][] = [
  ["ada@example.org", "ada@example.org"],
  ["ada+1@example.org", "ada@example.org"],
  ["ada+2+3@example.org", "ada@example.org"],
  ["ada+@example.org", "ada@example.org"],
  ["+ada@example.org", "+ada@example.org"],
];

for (const [email, mailbox] of MAILBOXES) {
  Deno.test(`mailboxOf: ${email} is ${mailbox}`, () => assertEquals(mailboxOf(email), mailbox));
}

for (
  const [a, b, same] of [
    ["ada+work@example.org", "Ada+Home@EXAMPLE.org", true],
    ["ada@example.org", "ada+@example.org", true],
    ["ada@example.org", "eve@example.org", false],
    ["ada@example.org", "ada@example.com", false],
    ["+ada@example.org", "+eve@example.org", false],
  ] as const
) {
  Deno.test(`isSameMailbox: ${a} and ${b} ${same ? "reach one mailbox" : "do not"}`, () => {
    assertEquals(isSameMailbox(a, b), same);
  });
}
