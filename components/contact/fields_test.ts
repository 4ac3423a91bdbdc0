import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { check, emptyDraft } from "./draft.ts";
import { Fields } from "./Fields.tsx";
import {
  bodyOfControls,
  CONTACT_FIELDS,
  type ContactField,
  controlsOf,
  DIAL_CODES,
  type FormValues,
  HONEYPOT,
  mainControlOf,
} from "../../lib/features/contact/fields.ts";
import { submissionSchema } from "../../lib/features/contact/mod.ts";

/** A valid value of each kind, as typed into the main control and as stored in the record. */
const SAMPLES: Record<ContactField["kind"], (field: ContactField) => [string, string]> = {
  line: ({ name }) => [` A ${name} `, `A ${name}`],
  text: ({ name }) => [`A ${name},\r\ntwo lines`, `A ${name},\ntwo lines`],
  email: () => ["Ada@Example.org", "ada@example.org"],
  mobile: () => ["021 123 4567", "+64211234567"],
  choice: (field) => field.kind === "choice" ? [field.choices[1], field.choices[1]] : ["", ""],
};
const FIELDS: readonly ContactField[] = CONTACT_FIELDS;
const TYPED = Object.fromEntries(FIELDS.flatMap((field) => {
  const [country] = controlsOf(field);
  const [typed] = SAMPLES[field.kind](field);
  return field.kind === "mobile"
    ? [[country, "NZ"], [mainControlOf(field), typed]]
    : [[country, typed]];
})) as FormValues;
const RECORD = Object.fromEntries(FIELDS.map((field) => [
  field.name,
  SAMPLES[field.kind](field)[1],
]));

const render = (onChange?: () => void) =>
  renderToString(h(Fields, { values: TYPED, issues: {}, onChange }));

Deno.test("the fields match the specification, in canonical order", () => {
  const specified = ["Name", "Organisation", "Email", "Mobile", "Enquiry type", "Message"];
  const labels = FIELDS.map(({ label }) => label);
  assertEquals(labels.filter((label) => specified.includes(label)), specified);
  assertEquals([DIAL_CODES.length, DIAL_CODES[0].country], [18, "AU"]);
});

for (const [view, html] of [["in the browser", render(() => {})], ["without scripts", render()]]) {
  Deno.test(`the form ${view} shows every field, in order, with its value`, () => {
    let last = -1;
    for (const field of FIELDS) {
      const at = html.indexOf(` name="${mainControlOf(field)}"`);
      assert(at > last, field.name);
      last = at;
      assertStringIncludes(html, field.label);
      for (const control of controlsOf(field)) assertStringIncludes(html, ` name="${control}"`);
      assertStringIncludes(html, ` autocomplete="${field.autocomplete}"`);
      const [typed] = SAMPLES[field.kind](field);
      if (field.kind !== "choice") assertStringIncludes(html, typed);
      else assert(new RegExp(`value="${typed}" (selected|checked)`).test(html), field.name);
    }
    assertFalse(/maxlength/i.test(html), "pasted text is not truncated");
    assertMatch(
      html,
      new RegExp(`<div[^>]*aria-hidden[^>]*>.*name="${HONEYPOT}"[^>]*tabindex="-1"`),
    );
  });
}

Deno.test("every field is checked in the browser and on the server, and becomes part of the record", () => {
  assertEquals(Object.keys(check(emptyDraft())), requiredNames());
  assertEquals(check({ ...emptyDraft(), ...TYPED }), {});
  const body = bodyOfControls(TYPED);
  assertEquals(Object.keys(body), FIELDS.map(({ name }) => name));
  assertEquals(submissionSchema.parse({ ...body, elapsed_ms: 5_000 }).enquiry, RECORD);

  const { error } = submissionSchema.safeParse({ elapsed_ms: 5_000 });
  assertEquals(error!.issues.map(({ path }) => path[0]), requiredNames());
  for (const field of FIELDS) {
    if (field.kind === "choice") continue;
    const text = "1".repeat(field.limit + 1);
    const change = { [mainControlOf(field)]: text } as FormValues;
    assertEquals(Object.keys(check({ ...emptyDraft(), ...TYPED, ...change })), [field.name]);
    const long = { ...bodyOfControls({ ...TYPED, ...change }), elapsed_ms: 5_000 };
    const issues = submissionSchema.safeParse(long).error!.issues;
    assertEquals(issues[0].path[0], field.name);
  }
});

const requiredNames = () =>
  FIELDS.filter(({ missing }) => missing !== undefined).map(({ name }) => name);
