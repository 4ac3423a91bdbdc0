import { assert, assertEquals } from "@std/assert";
import { createDocument } from "../lib/features/api/document.ts";
import { type Json, type JsonObject, OPERATIONS } from "../lib/features/api/mod.ts";
import { allowOrigin, preflightHeaders } from "../lib/platform/http/cors.ts";
import { createSurfaces } from "../lib/platform/surfaces/mod.ts";
import { parseConfig } from "../lib/app/config.ts";

/**
 * The rules of client generators for openapi.json. Each is checked for all operations, because
 * `deno task test:generators` compiles only some of them.
 *
 * @module
 */
const surfaces = createSurfaces(parseConfig({}));
const document = createDocument(
  surfaces,
  surfaces.get("api")!,
  { name: "Example", contactEmail: "api@example.org" },
  null,
);

type Described = { id: string; item: JsonObject };

/** The operations, and the requests that webhooks receive. */
const operations: readonly Described[] = [document.paths, document.webhooks].flatMap((paths) =>
  Object.values(paths as Record<string, JsonObject>).flatMap((methods) =>
    Object.entries(methods).filter(([name]) => name !== "servers").map(([, item]) => ({
      id: String((item as JsonObject).operationId),
      item: item as JsonObject,
    }))
  )
);

const at = (value: Json, ...way: string[]): Json | undefined =>
  way.reduce((each: Json | undefined, name) => (each as JsonObject | undefined)?.[name], value);

const resolved = (schema: JsonObject): JsonObject =>
  schema.$ref === undefined
    ? schema
    : at(document, ...String(schema.$ref).slice(2).split("/")) as JsonObject;

interface Found {
  where: string;
  schema: JsonObject;
  isComponent: boolean;
}

/** Lists a schema and its parts. */
function* partsOf(schema: JsonObject, where: string): Generator<Found> {
  yield { where, schema, isComponent: where.split("/").length === 1 };
  for (const name of ["items", "additionalProperties"]) {
    const part = schema[name];
    if (typeof part === "object" && part !== null) {
      yield* partsOf(part as JsonObject, `${where}/[]`);
    }
  }
  for (const [name, part] of Object.entries((schema.properties ?? {}) as JsonObject)) {
    yield* partsOf(part as JsonObject, `${where}/${name}`);
  }
  for (const name of ["anyOf", "oneOf", "allOf"]) {
    for (const [i, part] of ((schema[name] ?? []) as JsonObject[]).entries()) {
      yield* partsOf(part, `${where}/${name} ${i}`);
    }
  }
}

/** Lists the schemas below a value of the document, which are members named `schema`. */
function* schemasIn(value: Json, where: string): Generator<Found> {
  if (Array.isArray(value)) {
    for (const each of value) yield* schemasIn(each, where);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (name === "example" || name === "examples") continue;
      if (name === "schema") yield* partsOf(each as JsonObject, where);
      else yield* schemasIn(each, `${where} ${name}`);
    }
  }
}

const schemas: readonly Found[] = [
  ...operations.flatMap(({ id, item }) => [...schemasIn(item, id)]),
  ...Object.entries(at(document, "components", "schemas") as Record<string, JsonObject>)
    .flatMap(([name, schema]) => [...partsOf(schema, name)]),
];

/** Fails with the places of the schemas that break a rule. */
const assertNone = (breaks: (found: Found) => boolean) =>
  assertEquals(schemas.filter(breaks).map(({ where }) => where), []);

Deno.test("an operation has one schema for all of its successful responses", () => {
  for (const { id, item } of operations) {
    const successes = Object.entries(item.responses as Record<string, JsonObject>)
      .filter(([status]) => status.startsWith("2"))
      .flatMap(([, { content = {} }]) => Object.values(content as JsonObject))
      .map((media) => JSON.stringify((media as JsonObject).schema));
    assert(new Set(successes).size <= 1, id);
  }
});

Deno.test("every parameter, member and body has a type", () => {
  const typed = ["type", "$ref", "oneOf"];
  // The values of a map, such as the payload of an event, may be anything.
  assertNone(({ schema, where }) => !where.endsWith("[]") && !typed.some((name) => name in schema));
});

Deno.test("whole numbers are integers, and large ones have 64 bits", () => {
  const fractions = ["RegisterRecordBody/elapsed_ms"];
  assertNone(({ schema, where }) =>
    [schema.type].flat().includes("number") && !fractions.includes(where)
  );
  assertNone(({ schema: { type, maximum = Infinity, format } }) =>
    type === "integer" && Number(maximum) >= 2 ** 31 && format === undefined
  );
});

Deno.test("no boolean has only one value, because clients in Java would not compile", () => {
  assertNone(({ schema }) => schema.type === "boolean" && "const" in schema);
});

Deno.test("no member of a body has a default, and none is an object", () => {
  const isBody = (where: string) => /^\w+(Body|Form)\//.test(where);
  assertNone(({ schema, where }) => "default" in schema && where.includes("Body/"));
  assertNone(({ schema, where }) => isBody(where) && typeof schema.default === "object");
});

Deno.test("no parameter has the name that generators give to a body", () => {
  for (const { id, item } of operations) {
    const names = ((item.parameters ?? []) as JsonObject[]).map(({ name }) => name);
    assert(item.requestBody === undefined || !names.includes("body"), id);
  }
});

Deno.test("a download is bytes, and so is a file that is sent", () => {
  for (const { id, item } of operations) {
    const [success] = Object.values(item.responses as Record<string, JsonObject>);
    const contents = [success.content, at(item, "requestBody", "content")];
    for (const [type, media] of contents.flatMap((content) => Object.entries(content ?? {}))) {
      if (/json|multipart/.test(type)) continue;
      const { schema } = media as { schema: JsonObject };
      assertEquals([schema.type, schema.format], ["string", "binary"], `${id} ${type}`);
    }
  }
});

Deno.test("a body has at most one shape of JSON, and a form has a name and the file at its end", () => {
  for (const { id, item } of operations) {
    const content = (at(item, "requestBody", "content") ?? {}) as Record<string, JsonObject>;
    const types = Object.keys(content);
    assert(types.filter((type) => type.includes("json")).length <= 1, id);
    const json = content["application/json"]?.schema as JsonObject | undefined;
    if (json?.oneOf !== undefined) assert(json.discriminator !== undefined, id);
    const form = content["multipart/form-data"]?.schema as JsonObject | undefined;
    if (form === undefined) continue;
    assert(form.$ref !== undefined, id);
    assertEquals(Object.keys(resolved(form).properties as JsonObject).at(-1), "file", id);
  }
});

Deno.test("the form of a CSV file has the parameters of the URL", () => {
  for (const id of ["createBatch", "checkBatch"]) {
    const { item } = operations.find((each) => each.id === id)!;
    const parameters = (item.parameters as JsonObject[]).filter((each) => each.in === "query");
    const form = at(item, "requestBody", "content", "multipart/form-data", "schema") as JsonObject;
    const fields = Object.keys(resolved(form).properties as JsonObject);
    assertEquals(
      fields.filter((name) => name !== "file" && name !== "body"),
      parameters.map(({ name }) => name),
    );
  }
});

Deno.test("a value of several kinds has a member that distinguishes them, or another JSON type", () => {
  assertNone(({ schema }) => "anyOf" in schema || "allOf" in schema);
  assertNone(({ schema: { oneOf, discriminator } }) => {
    if (oneOf === undefined || discriminator !== undefined) return false;
    const types = (oneOf as JsonObject[]).map((each) => resolved(each).type);
    return new Set(types).size < types.length;
  });
});

Deno.test("lists of texts in responses are open: any text fits, and the known ones are named", () => {
  const inResponses = operations.flatMap(({ id, item }) => [
    ...schemasIn(item.responses, id),
    ...(item.operationId as string).startsWith("on") ? schemasIn(item.requestBody, id) : [],
  ]);
  const seen = new Set<string>();
  const closed: string[] = [];
  const visit = (schema: JsonObject, where: string) => {
    for (const part of partsOf(schema, where)) {
      if ("enum" in part.schema) closed.push(part.where);
      const { $ref } = part.schema;
      if ($ref === undefined || seen.has(String($ref))) continue;
      seen.add(String($ref));
      visit(resolved(part.schema), String($ref).split("/").at(-1)!);
    }
  };
  for (const { schema, where } of inResponses) visit(schema, where);
  assertEquals(closed, []);
  const { error } = at(document, "components", "schemas", "Problem", "properties") as JsonObject;
  assert(((error as JsonObject)["x-extensible-enum"] as string[]).includes("duplicate_batch"));
});

Deno.test("an Idempotency-Key has the limits of the server, and its errors are those of the operation", () => {
  for (const { id, requestHeaders = [], errors } of OPERATIONS) {
    if (!requestHeaders.includes("Idempotency-Key")) continue;
    assert(errors[400].codes.includes("invalid_request"), id);
    const { item } = operations.find((each) => each.id === id)!;
    const { schema } = (item.parameters as JsonObject[])
      .find(({ name }) => name === "Idempotency-Key")!;
    const { pattern, ...limits } = schema as JsonObject;
    assertEquals(limits, { type: "string", minLength: 1, maxLength: 255 });
    const accepts = (key: string) => new RegExp(String(pattern)).test(key);
    assertEquals(["~".repeat(255), "a b", "é"].map(accepts), [true, false, false]);
  }
});

Deno.test("pages that may call an operation may send and read all headers that it has", () => {
  for (const { id, cors, requestHeaders = [], responses, errors } of OPERATIONS) {
    if (cors === undefined) continue;
    const allowed = preflightHeaders(cors)["access-control-allow-headers"].split(", ");
    const exposed = allowOrigin("*", cors)["access-control-expose-headers"].split(", ");
    const sent = requestHeaders.map((name) => name.toLowerCase());
    const received = [...Object.values(responses), ...Object.values(errors)]
      .flatMap(({ headers = [], optionalHeaders = [] }) => [...headers, ...optionalHeaders]);
    assertEquals(
      sent.filter((name) => ![name, "*"].some((each) => allowed.includes(each))),
      [],
      id,
    );
    assertEquals(received.filter((name) => !exposed.includes(name)), [], id);
  }
});

Deno.test("every operation with a body says what a body of another type gets", () => {
  for (const { id, item } of operations.filter(({ item }) => item.requestBody !== undefined)) {
    if (!id.startsWith("on")) assert(at(item, "responses", "415") !== undefined, id);
  }
});

Deno.test("every response has the id of its request", () => {
  for (const { id, item } of operations.filter(({ id }) => !id.startsWith("on"))) {
    for (const [status, response] of Object.entries(item.responses as JsonObject)) {
      assert(at(response, "headers", "Request-Id") !== undefined, `${id} ${status}`);
    }
  }
});

Deno.test("no header is required in some errors and not in others, because generators share their type", () => {
  for (const { id, item } of operations) {
    for (const [status, response] of Object.entries(item.responses as JsonObject)) {
      if (Number(status) < 400) continue;
      for (const header of Object.values((at(response, "headers") ?? {}) as JsonObject)) {
        assert((header as JsonObject).required === undefined, `${id} ${status}`);
      }
    }
  }
});

Deno.test("days and addresses have their formats, and a position of a chain is below 10^15", () => {
  const formatOf = (name: string, member: string) => {
    const { properties } = at(document, "components", "schemas", name) as JsonObject;
    return resolved((properties as JsonObject)[member] as JsonObject).format;
  };
  const found = [
    formatOf("Document", "date"),
    formatOf("Document", "expires_on"),
    formatOf("IssueDocumentBody", "date"),
    formatOf("RequestLinkBody", "email"),
  ];
  assertEquals(found, ["date", "date", "date", "email"]);
  const parametersOf = (id: string) =>
    operations.find((each) => each.id === id)!.item.parameters as JsonObject[];
  const schemaOf = (id: string, name: string) =>
    parametersOf(id).find((each) => each.name === name)!.schema as JsonObject;
  assertEquals(schemaOf("listDocuments", "email").format, "email");
  assertEquals(schemaOf("createBatch", "date").format, "date");
  const { minimum, maximum, type } = schemaOf("readChain", "after");
  assertEquals([minimum, maximum, type], [-1, 1e15 - 1, "integer"]);
  assertEquals(schemaOf("searchQualifications", "package").pattern, "^[A-Za-z]{3}$");
});

Deno.test("the document names whom to ask, the terms, and what any operation may return", () => {
  const { contact, license, description } = document.info as JsonObject;
  assertEquals((contact as JsonObject).email, "api@example.org");
  assert(String((license as JsonObject).url).endsWith("/terms"));
  for (const text of ["405", "`Allow`", "413", "414", "500", "503", "`Request-Id`"]) {
    assert(String(description).includes(text), text);
  }
});

Deno.test("each type of event is a request to a webhook, with its schema", () => {
  const types = operations.filter(({ id }) => id.startsWith("on")).map(({ item }) =>
    at(item, "requestBody", "content", "application/json", "schema", "properties", "type", "const")
  );
  assertEquals(types, Object.keys(document.webhooks as JsonObject));
  const tags = operations.map(({ id, item }) => [id.startsWith("on"), (item.tags as Json[])[0]]);
  const [events, others] = [true, false].map((isEvent) =>
    tags.filter(([each]) => each === isEvent).map(([, tag]) => tag)
  );
  assert(!events.some((tag) => others.includes(tag)), "generators write one file per tag");
});

Deno.test("a path that the document's own host serves has no servers, which clients would prefer to their base URL", () => {
  const [{ url }] = document.servers as { url: string }[];
  const others = Object.entries(document.paths as Record<string, JsonObject>)
    .flatMap(([path, { servers }]) => servers === undefined ? [] : [{ path, servers }]);
  assertEquals(others.filter(({ servers }) => JSON.stringify(servers).includes(url)), []);
  assert(others.every(({ path }) => !path.startsWith("/api/documents")));
  assert(others.some(({ path }) => path === "/verify"));
});
