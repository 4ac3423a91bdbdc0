import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { EVENTS, HASH, HEAD, KEYS } from "../lib/features/api/examples.ts";
import {
  type Json,
  type JsonObject,
  type Operation,
  OPERATIONS,
  pathOf,
  RESPONSE_HEADERS,
  statusOfExample,
  streamResponsesOf,
} from "../lib/features/api/mod.ts";
import { createDocumentValidator } from "../lib/features/api/testing/document_validator.ts";
import { verifyChain } from "../packages/proof/mod.ts";
import { apiScenarios } from "./api_scenarios.ts";
import { readRoutes } from "../lib/app/routes.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { parseJson } from "../lib/platform/http/body.ts";
import { createSite } from "./site.ts";

const fixture = await apiScenarios();
Deno.test.afterAll(async () => await fixture[Symbol.asyncDispose]());
const { site, scenarios, call } = fixture;
const document: JsonObject = await (await site.request("api", "/openapi.json")).json();
const routes = await readRoutes(import.meta.resolve("../routes/"));
const { problemOf } = createDocumentValidator(document);

const operationOf = ({ path, method }: Operation): JsonObject =>
  ((document.paths as JsonObject)[pathOf({ path })] as JsonObject)[method] as JsonObject;

/** Returns the schema that a reference leads to. */
const resolved = ({ $ref, ...schema }: JsonObject): JsonObject =>
  $ref === undefined ? schema : String($ref).slice(2).split("/").reduce(
    (at: Json, part) => (at as JsonObject)[part],
    document,
  ) as JsonObject;

/** Checks the body and the headers of a response against the document. */
async function check(
  operation: Operation,
  response: Response,
  name: string,
): Promise<JsonObject | null> {
  const { status, headers } = response;
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  const isStream = operation.stream !== undefined &&
    (type === "text/event-stream" || status === 204);
  const where = [
    "paths",
    pathOf(operation),
    operation.method,
    ...isStream ? ["x-event-stream"] : [],
    "responses",
    String(status),
  ];
  const described = where.reduce((at: Json, part) => (at as JsonObject)[part], document);
  assert(described, `${name}: ${status} is not documented`);
  const { content, headers: known = {} } = described as Record<string, JsonObject>;
  for (
    const name of Object.keys(RESPONSE_HEADERS)
  ) {
    const header = known[name] as { required?: boolean } | undefined;
    if (headers.has(name)) assert(header, `${where.join(" ")}: ${name} is not documented`);
    else {
      // The document calls no header of an error required.
      const { headers: always = [] } = operation.errors[status] ?? {};
      const isRequired = header?.required || (always as string[]).includes(name);
      assert(!isRequired, `${where.join(" ")}: ${name} is missing`);
    }
  }
  if (content === undefined) {
    assertEquals(await response.text(), "", name);
    return null;
  }
  if ("*/*" in content) {
    await response.body!.cancel();
    return null;
  }
  assert(headers.has("request-id"), name);
  assert(type in content, `${name}: ${type} is not documented`);
  if (type === "text/event-stream" || type === "text/csv") {
    await response.body!.cancel();
    return null;
  }
  const body = await response.json();
  assertEquals(problemOf(body, ...where, "content", type, "schema"), null, name);
  return body;
}

/** Checks that the site's response to the example's request has all members of the example's. */
function assertSameMembers(body: Json, example: unknown, name: string): void {
  if (Array.isArray(example)) return assertSameMembers((body as Json[])[0], example[0], name);
  if (typeof example !== "object" || example === null) return;
  for (const [member, value] of Object.entries(example)) {
    assert(member in (body as JsonObject), `${name}: the response has no ${member}`);
    // The options and counts depend on the data.
    if (member !== "counts") assertSameMembers((body as JsonObject)[member], value, name);
  }
}

Deno.test("openapi.json requires only name and email of a person who registers", () => {
  const where = ["/api/ir/register", "post", "requestBody", "content", "application/json"];
  const body = where.reduce((at: Json, part) => (at as JsonObject)[part], document.paths);
  const { required } = resolved((body as JsonObject).schema as JsonObject);
  assertEquals(required, ["name", "email", "elapsed_ms"]);
});

Deno.test("openapi.json is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert(valid, JSON.stringify(errors));
  assertEquals(document.openapi, "3.1.1");
});

// deno-fmt-ignore: one rule per line
const LINT_RULES = {
  "no-ambiguous-paths": "off", // The id of a document is never a word such as `webhooks`.
  "no-server-example.com": "off", // These servers are those of the test's site.
  "operation-4xx-response": "off", // Operations without input have only the errors of `default`.
} as const;

Deno.test("openapi.json passes Redocly's recommended rules without errors and warnings", async () => {
  const config = await createConfig({ extends: ["recommended"], rules: LINT_RULES });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  const found = problems.map(({ ruleId, message, location }) =>
    `${ruleId}: ${message} ${location[0].pointer}`
  );
  assertEquals(found, []);
});

Deno.test("every response has one type, so that generated clients return it", () => {
  for (const operation of OPERATIONS) {
    const { responses } = operationOf(operation) as { responses: Record<string, JsonObject> };
    for (const [status, { content = {} }] of Object.entries(responses)) {
      assert(Object.keys(content as JsonObject).length <= 1, `${operation.id} ${status}`);
    }
  }
});

Deno.test("every operation says who may use it, and every scope is one of its scheme", () => {
  const { securitySchemes } = document.components as Record<string, JsonObject>;
  for (const operation of OPERATIONS) {
    const security = operationOf(operation).security as Record<string, string[]>[];
    const { holder, keyScope, id } = operation;
    assertEquals(security.length > 0, holder !== undefined || keyScope !== undefined, id);
    if (keyScope !== undefined) {
      assertEquals(security, [{ issuerKey: keyScope === "any" ? [] : [keyScope] }], id);
      continue;
    }
    for (const [name, scopes] of security.flatMap((each) => Object.entries(each))) {
      const { flows } = securitySchemes[name] as {
        flows?: { authorizationCode: { scopes: JsonObject } };
      };
      const known = Object.keys(flows?.authorizationCode.scopes ?? {});
      assertEquals(scopes.filter((scope) => !known.includes(scope)), [], operation.id);
    }
  }
});

Deno.test("operations of issuers that change something need a scope to write, and webhooks that of webhooks", () => {
  const ofIssuers = OPERATIONS.filter(({ path }) => path.startsWith("/api/documents"));
  assertEquals(ofIssuers.length, 29);
  for (const { id, method, path, keyScope } of ofIssuers) {
    const needed = path.startsWith("/api/documents/webhooks")
      ? "webhooks:write"
      : method !== "get"
      ? "documents:write"
      : path === "/api/documents/issuer"
      ? "any"
      : "documents:read";
    assertEquals(keyScope, needed, id);
  }
});

Deno.test("appToken names the endpoints of an authorization server, which exist", async () => {
  const { appToken } = (document.components as Record<string, JsonObject>).securitySchemes as {
    appToken: { flows: { authorizationCode: Record<string, string> } };
  };
  const { authorizationUrl, tokenUrl, refreshUrl } = appToken.flows.authorizationCode;
  const base = site.services.surfaces.url("foundation-mcp")!;
  const metadata = await site.request("foundation-mcp", "/.well-known/oauth-authorization-server");
  const { authorization_endpoint, token_endpoint } = await metadata.json();
  assertEquals([authorizationUrl, tokenUrl, refreshUrl], [
    authorization_endpoint,
    token_endpoint,
    token_endpoint,
  ]);
  assert(authorizationUrl.startsWith(base));
});

Deno.test("a deployment without authorization servers documents no tokens", async () => {
  const hosts = { api: ["api.example"], trust: ["trust.example"] };
  await using bare = await createSite({ SURFACE_HOSTS: JSON.stringify(hosts) });
  const text = await (await bare.request("api", "/openapi.json")).text();
  assert(text.includes("recordSession") && !text.includes("appToken"));
});

const documented = new Set<string>();
for (const operation of OPERATIONS) {
  const { id, responses, errors, stream } = operation;
  const statuses = { ...responses, ...stream !== undefined && streamResponsesOf(operation) };
  const names = [
    ...Object.keys(statuses).map((status) => `${id} ${status}`),
    ...Object.entries(errors).flatMap(([status, { codes }]) =>
      codes.map((code) => `${id} ${status} ${code}`)
    ),
  ];
  for (const name of names) documented.add(name);
  Deno.test(`${id}: each documented response occurs and matches its schema`, async () => {
    for (const name of names) {
      const [, status, code] = name.split(" ");
      for (const [i, scenario] of [scenarios[name] ?? []].flat().entries()) {
        const response = await scenario();
        assertEquals(response.status, Number(status), `${name}: ${response.status}`);
        const body = await check(operation, response, name);
        if (code !== undefined) assertEquals(body?.error, code, name);
        const isExample = i === 0 && body !== null && Number(status) === statusOfExample(operation);
        if (isExample) assertSameMembers(body, operation.example.response, name);
      }
      assert(scenarios[name] !== undefined, `${name}: there is no scenario`);
    }
  });
}

Deno.test("errors that any operation may return match the schema of the others", async () => {
  const requests: [status: number, path: string, init: RequestInit][] = [
    [405, "/api/ir/register", { method: "PUT", body: "{}" }],
    [413, "/api/ir/register", { method: "POST", body: `{"name":"${"x".repeat(70_000)}"}` }],
    [415, "/api/ir/register", {
      method: "POST",
      body: "x",
      headers: { "content-type": "text/plain" },
    }],
    [404, "/api/nothing", {}],
  ];
  for (const [status, path, init] of requests) {
    const headers = { "content-type": "application/json", ...init.headers };
    const response = await site.request("api", path, { ...init, headers });
    assertEquals(response.status, status, path);
    assertEquals(problemOf(await response.json(), "components", "schemas", "Problem"), null, path);
  }
});

Deno.test("every scenario is a documented response", () => {
  assertEquals(Object.keys(scenarios).filter((name) => !documented.has(name)), []);
});

Deno.test("each example request matches its schema, and so does its response", () => {
  for (const operation of OPERATIONS) {
    const { id, body, bodyType = "application/json", method, example, responses } = operation;
    const where = ["paths", pathOf(operation), method];
    if (body !== undefined) {
      const schema = ["requestBody", "content", bodyType, "schema"];
      assertEquals(problemOf(example.body, ...where, ...schema), null, id);
      assert(body.safeParse(example.body).success, id);
    }
    const status = statusOfExample(operation);
    const { schema, type = "application/json" } = responses[status];
    if (schema === undefined || example.response === undefined) continue;
    const at = [...where, "responses", String(status), "content", type, "schema"];
    assertEquals(problemOf(example.response, ...at), null, id);
  }
});

/** Returns the ways to the members of a body that may be absent. */
function optionalMembers(json: Json, way: string[] = []): string[][] {
  const { properties = {}, required = [], oneOf = [] } = resolved(json as JsonObject) as Record<
    string,
    JsonObject
  >;
  const inner = Object.entries(properties).flatMap(([name, member]) => [
    ...(required as unknown as Json[]).includes(name) ? [] : [[...way, name]],
    ...optionalMembers(member, [...way, name]),
  ]);
  return [...inner, ...(oneOf as unknown as Json[]).flatMap((each) => optionalMembers(each, way))];
}

/** Returns an object with another value of one of its members. */
function changed(value: unknown, [name, ...rest]: string[], to: unknown): Record<string, unknown> {
  const before = Object(value);
  return { ...before, [name]: rest.length === 0 ? to : changed(before[name], rest, to) };
}

Deno.test("every optional member of every JSON body may be null, which means the same as absence", () => {
  const tried = new Set<string>();
  for (const operation of OPERATIONS) {
    const { id, body, bodyType = "application/json", method, example } = operation;
    if (body === undefined || bodyType !== "application/json") continue;
    const where = [
      "paths",
      pathOf(operation),
      method,
      "requestBody",
      "content",
      bodyType,
      "schema",
    ];
    const schema = where.reduce((at: Json, part) => (at as JsonObject)[part], document);
    for (const way of optionalMembers(schema)) {
      const parent = way.slice(0, -1).reduce((at, name) => Object(at)[name], Object(example.body));
      // Members of an object that the example does not have need the others of that object.
      if (parent === undefined) continue;
      const name = `${id} ${way.join(".")}`;
      tried.add(name);
      const absent = changed(example.body, way, undefined);
      const withNull = changed(example.body, way, null);
      const isAccepted = body.safeParse(absent).success;
      assertEquals(body.safeParse(parseJson(JSON.stringify(withNull))).success, isAccepted, name);
      assertEquals(problemOf(withNull, ...where), null, name);
    }
  }
  for (
    const name of ["issueDocument external_id", "changeWebhook events", "registerRecord mobile"]
  ) {
    assert(tried.has(name), `${name} of ${[...tried].join(", ")}`);
  }
});

Deno.test("null changes nothing, and a required member that is null is missing", async () => {
  const post = (id: string, body: unknown, params?: Record<string, string>) =>
    call(id, { body, params });
  const { body } = OPERATIONS.find(({ id }) => id === "issueDocument")!.example as {
    body: Record<string, unknown>;
  };
  const optional = ["external_id", "expires_on", "public", "publish_hash", "file", "file_name"];
  const nulls = Object.fromEntries(optional.map((name) => [name, null]));
  const issued = await post("issueDocument", { ...body, ...nulls });
  const text = await issued.text();
  assertEquals([issued.status, JSON.parse(text).external_id], [201, null], text);
  const untitled = await post("issueDocument", { ...body, title: null });
  assertEquals(await untitled.json().then(({ issues }) => issues), {
    title: "The title is missing.",
  });
  const added = await (await post("createWebhook", {
    url: "https://receiver.example.org/null",
    description: "Of a test",
    events: ["document.accepted"],
  })).json();
  const change = async (changes: unknown) => {
    const { description, events } = await (await post("changeWebhook", changes, { id: added.id }))
      .json();
    return { description, events };
  };
  const { description, events } = added;
  assertEquals(await change({ url: null, description: null, events: null }), {
    description,
    events,
  });
  assertEquals(await change({ description: "", events: ["*"] }), {
    description: null,
    events: null,
  });
});

Deno.test("readers who send the example of registering with their own addresses each get a record", async () => {
  const { example } = OPERATIONS.find(({ id }) => id === "registerRecord")!;
  for (const email of ["first@example.org", "second@example.org"]) {
    const body = { ...example.body as JsonObject, email };
    const response = await call("registerRecord", { body, from: "198.51.100.77" });
    assertEquals(response.status, 201);
    await response.body?.cancel();
  }
});

Deno.test("no schema has a pattern whose flags the document cannot contain", () => {
  const flagged: string[] = [];
  for (const { id, params, query, body, responses } of OPERATIONS) {
    const schemas = [params, query, body, ...Object.values(responses).map(({ schema }) => schema)];
    for (const schema of schemas.filter((each) => each !== undefined)) {
      z.toJSONSchema(schema, {
        io: "input",
        unrepresentable: "any",
        override({ zodSchema }) {
          const { patterns = [] } = zodSchema._zod.bag as { patterns?: Iterable<RegExp> };
          for (const { flags } of patterns) if (flags.includes("i")) flagged.push(id);
        },
      });
    }
  }
  assertEquals(flagged, []);
});

Deno.test("the chain of the examples verifies", async () => {
  const verified = await verifyChain({
    recordHash: HASH,
    events: EVENTS,
    head: HEAD,
    publisher: "trust.example",
    keys: KEYS.keys,
  });
  assert(verified.ok);
});

Deno.test("the example of the chain and the search are what the site returns", async () => {
  for (const id of ["readChain", "searchQualifications"]) {
    const { example } = OPERATIONS.find((each) => each.id === id)!;
    assertEquals(await (await call(id)).json(), example.response);
  }
});

Deno.test("openapi.json is readable for any origin, has an ETag, and is compressed", async () => {
  const headers = { origin: "https://other.example", "accept-encoding": "gzip" };
  const response = await site.request("api", "/openapi.json", { headers });
  await response.body?.cancel();
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(response.headers.get("content-encoding"), "gzip");
  const tag = { "if-none-match": response.headers.get("etag")! };
  assertEquals((await site.request("api", "/openapi.json", { headers: tag })).status, 304);
});

Deno.test("every route for programs of a public surface is documented or says why not", async () => {
  const isPublic = (kind: string) => kind !== "console" && kind !== "workbench";
  const surfaces = site.services.surfaces.all.filter(({ kind }) => isPublic(kind));
  const inDocument = new Set(OPERATIONS.map(({ path }) => path));
  const wrong: string[] = [];
  for (const [pattern, { audience = "people", notInOpenApi }] of routes.properties) {
    const path = pattern.replaceAll(/\{[^}]*\}\?/g, "").replaceAll(/:\w+/g, "x");
    const surface = surfaces.find(({ serves }) => serves(path));
    if (inDocument.has(pattern) || surface === undefined) {
      if (notInOpenApi !== undefined) wrong.push(pattern);
      continue;
    }
    if (notInOpenApi !== undefined) continue;
    // These are pages and forms for holders.
    const isForHolders = path.startsWith("/my-record");
    if (audience !== "people" || !isForHolders && !await isPage(surface.name, path)) {
      wrong.push(pattern);
    }
  }
  const hint = "Add these routes to lib/features/api/operations, or `notInOpenApi` to their files.";
  assertEquals(wrong, [], hint);
});

/** Returns whether a route has nothing for programs: no JSON, and nothing that can be posted. */
async function isPage(surface: SurfaceName, path: string): Promise<boolean> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const get = await site.request(surface, path, { headers });
  const post = await site.request(surface, path, { method: "POST", headers, body: "{}" });
  await Promise.all([get.body?.cancel(), post.body?.cancel()]);
  const hasJson = get.status !== 404 && /json/.test(get.headers.get("content-type") ?? "");
  return !hasJson && [404, 405].includes(post.status);
}

Deno.test("every documented operation is a route of its surfaces", () => {
  for (const { id, path, surfaces } of OPERATIONS) {
    for (const name of surfaces) {
      const surface = site.services.surfaces.get(name)!;
      assert(surface.serves(path.replace(/:\w+/g, "x")), `${id}: ${name} ${path}`);
    }
  }
});
