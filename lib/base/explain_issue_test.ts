import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { explainIssue, IN_SENTENCES } from "./explain_issue.ts";

/** A value that fits none of these schemas, one for each code of an issue. */
const CASES: [schema: z.ZodType, value: unknown, sentence: string][] = [
  [z.string(), undefined, "Send text, which is missing."],
  [z.string(), 7, "Send text, not a whole number."],
  [z.int(), 1.5, "Send a whole number, not a number."],
  [z.array(z.string()), {}, "Send a list, not an object."],
  [z.date(), "x", "Send another value, not text."],
  [z.enum(["a", "b"]), "c", 'Send one of "a", "b".'],
  [z.literal("a"), "c", 'Send "a".'],
  [z.string().max(2), "abc", "Send at most 2 characters."],
  [z.array(z.int()).min(2), [1], "Send at least 2 items."],
  [z.number().max(2), 3, "Send at most 2."],
  [z.number().multipleOf(2), 3, "Send a multiple of 2."],
  [z.iso.datetime(), "x", "Send a time in UTC, such as 2026-11-20T09:30:00Z."],
  [z.url(), "x", "Send an address such as https://example.org/."],
  [z.string().regex(/a/), "x", "Send text in the expected form."],
  [z.strictObject({}), { x: 1 }, 'There is no "x".'],
  [z.union([z.string(), z.int()]), true, "This is not valid."],
  [z.string().refine(() => false), "x", "This is not valid."],
  [z.record(z.string().regex(/a/), z.int()), { b: 1 }, "This is not valid."],
];

Deno.test("every kind of issue has a message of ours, as a phrase and as a sentence", () => {
  for (const [schema, value, sentence] of CASES) {
    const [own] = schema.safeParse(value, IN_SENTENCES).error!.issues;
    assertEquals(own.message, sentence);
    const [phrase] = schema.safeParse(value, { error: explainIssue }).error!.issues;
    assertEquals(phrase.message.toLowerCase(), sentence.slice(0, -1).toLowerCase());
    const [library] = schema.safeParse(value).error!.issues;
    assert(library.message !== own.message, library.message);
  }
});

Deno.test("a message of the schema comes first", () => {
  const schema = z.string("Enter a name.").max(3, "Use three.");
  assertEquals(schema.safeParse(7, IN_SENTENCES).error!.issues[0].message, "Enter a name.");
  assertEquals(schema.safeParse("four", IN_SENTENCES).error!.issues[0].message, "Use three.");
});
