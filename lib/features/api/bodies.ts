/** Request bodies in the OpenAPI document. */
import { type Converter, isObject, type Json, type JsonObject } from "./json_schema.ts";
import type { Operation } from "./operation.ts";

/** Adds a schema to the components of the document, and returns a reference to it. */
function named(components: JsonObject, name: string, schema: JsonObject): JsonObject {
  components[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

const capitalised = (text: string): string => text[0].toUpperCase() + text.slice(1);

/** Describes the body of an operation's request: JSON or a file, and the form with the same fields. */
export function requestBody(
  { id, body, bodyType = "application/json", form, query, undocumented = [], example }: Operation,
  { components, convert }: Converter,
): JsonObject {
  const schema = convert(body!, "request");
  deleteMembers(schema, undocumented);
  const name = capitalised(id);
  const isJson = bodyType === "application/json" && isObject(schema.properties);
  const fields = isJson ? schema : query === undefined ? {} : convert(query, "request");
  if (!isJson) deleteMembers(fields, Object.keys(form ?? {}));
  return {
    required: true,
    content: {
      [bodyType]: {
        schema: isJson ? named(components, `${name}Body`, schema) : schema,
        example: example.body as Json,
      },
      ...form !== undefined && {
        "multipart/form-data": { schema: named(components, `${name}Form`, formOf(fields, form)) },
      },
    },
  };
}

function deleteMembers({ properties = {} }: JsonObject, names: readonly string[]): void {
  for (const name of names) delete (properties as JsonObject)[name];
}

/** Returns the schema of a form with the same fields, in which names have dots and the file is last. */
function formOf(
  { properties = {}, required = [] }: JsonObject,
  more: Readonly<Record<string, string>>,
): JsonObject {
  const fields: JsonObject = {};
  // The file of a form has a name of its own.
  const hasFile = "file" in (properties as JsonObject);
  const needed: Json[] = [];
  for (const [name, schema] of Object.entries(properties as JsonObject)) {
    const { properties: inner, required: all = [] } = schema as JsonObject;
    if (name === "template" || name === "file" || name === "file_name" && hasFile) continue;
    const isNeeded = (required as Json[]).includes(name);
    if (inner === undefined) {
      fields[name] = withoutNull(schema as JsonObject);
      if (isNeeded) needed.push(name);
      continue;
    }
    for (const [member, each] of Object.entries(inner as JsonObject)) {
      fields[`${name}.${member}`] = withoutNull(each as JsonObject);
      if (isNeeded && (all as Json[]).includes(member)) needed.push(`${name}.${member}`);
    }
  }
  for (const [name, description] of Object.entries(more)) {
    fields[name] = { type: "string", description };
  }
  const file = {
    type: "string",
    format: "binary",
    description: "The file, after all other fields.",
  };
  return { type: "object", properties: { ...fields, file }, required: [...needed, "file"] };
}

/** Returns the schema of a field of a form, which is text or absent. */
function withoutNull({ type, enum: values, ...schema }: JsonObject): JsonObject {
  return {
    ...schema,
    ...type !== undefined && { type: [type].flat().find((each) => each !== "null")! },
    ...Array.isArray(values) && { enum: values.filter((value) => value !== null) },
  };
}
