import { z } from "zod";
import { problemSchema } from "../../platform/http/schemas.ts";
import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { API_VERSION } from "./changes.ts";
import {
  errorSchema,
  GROUPS,
  type Operation,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type ResponseHeader,
  streamResponsesOf,
  type Success,
} from "./operation.ts";
import { OPERATIONS } from "./operations/mod.ts";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

const DESCRIPTION = `Errors are JSON with a stable code in \`error\`, a \`message\` for people, and
\`issues\` by field. In a JSON body, a member that is null counts as absent. Accept members, event kinds and codes that you do not know: adding one is not a
breaking change. Times are RFC 3339 in UTC. Any operation may also return 405 with \`Allow\`, 413 for
a body over its limit, 415 for a body that is not JSON, 500 \`internal\`, and 503 \`unavailable\` or
\`store_unavailable\` with \`Retry-After\`. The latter has \`outcome\`: if it is \`unknown\`, the change
may have been saved; a request with an \`Idempotency-Key\` can be repeated. Tokens and keys are never part of a URL.`
  .replaceAll("\n", " ");

/** The authorization server that issues tokens to apps (RFC 8414). */
export interface AppServer {
  authorization_endpoint: string;
  token_endpoint: string;
  /** What each scope for apps allows. */
  scopes: Record<string, string>;
}

/** Returns the authentication schemes for programs. */
const securitySchemes = (appServer: AppServer | null) => ({
  recordSession: {
    type: "apiKey",
    in: "cookie",
    name: "record_session",
    description: "The session of a holder, which the sign-in operations start.",
  },
  issuerKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key of an issuer, which an administrator creates: `gh_test_…` for test data, " +
      "`gh_live_…` for real documents. It is for servers: responses have no CORS headers.",
  },
  ...appServer !== null && {
    appToken: {
      type: "oauth2",
      description: "An access token of an app (OAuth 2.1 with PKCE), for exactly the URL of the " +
        "operation. `/.well-known/oauth-protected-resource/api/push/register` names all " +
        "authorization servers (RFC 9728). It takes precedence over a session.",
      flows: {
        authorizationCode: {
          authorizationUrl: appServer.authorization_endpoint,
          tokenUrl: appServer.token_endpoint,
          refreshUrl: appServer.token_endpoint,
          scopes: appServer.scopes,
        },
      },
    },
  },
});

type Override = (
  ctx: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema },
) => void;

/**
 * Prepares a schema for readers: values that may grow are not a closed list, objects may get further
 * members, records with certain keys are objects, and dates have no pattern of 300 characters.
 */
const override: Override = ({ jsonSchema }) => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if ("open" in jsonSchema) {
    delete jsonSchema.open;
    jsonSchema["x-extensible-enum"] = jsonSchema.enum;
    delete jsonSchema.enum;
  }
  const { propertyNames, additionalProperties, required } = jsonSchema;
  if (typeof propertyNames === "object" && required !== undefined) {
    jsonSchema.properties = Object.fromEntries(
      required.map((name) => [name, additionalProperties!]),
    );
    delete jsonSchema.propertyNames;
    delete jsonSchema.additionalProperties;
  }
};

/** Converts schemas, and collects those with an id as components. */
function createConverter() {
  const components: JsonObject = {};
  function convert(schema: z.ZodType, io: "input" | "output"): JsonObject {
    const json = z.toJSONSchema(schema, { io, unrepresentable: "any", override });
    const { $schema: _, $defs = {}, ...rest } = json as JsonObject & { $defs?: JsonObject };
    for (const [id, definition] of Object.entries($defs)) {
      const { id: _, ...component } = definition as JsonObject;
      components[id] ??= linked(component) as JsonObject;
    }
    return linked(rest) as JsonObject;
  }
  return { components, convert };
}

/** Makes references to definitions point to the document's components. */
function linked(value: Json): Json {
  if (Array.isArray(value)) return value.map(linked);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === "$ref" ? String(each).replace("#/$defs/", "#/components/schemas/") : linked(each),
    ]),
  );
}

/**
 * Creates the OpenAPI document. Its servers are the configured surfaces; operations that this
 * deployment does not serve are left out.
 *
 * @param from the surface that serves the document
 * @param title the document's title
 * @param appServer null if this deployment issues no tokens to apps
 */
export function createDocument(
  surfaces: Surfaces,
  from: Surface,
  title: string,
  appServer: AppServer | null,
): JsonObject {
  const { components, convert } = createConverter();
  const problem = convert(problemSchema, "output");
  const paths: Record<string, JsonObject> = {};
  for (const operation of OPERATIONS) {
    const servers = serversOf(operation, surfaces, from);
    if (servers.length === 0) continue;
    const path = pathOf(operation);
    paths[path] = {
      ...paths[path],
      servers,
      [operation.method]: describe(operation, convert, appServer !== null),
    };
  }
  return {
    openapi: "3.1.1",
    info: { title, version: API_VERSION, description: DESCRIPTION },
    servers: [{ url: from.baseUrl }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...components, Problem: problem },
      securitySchemes: securitySchemes(appServer),
    },
  };
}

/** Returns the path of an operation as OpenAPI writes it. */
export const pathOf = ({ path }: { path: string }): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** Returns the servers of an operation, each once. */
export function serversOf(
  { surfaces: names }: Operation,
  surfaces: Surfaces,
  from: Surface,
): { url: string; description: string }[] {
  const servers = names.flatMap((name) => {
    const url = surfaces.baseFrom(from, name);
    const { title } = surfaces.known.find((surface) => surface.name === name)!;
    return url === null ? [] : [{ url, description: title }];
  });
  return servers.filter(({ url }, i) => servers.findIndex((other) => other.url === url) === i);
}

type Convert = ReturnType<typeof createConverter>["convert"];

function describe(operation: Operation, convert: Convert, hasTokens: boolean): JsonObject {
  const { id, group, summary, description, body, acceptJson, responses, stream } = operation;
  const { errors, example } = operation;
  const defaultError = {
    description: "Another error.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
  const accept = acceptJson
    ? `${description} Send \`Accept: application/json\`, because people get a page.`
    : description;
  return {
    operationId: id,
    tags: [group],
    summary,
    description: accept,
    security: securityOf(operation, hasTokens),
    parameters: parametersOf(operation, convert),
    ...body && { requestBody: requestBody(operation, convert) },
    responses: {
      ...describeResponses(responses, {
        status: statusOfExample({ responses, example }),
        value: example.response,
      }, convert),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, error]) => [status, {
          description: error.description,
          ...headersOf(error),
          content: { "application/json": { schema: convert(errorSchema(error), "output") } },
        }]),
      ),
      default: defaultError,
    },
    // Apart from the others, because generated clients would return either JSON or text.
    ...stream !== undefined && {
      "x-event-stream": {
        description: "The responses to `Accept: text/event-stream`.",
        responses: describeResponses(
          streamResponsesOf(operation),
          { status: 200, value: stream },
          convert,
        ),
      },
    },
  };
}

/** Returns the ways to authenticate. The scopes of a scheme other than OAuth are for people. */
function securityOf({ holder, appScope, keyScope }: Operation, hasTokens: boolean): Json[] {
  if (keyScope !== undefined) return [{ issuerKey: keyScope === "any" ? [] : [keyScope] }];
  if (!holder) return [];
  return [
    { recordSession: [] },
    ...appScope === undefined || !hasTokens ? [] : [{ appToken: [appScope] }],
  ];
}

/** @param example the body of the response with its status */
function describeResponses(
  responses: Readonly<Record<number, Success>>,
  example: { status: number; value: unknown },
  convert: Convert,
): JsonObject {
  const described = Object.entries(responses).map(([status, success]): [string, JsonObject] => {
    const { description, schema, type = "application/json" } = success;
    const isExample = Number(status) === example.status;
    return [status, {
      description,
      ...headersOf(success),
      ...schema && {
        content: {
          [type]: {
            schema: convert(schema, "output"),
            ...isExample && { example: example.value as Json },
          },
        },
      },
    }];
  });
  return Object.fromEntries(described);
}

/** Returns the status of the response in an operation's example. */
export const statusOfExample = ({ example, responses }: Pick<Operation, "example" | "responses">) =>
  example.status ?? Number(Object.keys(responses)[0]);

function requestBody(
  { body, bodyType = "application/json", multipart, undocumented = [], example }: Operation,
  convert: Convert,
) {
  const schema = convert(body!, "input");
  for (const name of undocumented) delete (schema.properties as JsonObject)[name];
  return {
    required: true,
    content: {
      [bodyType]: { schema: withNulls(schema), example: example.body as Json },
      ...multipart && { "multipart/form-data": { schema: formOf(schema) } },
    },
  };
}

/** Returns the schema of a body in which members that may be absent may also be null. */
function withNulls(schema: JsonObject): JsonObject {
  const { properties, items, anyOf, ...rest } = schema;
  const required = (rest.required ?? []) as Json[];
  return {
    ...rest,
    ...items !== undefined && { items: withNulls(items as JsonObject) },
    ...anyOf !== undefined && { anyOf: (anyOf as JsonObject[]).map(withNulls) },
    ...properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as JsonObject).map(([name, member]) => {
          const inner = withNulls(member as JsonObject);
          return [name, required.includes(name) ? inner : orNull(inner)];
        }),
      ),
    },
  };
}

/** Returns a schema that also accepts null. */
function orNull(schema: JsonObject): JsonObject {
  const { description, default: value, anyOf, type, ...rest } = schema;
  const acceptsNull = ({ type }: JsonObject) => [type].flat().includes("null");
  if (acceptsNull(schema) || (anyOf as JsonObject[] | undefined)?.some(acceptsNull)) return schema;
  if (typeof type === "string" && rest.enum === undefined && rest.const === undefined) {
    return { ...schema, type: [type, "null"] };
  }
  const variants = anyOf as JsonObject[] | undefined ??
    [{ ...type !== undefined && { type }, ...rest }];
  return {
    ...description !== undefined && { description },
    ...value !== undefined && { default: value },
    anyOf: [...variants, { type: "null" }],
  };
}

/** Returns the schema of a form with the same fields, in which names have dots and the file is last. */
function formOf({ properties, required }: JsonObject): JsonObject {
  const fields: JsonObject = {};
  const needed: Json[] = [];
  for (const [name, schema] of Object.entries(properties as JsonObject)) {
    const { properties: inner, required: all = [] } = schema as JsonObject;
    if (name === "template" || name === "file" || name === "file_name") continue;
    const isNeeded = (required as Json[] | undefined)?.includes(name);
    if (inner === undefined) {
      fields[name] = schema;
      if (isNeeded) needed.push(name);
      continue;
    }
    for (const [member, each] of Object.entries(inner as JsonObject)) {
      fields[`${name}.${member}`] = each;
      if (isNeeded && (all as Json[]).includes(member)) needed.push(`${name}.${member}`);
    }
  }
  const file = {
    type: "string",
    format: "binary",
    description: "The file, after all other fields.",
  };
  return { type: "object", properties: { ...fields, file }, required: [...needed, "file"] };
}

function parametersOf(
  { params, query, requestHeaders = [], example }: Operation,
  convert: Convert,
): Json[] {
  const parameters: Json[] = [];
  for (
    const [place, schema, values = {}] of [
      ["path", params, example.params],
      ["query", query, example.query],
    ] as const
  ) {
    if (schema === undefined) continue;
    // A parameter's schema is that of its value, and whether it may be missing that of the input.
    const { properties } = convert(schema, "output");
    const { required = [], properties: inputs } = convert(schema, "input");
    for (const [name, json] of Object.entries(properties as JsonObject)) {
      const { description, ...known } = json as JsonObject;
      // What a transformation returns has no schema.
      const rest = Object.keys(known).length > 0 ? known : textOf((inputs as JsonObject)[name]);
      parameters.push({
        name,
        in: place,
        ...(required as Json[]).includes(name) && { required: true },
        ...description !== undefined && { description },
        schema: rest,
        ...name in values && { example: typedExample(values[name], rest) },
      });
    }
  }
  for (const name of requestHeaders) {
    const description = REQUEST_HEADERS[name];
    parameters.push({ name, in: "header", description, schema: { type: "string" } });
  }
  return parameters;
}

/** Returns the schema of a parameter's text, which is never null. */
function textOf(input: Json): JsonObject {
  const { description: _, default: __, anyOf, ...rest } = input as JsonObject;
  const text = (anyOf as JsonObject[] | undefined)?.find(({ type }) => type !== "null");
  return { ...rest, ...text };
}

const typedExample = (text: string, { type }: JsonObject): Json =>
  type === "integer" || type === "number" ? Number(text) : text;

function headersOf(
  { headers = [], optionalHeaders = [] }: {
    headers?: readonly ResponseHeader[];
    optionalHeaders?: readonly ResponseHeader[];
  },
): JsonObject {
  if (headers.length + optionalHeaders.length === 0) return {};
  const describeHeader = (name: ResponseHeader, required: boolean): [string, Json] => [name, {
    description: RESPONSE_HEADERS[name],
    ...required && { required },
    schema: { type: name === "Retry-After" ? "integer" : "string" },
  }];
  return {
    headers: Object.fromEntries([
      ...headers.map((name) => describeHeader(name, true)),
      ...optionalHeaders.map((name) => describeHeader(name, false)),
    ]),
  };
}
