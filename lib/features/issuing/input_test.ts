import { assertEquals } from "@std/assert";
import type { z } from "zod";
import { documentSchema } from "../documents/mod.ts";
import { withoutNulls } from "../../platform/http/body.ts";
import { batchDocument } from "./batches/columns.ts";
import { batchFormSchema } from "./batches/input.ts";
import { newDocumentSchema } from "./input.ts";
import { issuesOf } from "./problems.ts";

const ABOUT = { title: "Diploma", type: "Certificate", expires_on: "2030-12-31" };
const PERSON = { name: "Grace", email: "grace@example.org" };

/** Returns what is wrong with a document whose fields arrive in a form, in the API and in a file. */
function faultsOf(about: Record<string, unknown>): Record<string, string>[] {
  const issues = (schema: z.ZodType, input: unknown) => {
    const parsed = schema.safeParse(input);
    return parsed.success ? {} : issuesOf(parsed.error);
  };
  return [
    issues(documentSchema, about),
    issues(newDocumentSchema, withoutNulls({ recipient: PERSON, ...about })),
    issues(batchDocument, { ...PERSON, date: "2026-11-20", ...about }),
  ];
}

Deno.test("a fault in a field of a document has one message in forms, the API and files", () => {
  assertEquals(faultsOf(ABOUT), [{}, {}, {}]);
  for (
    const [field, value, message] of [
      ["title", undefined, "The title is missing."],
      ["title", "x".repeat(121), "Use at most 120 characters."],
      ["type", undefined, "The type is missing, such as Certificate."],
      ["expires_on", "2026-02-30", "Write a day as YYYY-MM-DD, such as 2026-11-20."],
    ] as const
  ) {
    const expected = { [field]: message };
    assertEquals(faultsOf({ ...ABOUT, [field]: value }), [expected, expected, expected]);
  }
});

Deno.test("a field that is absent, null in JSON or empty in a form is the same", () => {
  const { expires_on: _, ...rest } = ABOUT;
  const expiry = (schema: z.ZodType<{ expires_at: string | null }>, input: unknown) =>
    schema.parse(input).expires_at;
  const api = { recipient: PERSON, ...rest };
  assertEquals(expiry(newDocumentSchema, api), null);
  assertEquals(expiry(newDocumentSchema, withoutNulls({ ...api, expires_on: null })), null);
  assertEquals(expiry(documentSchema, rest), null);
  assertEquals(expiry(documentSchema, { ...rest, expires_on: " " }), null);
  const batch = batchFormSchema.parse({ mode: "test", title: "Diploma", expires_on: "" });
  assertEquals([batch.title, batch.expires_on], ["Diploma", undefined]);
  for (const schema of [newDocumentSchema, documentSchema]) {
    assertEquals(expiry(schema, { ...api, ...ABOUT }), "2030-12-31T23:59:59.999Z");
  }
});

Deno.test("both choices of what everybody may know work in forms and the API", () => {
  for (const [publish_hash, guessable] of [["publish", false], ["hide", true]] as const) {
    const form = documentSchema.parse({ ...ABOUT, publish_hash, public: "on" });
    const api = newDocumentSchema.parse({
      ...ABOUT,
      publish_hash,
      public: true,
      recipient: PERSON,
    });
    for (const document of [form, api]) {
      assertEquals([document.public, document.guessable], [true, guessable]);
    }
  }
  const { public: shown, ...document } = documentSchema.parse(ABOUT);
  assertEquals([shown, "guessable" in document], [false, false]);
});

Deno.test("a field with two faults has the message of the first one", () => {
  const external_id = "a@b\u0007";
  const expected = { external_id: "Use 1 to 100 visible characters." };
  const [, ...faults] = faultsOf({ ...ABOUT, external_id });
  assertEquals(faults, [expected, expected]);
});
