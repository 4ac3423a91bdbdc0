/** The API reference for people, made from the OpenAPI document. */
import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { pathOf, serversOf, statusOfExample } from "./document.ts";
import type { Json, JsonObject } from "./json_schema.ts";
import { errorCodeOf } from "./error_codes.ts";
import { curlOf, exampleRequest } from "./example_request.ts";
import { type Group, GROUPS, type Operation } from "./operation.ts";
import { OPERATIONS } from "./operations/mod.ts";
import { type Sample, samplesOf } from "./samples.ts";

/** A parameter, or a member of a body. */
export interface Field {
  /** With the way to it, such as `events[].seq`. */
  name: string;
  /** The type, such as `integer`, or `header: string` for a parameter. */
  type: string;
  required: boolean;
  /** May contain code in backticks. */
  description: string;
}

/** A response of an operation, as the reference shows it. */
export interface ReferenceResponse {
  status: string;
  description: string;
  /** The values of `error`. */
  codes: readonly string[];
  /** The advice for errors of the API for issuers, by code. */
  actions: Readonly<Record<string, string>>;
  headers: readonly string[];
}

/** An operation as the reference for people shows it. */
export interface ReferenceOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  servers: { url: string; description: string }[];
  holder: boolean;
  /** See {@linkcode Operation}. */
  appScope: string | null;
  /** See {@linkcode Operation}. */
  keyScope: string | null;
  parameters: Field[];
  body: Field[];
  responses: ReferenceResponse[];
  /** The members of the response in the example. */
  result: Field[];
  curl: string;
  /** How programs call it. None: only `curl`. */
  samples: Sample[];
  /** The body of the response in the example, as formatted JSON. */
  response: string | null;
  stream: string | null;
}

/** The operations of one subject, in the order in which the reference shows them. */
export interface ReferenceGroup {
  name: Group;
  description: string;
  operations: ReferenceOperation[];
}

/** An operation, and the group that it belongs to. */
export interface OperationText {
  group: ReferenceGroup;
  operation: ReferenceOperation;
}

/** Returns the reference for people: the operations of a document by group. */
export function createReference(
  document: JsonObject,
  surfaces: Surfaces,
  from: Surface,
): ReferenceGroup[] {
  return Object.entries(GROUPS).map(([name, description]) => ({
    name: name as Group,
    description,
    operations: OPERATIONS.filter(({ group }) => group === name).flatMap((operation) => {
      const servers = serversOf(operation, surfaces, from);
      return servers.length === 0 ? [] : [describe(document, operation, servers)];
    }),
  })).filter(({ operations }) => operations.length > 0);
}

function describe(
  document: JsonObject,
  operation: Operation,
  servers: ReferenceOperation["servers"],
): ReferenceOperation {
  const { id, method, path, summary, holder, body } = operation;
  const { errors, example, responses, stream } = operation;
  const item = at(document, "paths", pathOf(operation), method) as JsonObject;
  const status = statusOfExample(operation);
  const { schema, type = "application/json" } = responses[status];
  const response = schema === undefined || example.response === undefined
    ? null
    : type === "application/json"
    ? JSON.stringify(example.response, null, 2)
    : String(example.response);
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    description: String(item.description),
    servers,
    holder: holder !== undefined,
    appScope: appScopeOf(item),
    keyScope: operation.keyScope ?? null,
    parameters: (item.parameters as JsonObject[]).map((parameter) => ({
      name: String(parameter.name),
      type: `${parameter.in}: ${typeOf(parameter.schema as JsonObject, document)}`,
      required: parameter.required === true,
      description: withDefault(parameter),
    })),
    body: body === undefined ? [] : fieldsOf(
      at(item, "requestBody", "content", operation.bodyType ?? "application/json", "schema"),
      document,
    ).map((field) =>
      // Any of them may be null, which the document says once.
      field.required ? field : { ...field, type: field.type.replace(" or null", "") }
    ),
    responses: Object.entries(responsesOf(item)).map(([status, each]) => ({
      status,
      description: String((each as JsonObject).description),
      codes: errors[Number(status)]?.codes ?? [],
      actions: operation.keyScope !== undefined
        ? actionsOf(errors[Number(status)]?.codes ?? [])
        : {},
      headers: Object.keys((each as JsonObject).headers ?? {}),
    })),
    result: schema === undefined
      ? []
      : fieldsOf(at(item, "responses", String(status), "content", type, "schema"), document),
    curl: curlOf(exampleRequest(operation, servers[0].url)),
    samples: samplesOf(id, servers[0].url),
    response,
    stream: stream?.trimEnd() ?? null,
  };
}

const actionsOf = (codes: readonly string[]): Record<string, string> =>
  Object.fromEntries(codes.flatMap((code) => {
    const known = errorCodeOf(code);
    return known === undefined ? [] : [[code, known.action]];
  }));

/** Returns the scope of the token that an operation accepts. */
function appScopeOf({ security }: JsonObject): string | null {
  const scheme = (security as JsonObject[]).find((scheme) => "appToken" in scheme);
  return scheme === undefined ? null : (scheme.appToken as string[])[0];
}

/** Returns the responses of an operation and of its stream. */
function responsesOf(item: JsonObject): JsonObject {
  const stream = (item["x-event-stream"] ?? { responses: {} }) as { responses: JsonObject };
  return { ...stream.responses, ...item.responses as JsonObject };
}

function withDefault({ description = "", schema }: JsonObject): string {
  const { default: value = "" } = schema as JsonObject;
  return value === "" ? String(description) : `${description} Default: \`${value}\`.`.trim();
}

const at = (value: Json, ...way: string[]): Json =>
  way.reduce((each, name) => (each as JsonObject)[name], value);

function resolved(schema: JsonObject, document: JsonObject): JsonObject {
  if (typeof schema.$ref !== "string") return schema;
  return at(document, ...schema.$ref.slice(2).split("/")) as JsonObject;
}

const variantsOf = (
  schema: JsonObject,
): JsonObject[] => ((schema.anyOf ?? schema.oneOf ?? []) as JsonObject[]);

/** Returns the members of an object, of the objects in a list, or of all variants of a value. */
function fieldsOf(json: Json, document: JsonObject, prefix = ""): Field[] {
  const schema = resolved(json as JsonObject, document);
  if (schema.items !== undefined) return fieldsOf(schema.items, document, `${prefix}[]`);
  const variants = variantsOf(schema);
  if (variants.length > 0) {
    const lists = variants.map((variant) => fieldsOf(variant, document, prefix))
      .filter((list) => list.length > 0);
    const fields = new Map(lists.flat().map((field) => [field.name, field]));
    return [...fields.values()].map((field) => ({
      ...field,
      required: lists.every((list) =>
        list.some(({ name, required }) => required && name === field.name)
      ),
    }));
  }
  const required = (schema.required ?? []) as Json[];
  const start = prefix === "" ? "" : `${prefix}.`;
  return Object.entries((schema.properties ?? {}) as JsonObject).flatMap(([name, member]) => {
    const json = member as JsonObject;
    const field = {
      name: start + name,
      type: typeOf(json, document),
      required: required.includes(name),
      description: String(json.description ?? resolved(json, document).description ?? ""),
    };
    return [field, ...fieldsOf(json, document, start + name)];
  });
}

function typeOf(json: JsonObject, document: JsonObject): string {
  const schema = resolved(json, document);
  const { type, format, minimum, maximum } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = (schema.enum ?? null) as Json[] | null;
  if (values !== null) return values.map((value) => JSON.stringify(value)).join(" | ");
  const variants = variantsOf(schema);
  if (variants.length > 0) {
    return [...new Set(variants.map((each) => typeOf(each, document)))].join(" or ");
  }
  if (type === "array") return `list of ${typeOf((schema.items ?? {}) as JsonObject, document)}s`;
  const name = Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
  if (typeof minimum === "number" && typeof maximum === "number" && maximum <= 100_000) {
    return `${name}, ${minimum} to ${maximum}`;
  }
  return format === undefined ? name : `${name} (${format})`;
}
