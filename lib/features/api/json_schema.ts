/** Zod schemas as JSON Schema that readers understand and generators of clients accept. */
import { z } from "zod";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/**
 * The use of a schema: for the body that clients send, a parameter, or the body that they receive. Lists of
 * values may grow only in the last, so generated clients must not refuse a value that they do not know.
 */
type Use = "request" | "parameter" | "response";

/** Converts schemas, and collects those with an id as components. */
export interface Converter {
  readonly components: JsonObject;
  convert(schema: z.ZodType, use: Use): JsonObject;
}

export function createConverter(): Converter {
  const components: JsonObject = {};
  return {
    components,
    convert(schema, use) {
      const io = use === "request" ? "input" : "output";
      const { $schema: _, $defs = {}, ...json } = z.toJSONSchema(schema, {
        io,
        unrepresentable: "any",
      }) as JsonObject & { $defs?: JsonObject };
      const context = { use, definitions: $defs as Readonly<Record<string, JsonObject>> };
      for (const [id, definition] of Object.entries(context.definitions)) {
        components[id] ??= readable(definition, context);
      }
      return readable(json, context);
    },
  };
}

interface Context {
  use: Use;
  /** The schemas with an id, by that. */
  definitions: Readonly<Record<string, JsonObject>>;
}

type Rule = (schema: JsonObject, context: Context) => JsonObject;

/** Prepares a schema for readers and for programs that generate clients. */
const readable: Rule = (schema, context) =>
  RULES.reduce(
    (changed, rule) => rule(changed, context),
    eachPart(schema, (part) => readable(part, context)),
  );

/** Returns a schema with its parts changed. */
function eachPart(
  schema: JsonObject,
  change: (part: JsonObject) => JsonObject,
): JsonObject {
  const changed = { ...schema };
  for (const name of ["anyOf", "oneOf"]) {
    if (Array.isArray(changed[name])) changed[name] = (changed[name] as JsonObject[]).map(change);
  }
  for (const name of ["items", "additionalProperties"]) {
    if (isObject(changed[name])) changed[name] = change(changed[name]);
  }
  if (isObject(changed.properties)) {
    changed.properties = Object.fromEntries(
      Object.entries(changed.properties).map(([name, part]) => [name, change(part as JsonObject)]),
    );
  }
  return changed;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The formats whose patterns of hundreds of characters say nothing more. */
const FORMATS: readonly Json[] = ["date-time", "date", "email"];

/** Leaves out what is for the site only, and what no reader needs. Objects may get further members. */
const withoutNoise: Rule = ({ id: _, open: __, ...schema }) => {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (FORMATS.includes(schema.format)) delete schema.pattern;
  if (isObject(schema.default)) delete schema.default;
  // Generators of Java write the only value as a text, which does not compile.
  if (schema.type === "boolean") delete schema.const;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  return schema;
};

const linked: Rule = ({ $ref, ...schema }) =>
  $ref === undefined
    ? schema
    : { $ref: String($ref).replace("#/$defs/", "#/components/schemas/"), ...schema };

/** Describes whole numbers as integers, and a list of successive ones by its ends. */
const whole: Rule = ({ enum: values, ...schema }) => {
  if (!Array.isArray(values) || !values.every((value) => Number.isInteger(value))) {
    if (values !== undefined) schema.enum = values;
    const isLarge = schema.type === "integer" && !(Number(schema.maximum) < 2 ** 31);
    return isLarge ? { ...schema, format: "int64" } : schema;
  }
  const numbers = values as number[];
  return {
    ...schema,
    type: "integer",
    minimum: Math.min(...numbers),
    maximum: Math.max(...numbers),
  };
};

/** Describes an object whose members are known as one, although it is written as a record. */
const knownMembers: Rule = ({ propertyNames, ...schema }) => {
  const { additionalProperties, required, ...rest } = schema;
  if (!isObject(propertyNames) || !Array.isArray(required)) return schema;
  const properties = required.map((name) => [name, additionalProperties]);
  return { ...rest, required, properties: Object.fromEntries(properties) };
};

/** Lets lists of texts grow in responses: the known values are a hint. */
const opened: Rule = ({ enum: values, ...schema }, { use }) =>
  values === undefined
    ? schema
    : use === "response" && schema.type === "string"
    ? { ...schema, "x-extensible-enum": values }
    : { ...schema, enum: values };

const NULL = "null";
const isNull = ({ type }: JsonObject) => type === NULL;

/** Joins a schema and null into a schema with two types. */
const nullable: Rule = ({ anyOf, ...schema }) => {
  const variants = anyOf as JsonObject[] | undefined;
  if (variants === undefined) return schema;
  const [first, ...others] = variants.filter((each) => !isNull(each));
  if (others.length > 0 || !variants.some(isNull)) return { ...schema, oneOf: variants };
  return orNull({ ...first, ...schema });
};

/** Returns a schema that also accepts null. */
function orNull(schema: JsonObject): JsonObject {
  const { description, type, enum: values, const: only, oneOf, $ref } = schema;
  if ([type].flat().includes(NULL) || (oneOf as JsonObject[] | undefined)?.some(isNull)) {
    return schema;
  }
  if (typeof type === "string") {
    const { const: _, ...rest } = schema;
    const all = only === undefined ? values as Json[] | undefined : [only];
    return { ...rest, type: [type, NULL], ...all !== undefined && { enum: [...all, null] } };
  }
  return {
    ...description !== undefined && { description },
    oneOf: [...oneOf as JsonObject[] | undefined ?? [{ $ref: $ref! }], { type: NULL }],
  };
}

/** Names the member whose value says which one of several objects a value is. */
const discriminated: Rule = (schema, { definitions }) => {
  const variants = schema.oneOf as JsonObject[] | undefined;
  if (variants === undefined) return schema;
  const ids = variants.map(({ $ref }) => String($ref).split("/").at(-1)!);
  if (!ids.every((id) => id in definitions)) return schema;
  const valuesOf = (id: string, name: string): string[] => {
    const { const: only, enum: values } = (definitions[id].properties as JsonObject)[
      name
    ] as JsonObject ?? {};
    return (values ?? (only === undefined ? [] : [only])) as string[];
  };
  const names = Object.keys(definitions[ids[0]].properties as JsonObject);
  const propertyName = names.find((name) => ids.every((id) => valuesOf(id, name).length > 0));
  if (propertyName === undefined) return schema;
  const mapping = Object.fromEntries(
    ids.flatMap((id, i) => valuesOf(id, propertyName).map((value) => [value, variants[i].$ref])),
  );
  return { ...schema, discriminator: { propertyName, mapping } };
};

/** Returns a schema whose default is in its description: generators write defaults of such members that do not compile. */
function withoutDefault({ default: value, ...schema }: JsonObject): JsonObject {
  if (value === undefined) return schema;
  const { description = "" } = schema;
  return { ...schema, description: `${description} Default: \`${value}\`.`.trim() };
}

/** Lets members of a body that may be absent be null, which means the same. */
const optionalNull: Rule = (schema, { use }) => {
  if (use !== "request" || !isObject(schema.properties)) return schema;
  const required = (schema.required ?? []) as Json[];
  const properties = Object.entries(schema.properties).map(([name, member]) => [
    name,
    required.includes(name) ? member : orNull(withoutDefault(member as JsonObject)),
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
};

const RULES: readonly Rule[] = [
  withoutNoise,
  linked,
  whole,
  knownMembers,
  opened,
  nullable,
  discriminated,
  optionalNull,
];
