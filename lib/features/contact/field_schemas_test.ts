import { assertEquals } from "@std/assert";
import { DIAL_CODES } from "./fields.ts";
import { textField, toE164 } from "./field_schemas.ts";
import { submissionSchema } from "./submission.ts";

/** A mobile number in each country, in its national format. */
const NATIONAL: Record<string, [typed: string, e164: string]> = {
  AU: ["0412 345 678", "+61412345678"],
  CA: ["(506) 234-5678", "+15062345678"],
  CN: ["131 2345 6789", "+8613123456789"],
  FR: ["06 12 34 56 78", "+33612345678"],
  DE: ["0151 23456789", "+4915123456789"],
  HK: ["5123 4567", "+85251234567"],
  IN: ["081234 56789", "+918123456789"],
  ID: ["0812-345-678", "+62812345678"],
  IE: ["085 012 3456", "+353850123456"],
  JP: ["090-1234-5678", "+819012345678"],
  MY: ["012-345 6789", "+60123456789"],
  NZ: ["021 123 4567", "+64211234567"],
  PH: ["0905 123 4567", "+639051234567"],
  SG: ["8123 4567", "+6581234567"],
  KR: ["010-2000-0000", "+821020000000"],
  AE: ["050 123 4567", "+971501234567"],
  GB: ["07400 123456", "+447400123456"],
  US: ["(201) 555-0123", "+12015550123"],
};

Deno.test("toE164() accepts a number in each country, with and without its dial code", () => {
  for (const { country, code } of DIAL_CODES) {
    const [typed, e164] = NATIONAL[country];
    for (const number of [typed, e164, `${code} ${e164.slice(code.length)}`]) {
      assertEquals(toE164(country, number), e164, number);
    }
  }
});

Deno.test("toE164() accepts a number from another country with the same dial code", () => {
  assertEquals(toE164("US", "+1 506 234 5678"), "+15062345678");
  assertEquals(toE164("GB", "07911 123456"), "+447911123456"); // Guernsey
});

Deno.test("toE164() returns null for an impossible number", () => {
  const bad: [country: string, number: string][] = [
    ["AU", "12"],
    ["AU", "0412 345 678 901 234"],
    ["AU", "+447400123456"],
    ["AU", "call 0412 345 678"],
    ["AU", "0412 345 678 ext. 12"],
    ["AU", "abc"],
    ["AU", ""],
    ["AU", "+"],
    ["ZZ", "0412345678"],
    ["CH", "044 668 18 00"],
    ["toString", "1"],
  ];
  for (const [country, number] of bad) assertEquals(toE164(country, number), null, number);
});

const read = (text: string, limit = 10) => {
  const parsed = textField(limit).safeParse(text);
  return parsed.success ? parsed.data : parsed.error.issues[0].message;
};
const TOO_LONG = "Use at most 10 characters.";
const HIDDEN = "It contains characters that cannot be shown.";

/** Runs a check, and fails if it normalises anything longer than `limit`. */
function withoutNormalize<Result>(check: () => Result, limit = 0): Result {
  const { normalize } = String.prototype;
  String.prototype.normalize = function (form) {
    if (this.length > limit) throw new Error("normalize was called");
    return normalize.call(this, form);
  };
  try {
    return check();
  } finally {
    String.prototype.normalize = normalize;
  }
}

Deno.test("textField() rejects a text far over the limit before normalising it", () => {
  assertEquals(withoutNormalize(() => read("a".repeat(41))), TOO_LONG);
});

Deno.test("textField() rejects more than 30 combining marks in a row before normalising them", () => {
  const marks = (count: number) => "a" + "\u0344\u0323".repeat(count / 2);
  assertEquals(withoutNormalize(() => read(marks(32), 40)), HIDDEN);
  assertEquals(read(marks(8), 40), marks(8).normalize("NFC"));
});

Deno.test("textField() applies its limit to the normalised text", () => {
  assertEquals(read("e\u0302\u0301".repeat(10)), "\u1ebf".repeat(10));
  assertEquals(read("e\u0302\u0301".repeat(11)), TOO_LONG);
  assertEquals(read("\u0958".repeat(6)), TOO_LONG, "NFC decomposes each into two characters");
  assertEquals(read(`  ${"a".repeat(10)}\r\n`), "a".repeat(10));
  assertEquals(read("a\nb"), "Use one line.");
});

Deno.test("submissionSchema normalises no field before checking its length", () => {
  const text = "a" + "\u0344".repeat(16_000) + "\u0323".repeat(16_000) + "@x.example";
  const body = { name: "Ada", email: "ada@x.example", enquiry_type: "Other", elapsed_ms: 5_000 };
  const long = [
    ...["name", "organisation", "email", "message"].map((field) => ({ [field]: text })),
    { mobile: { country: "AU", number: text } },
  ];
  for (const fields of long) {
    const { success } = withoutNormalize(
      () => submissionSchema.safeParse({ ...body, ...fields }),
      100,
    );
    assertEquals(success, false, Object.keys(fields)[0]);
  }
});
