import { assertEquals } from "@std/assert";
import { makeArguments, mismatch, schemaErrors } from "./arguments.ts";

const object = (properties: Record<string, unknown>, more = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});

// deno-fmt-ignore: one case per line
const cases: [string, Record<string, unknown>, unknown][] = [
  ["an object without properties", { type: "object" }, {}],
  ["examples of the whole object", object({ a: { type: "string" } }, { examples: [{ a: "whole" }] }), { a: "whole" }],
  ["an example, a default, a constant, an enumeration", object({ a: { examples: ["x"] }, b: { default: 0 }, c: { const: true }, d: { enum: ["one", "two"] } }), { a: "x", b: 0, c: true, d: "one" }],
  ["lengths", object({ a: { type: "string", minLength: 10 }, b: { type: "string", maxLength: 2 } }), { a: "examplexxx", b: "ex" }],
  ["formats", object({ a: { type: "string", format: "email" }, b: { type: "string", format: "date-time" } }), { a: "person@example.org", b: "2026-01-15T09:30:00Z" }],
  ["numbers", object({ a: { type: "integer" }, b: { type: "integer", minimum: 5 }, c: { type: "number", maximum: -3 }, d: { type: "integer", exclusiveMinimum: 7, multipleOf: 4 } }), { a: 1, b: 5, c: -3.5, d: 12 }],
  ["lists", object({ a: { type: "array", items: { type: "boolean" }, minItems: 2 }, b: { type: "array" } }), { a: [false, false], b: [] }],
  ["tuples", object({ a: { type: "array", prefixItems: [{ type: "null" }] } }), { a: [null] }],
  ["draft-07 tuples", object({ a: { type: "array", items: [{ type: "null" }] } }, { $schema: "http://json-schema.org/draft-07/schema#" }), { a: [null] }],
  ["choices", object({ a: { anyOf: [{ type: "integer" }, { type: "null" }] }, b: { type: ["string", "null"] } }), { a: 1, b: "example" }],
  ["allOf", object({ a: { allOf: [object({ x: { const: 1 } }), object({ y: { const: 2 } })] } }), { a: { x: 1, y: 2 } }],
  ["references", { ...object({ a: { $ref: "#/definitions/name" } }), definitions: { name: { type: "string" } } }, { a: "example" }],
  ["optional properties, which are omitted", { type: "object", properties: { a: { type: "string" } } }, {}],
];

for (const [what, schema, value] of cases) {
  Deno.test(`makeArguments() returns a valid value for ${what}`, () => {
    assertEquals(schemaErrors(schema), []);
    assertEquals(makeArguments(schema), value);
    assertEquals(mismatch(schema, value), undefined);
  });
}

Deno.test("makeArguments() returns a value for a schema that contains itself", () => {
  const schema = { ...object({ a: { $ref: "#" } }) };
  assertEquals(typeof makeArguments(schema), "object");
});

Deno.test("schemaErrors() reports invalid schemas and accepts several dialects", () => {
  const invalid: unknown[] = [
    null,
    [],
    "object",
    {},
    { type: "string" },
    { type: "objekt" },
    { type: "object", properties: [] },
    { type: "object", required: "a" },
    { type: "object", properties: { a: { type: "string", minLength: -1 } } },
    { type: "object", properties: { a: { pattern: "(" } } },
    { type: "object", properties: { a: { $ref: "#/none" } } },
    { type: "object", $schema: "https://json-schema.example/unknown" },
  ];
  for (const schema of invalid) {
    assertEquals(schemaErrors(schema).length > 0, true, JSON.stringify(schema));
  }
  const dialects = [
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
  ];
  for (const $schema of dialects) assertEquals(schemaErrors({ $schema, type: "object" }), []);
});
