/** Generates arguments for a tool from its JSON Schema, and finds errors in such schemas. */
import { Ajv, AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

type Schema = Record<string, unknown>;

/** The maximum depth to which references are followed, because a schema may contain itself. */
const MAX_DEPTH = 12;

/** Validates schemas. It compiles the meta-schema once, which takes longer than everything else. */
const META_SCHEMA = new Ajv({ strict: false });

/**
 * Returns a value that matches a JSON Schema: one of the schema's own `examples`, `default`,
 * `const` or `enum` if present, otherwise the minimum that its type requires. Objects get only
 * their required properties.
 *
 * @example
 * ```ts
 * makeArguments({ type: "object", properties: { n: { type: "integer", minimum: 3 } }, required: ["n"] });
 * // { n: 3 }
 * ```
 */
export function makeArguments(schema: unknown, root = schema, depth = 0): unknown {
  if (!isSchema(schema) || depth > MAX_DEPTH) return {};
  const given = list(schema.examples)[0] ?? schema.default ?? schema.const ?? list(schema.enum)[0];
  if (given !== undefined) return given;
  const inner = (part: unknown) => makeArguments(part, root, depth + 1);

  if (typeof schema.$ref === "string") return inner(resolve(schema.$ref, root));
  const choice = list(schema.anyOf)[0] ?? list(schema.oneOf)[0];
  if (choice !== undefined && schema.type === undefined) return inner(choice);
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map(inner);
    return parts.every(isSchema) ? Object.assign({}, ...parts) : parts[0];
  }
  switch (list(schema.type)[0] ?? schema.type) {
    case "string":
      return text(schema);
    case "integer":
    case "number":
      return number(schema);
    case "boolean":
      return false;
    case "null":
      return null;
    case "array":
      return array(schema).map(inner);
    default: {
      const properties = isSchema(schema.properties) ? schema.properties : {};
      const required = list(schema.required).map(String);
      return Object.fromEntries(required.map((name) => [name, inner(properties[name])]));
    }
  }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const list = (value: unknown): unknown[] => Array.isArray(value) ? value : [];

/** Resolves a reference within the document, such as `#/definitions/name`. */
function resolve(reference: string, root: unknown): unknown {
  let found: unknown = root;
  for (const part of reference.split("/").slice(1)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isSchema(found) ? found[name] : undefined;
  }
  return found;
}

const FORMATS: Record<string, string> = {
  email: "person@example.org",
  uri: "https://example.org/",
  date: "2026-01-15",
  time: "09:30:00Z",
  "date-time": "2026-01-15T09:30:00Z",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

function text({ format, minLength, maxLength }: Schema): string {
  const plain = FORMATS[String(format)] ?? "example";
  return plain.padEnd(Number(minLength ?? 0), "x").slice(0, Number(maxLength ?? Infinity));
}

function number(
  { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Schema,
) {
  const step = Number(multipleOf ?? (type === "integer" ? 1 : 0.5));
  const above = (bound: number) => Math.ceil(bound / step) * step;
  if (minimum !== undefined) return above(Number(minimum));
  if (exclusiveMinimum !== undefined) return above(Number(exclusiveMinimum)) + step;
  const highest = Number(maximum ?? exclusiveMaximum ?? Infinity);
  return highest > 1 ? above(1) : Math.floor(highest / step) * step - step;
}

function array({ items, prefixItems, minItems }: Schema): unknown[] {
  const fixed = list(prefixItems ?? items);
  const count = Number(minItems ?? 0);
  return fixed.length ? fixed : Array.from({ length: count }, () => items);
}

/**
 * Returns the errors in a tool's input schema, which must match the meta-schema, compile in its own
 * dialect and describe an object.
 */
export function schemaErrors(schema: unknown): string[] {
  if (!isSchema(schema)) return ["is not an object"];
  const errors = schema.type === "object" ? [] : ['lacks "type": "object"'];
  // Later drafts keep the keywords of draft-07, so its meta-schema covers them too.
  const { $schema: _, ...plain } = schema;
  if (!META_SCHEMA.validateSchema(plain)) {
    errors.push(META_SCHEMA.errorsText(META_SCHEMA.errors, { dataVar: "schema" }));
  } else {
    try {
      new AjvJsonSchemaValidator().getValidator(schema);
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  return errors;
}

/** Returns why a value doesn't match a valid schema, or undefined if it does. */
export const mismatch = (schema: Schema, value: unknown): string | undefined =>
  new AjvJsonSchemaValidator().getValidator(schema)(value).errorMessage;
