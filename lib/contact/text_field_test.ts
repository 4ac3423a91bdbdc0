import { assertEquals } from "@std/assert";
import { submissionSchema } from "./submission.ts";
import { textField } from "./text_field.ts";

const read = (text: string, limit = 10) => {
  const parsed = textField({ limit }).safeParse(text);
  return parsed.success ? parsed.data : parsed.error.issues[0].message;
};
const TOO_LONG = "Use 10 characters at most.";
const HIDDEN = "There are characters in it that cannot be shown.";

/** Runs a check that must not normalise anything longer than `limit`. */
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

Deno.test("a text far over the limit is refused before it is normalised", () => {
  assertEquals(withoutNormalize(() => read("a".repeat(41))), TOO_LONG);
});

Deno.test("more than 30 combining marks in a row are refused before they are sorted", () => {
  const marks = (count: number) => "a" + "\u0344\u0323".repeat(count / 2);
  assertEquals(withoutNormalize(() => read(marks(32), 40)), HIDDEN);
  assertEquals(read(marks(8), 40), marks(8).normalize("NFC"));
});

Deno.test("the limit is that of the normalised text, whatever was sent", () => {
  assertEquals(read("e\u0302\u0301".repeat(10)), "\u1ebf".repeat(10));
  assertEquals(read("e\u0302\u0301".repeat(11)), TOO_LONG);
  assertEquals(read("\u0958".repeat(6)), TOO_LONG, "NFC writes each as two characters");
  assertEquals(read(`  ${"a".repeat(10)}\r\n`), "a".repeat(10));
});

Deno.test("no field of a submission is normalised before its length is checked", () => {
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
