import { assertEquals } from "@std/assert";
import { nonEmptyText, textField } from "./field_schemas.ts";
import { submissionSchema } from "./submission.ts";

const read = (text: string, limit = 10) => {
  const parsed = textField(limit).safeParse(text);
  return parsed.success ? parsed.data : parsed.error.issues[0].message;
};
Deno.test("required text in which nothing is visible is missing", () => {
  const missing = "Enter it.";
  for (const blank of ["\u3164", "\u2800", " \u200b\u00ad", "\uffa0", "\u0301", "\ufffc\n"]) {
    for (const lines of [false, true]) {
      const { error } = nonEmptyText(10, missing, lines).safeParse(blank);
      assertEquals(error?.issues.map(({ message }) => message), [missing], JSON.stringify(blank));
      assertEquals(textField(10, lines).parse(blank), undefined);
    }
  }
});

Deno.test("a name has usual letters for ligatures and full-width forms, and no marks at its ends", () => {
  assertEquals(read("\u2068Oﬃcer\u2069"), "Officer");
  assertEquals(read("Ｊｏｈｎ"), "John");
  assertEquals(read("x² ™ ｶﾞ"), "x² ™ ガ");
  assertEquals(textField(10, true).parse("ﬁ Ｊ"), "ﬁ Ｊ");
});

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
