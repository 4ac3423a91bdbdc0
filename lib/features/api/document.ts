/** The OpenAPI document at `/openapi.json`, made from the descriptions of the operations. */
import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { requestBody } from "./bodies.ts";
import { VERSION } from "../../platform/config/release.ts";
import { API_VERSION } from "./changes.ts";
import { type Converter, createConverter, type Json, type JsonObject } from "./json_schema.ts";
import { describeWebhooks, EVENTS_TAG } from "./webhook_events.ts";
import { streamResponsesOf } from "./common_responses.ts";
import {
  anyProblemSchema,
  errorSchema,
  GROUPS,
  type Operation,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type ResponseHeader,
  type Success,
} from "./operation.ts";
import { OPERATIONS } from "./operations/mod.ts";

const DESCRIPTION = `Errors are JSON with a stable code in \`error\`, a \`message\` for people, and
\`issues\` by field. In a JSON body, a member that is null counts as absent. Accept members, event kinds,
states and codes that you do not know: adding one is not a breaking change, so \`x-extensible-enum\` lists
the values that are known today. Times are RFC 3339 in UTC. Every response has a \`Request-Id\`: name it when
you ask us about a request. Any operation may also return 405 \`method_not_allowed\` with \`Allow\`, which
lists the methods of the path, 413 \`too_large\` for a body over its limit, 414 \`uri_too_long\` for a URL of
more than 8,192 characters, 500 \`internal\`, and 503 \`unavailable\` or \`store_unavailable\` with
\`Retry-After\`. The latter has \`outcome\`: if it is \`unknown\`, the change may have been saved; a request
with an \`Idempotency-Key\` can be repeated. Tokens and keys are never part of a URL.`
  .replaceAll("\n", " ");

/** Where webhooks are added. A deployment without it sends no events. */
const WEBHOOKS_PATH = "/api/documents/webhooks";

/** The authorization server that issues tokens to apps (RFC 8414). */
export interface AppServer {
  authorization_endpoint: string;
  token_endpoint: string;
  /** The scopes for apps, with what each allows. */
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

/**
 * Creates the OpenAPI document. Its servers are the configured surfaces; operations that this
 * deployment does not serve are left out.
 *
 * @param from the surface that serves the document
 * @param organisation who answers questions about the API
 * @param appServer null if this deployment issues no tokens to apps
 */
export function createDocument(
  surfaces: Surfaces,
  from: Surface,
  { name, contactEmail }: { name: string; contactEmail: string },
  appServer: AppServer | null,
): JsonObject {
  const converter = createConverter();
  const problem = converter.convert(anyProblemSchema(OPERATIONS), "response");
  const paths: Record<string, JsonObject> = {};
  for (const operation of OPERATIONS) {
    const servers = serversOf(operation, surfaces, from);
    if (servers.length === 0) continue;
    const path = pathOf(operation);
    // Generated clients prefer a path's own servers to the base URL that a program gives them.
    const isHere = servers.some(({ url }) => url === from.baseUrl);
    paths[path] = {
      ...paths[path],
      ...!isHere && { servers },
      [operation.method]: describe(operation, converter, appServer !== null),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: `${name} API`,
      version: API_VERSION,
      "x-software-version": VERSION,
      description: DESCRIPTION,
      contact: { name, email: contactEmail, url: `${from.baseUrl}/docs` },
      license: {
        name: "Terms of the service",
        url: `${surfaces.baseFrom(from, "trust") ?? from.baseUrl}/terms`,
      },
    },
    servers: [{ url: from.baseUrl }],
    tags: Object.entries({ ...GROUPS, ...EVENTS_TAG }).map(([name, description]) => ({
      name,
      description,
    })),
    paths,
    ...WEBHOOKS_PATH in paths && { webhooks: describeWebhooks(converter) },
    components: {
      headers: { "Request-Id": describeHeader("Request-Id", true) },
      schemas: { ...converter.components, Problem: problem },
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

type Convert = Converter["convert"];

const PROBLEM: JsonObject = { $ref: "#/components/schemas/Problem" };

function describe(operation: Operation, converter: Converter, hasTokens: boolean): JsonObject {
  const { convert } = converter;
  const { id, group, summary, description, body, hasPage, responses, stream } = operation;
  const { errors, example } = operation;
  const defaultError = {
    description: "Another error.",
    ...headersOf({}),
    content: { "application/json": { schema: PROBLEM } },
  };
  const accept = hasPage
    ? `${description} People get a page instead: requests that accept \`text/html\` by name, and link previews.`
    : description;
  return {
    operationId: id,
    tags: [group],
    summary,
    description: accept,
    security: securityOf(operation, hasTokens),
    parameters: parametersOf(operation, convert),
    ...body && { requestBody: requestBody(operation, converter) },
    responses: {
      ...describeResponses(responses, {
        status: statusOfExample({ responses, example }),
        value: example.response,
      }, convert),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, error]) => [status, {
          description: `${error.description} \`error\`: ${
            error.codes.map((code) => `\`${code}\``).join(", ")
          }.`,
          // Generators share one type among all errors, so a header must not be required in some only.
          ...headersOf({
            optionalHeaders: [...error.headers ?? [], ...error.optionalHeaders ?? []],
          }),
          content: {
            "application/json": {
              schema: error.details === undefined
                ? PROBLEM
                : convert(errorSchema(error), "response"),
            },
          },
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
            schema: convert(schema, "response"),
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

function parametersOf(
  { params, query, form = {}, requestHeaders = [], example }: Operation,
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
    const { properties } = convert(schema, "parameter");
    const { required = [], properties: inputs } = convert(schema, "request");
    for (const [name, json] of Object.entries(properties as JsonObject)) {
      if (name in form) continue;
      const { description, ...known } = json as JsonObject;
      // The output of a transformation has no type.
      const rest = "type" in known ? known : { ...textOf((inputs as JsonObject)[name]), ...known };
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
    const { description, ...schema } = REQUEST_HEADERS[name];
    parameters.push({ name, in: "header", description, schema: { type: "string", ...schema } });
  }
  return parameters;
}

/** Returns the schema of a parameter's text, which is never null. */
function textOf(input: Json): JsonObject {
  const { description: _, default: __, type, ...rest } = input as JsonObject;
  return { ...rest, type: [type].flat().find((each) => each !== "null")! };
}

const typedExample = (text: string, { type }: JsonObject): Json =>
  type === "integer" || type === "number" ? Number(text) : text;

function headersOf(
  { headers = [], optionalHeaders = [] }: {
    headers?: readonly ResponseHeader[];
    optionalHeaders?: readonly ResponseHeader[];
  },
): JsonObject {
  return {
    headers: {
      ...Object.fromEntries([
        ...headers.map((name) => [name, describeHeader(name, true)]),
        ...optionalHeaders.map((name) => [name, describeHeader(name, false)]),
      ]),
      "Request-Id": { $ref: "#/components/headers/Request-Id" },
    },
  };
}

const describeHeader = (name: ResponseHeader, required: boolean): JsonObject => ({
  description: RESPONSE_HEADERS[name],
  ...required && { required },
  schema: name === "Retry-After" ? { type: "integer", format: "int32" } : { type: "string" },
});
