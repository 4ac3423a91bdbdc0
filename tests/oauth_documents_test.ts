import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createClientDocuments, isDocumentUrl } from "../lib/features/oauth/client_documents.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { documentAt, openDocumentServer, PUBLIC_ADDRESS } from "./document_server.ts";
import { authorizePath, beginRequest, registerClient } from "./oauth_site.ts";
import { createSite } from "./site.ts";

const ID = "https://localhost/client.json";

Deno.test("only https URLs in normal form with a host name and a path are documents", () => {
  const cases: [id: string, valid: boolean][] = [
    ["https://claude.ai/oauth/mcp-oauth-client-metadata", true],
    ["https://app.example/client.json?v=1", true],
    ["http://app.example/client.json", false],
    ["https://app.example", false],
    ["https://app.example/", false],
    ["https://app.example/a#b", false],
    ["https://app.example/a#", false],
    ["https://user@app.example/a", false],
    ["https://app.example/a/../b", false],
    ["https://app.example/./a", false],
    ["https://app.example/%2e%2e/a", false],
    ["https://app.example\\a", false],
    ["https://APP.example/a", false],
    ["https://app.example:443/a", false],
    ["https://app.example:8443/a", false],
    ["https://127.0.0.1/a", false],
    ["https://2130706433/a", false],
    ["https://[::1]/a", false],
    ["https:app.example/a", false],
    ["https://app.example/ a", false],
    [`https://app.example/${"a".repeat(2_000)}`, false],
    ["", false],
  ];
  for (const [id, valid] of cases) assertEquals([id, isDocumentUrl(id)], [id, valid]);
});

Deno.test("a client whose id is a URL is described by the document there, fetched from the checked address", async () => {
  await using server = openDocumentServer((path) => Response.json(documentAt(path)));
  await using site = await createSite({}, { network: server.network });
  const { request } = await beginRequest(site, ID);
  const stored = await site.services.oauth.readRequest(request);
  assertEquals(stored.ok && [stored.request.client_name, stored.request.client_kind], [
    "Documented app",
    "document",
  ]);
  assertEquals(server.network.connected, [PUBLIC_ADDRESS]);
  // A document lists its redirect URIs like a registration.
  const other = await site.request(
    "foundation-mcp",
    authorizePath(ID, { redirect_uri: "https://evil.example/" }),
  );
  assertEquals(other.status, 400);
  assertEquals(server.paths, ["/client.json"]);
});

for (
  const addresses of [
    [],
    ["127.0.0.1"],
    ["::ffff:169.254.169.254"],
    [PUBLIC_ADDRESS, "10.0.0.1"],
    [PUBLIC_ADDRESS, "64:ff9b::a00:1"],
  ]
) {
  Deno.test(`a host with the addresses [${addresses}] is not connected to`, async () => {
    await using server = openDocumentServer((path) => Response.json(documentAt(path)));
    server.network.addresses = addresses;
    const documents = createClientDocuments({ clock: Date.now, network: server.network });
    assertEquals(await documents.find(ID, "a"), null);
    assertEquals(server.network.connected, []);
  });
}

Deno.test("a host whose certificate is for another name is refused", async () => {
  await using server = openDocumentServer((path) => Response.json(documentAt(path)));
  const documents = createClientDocuments({ clock: Date.now, network: server.network });
  assertEquals(await documents.find("https://app.example/client.json", "a"), null);
  assertEquals(server.paths, []);
});

const json = (value: unknown, init?: ResponseInit) => Response.json(value, init);
const padded = (size: number) => {
  const text = JSON.stringify(documentAt("/client.json"));
  return new Response(text + " ".repeat(size - text.length), {
    headers: { "content-type": "application/json" },
  });
};
/** A body that is sent in chunks, without its length. */
const chunked = (response: Response) => {
  const { headers } = response;
  return new Response(response.body!.pipeThrough(new TransformStream()), { headers });
};

const ANSWERS: [what: string, respond: () => Response, valid: boolean][] = [
  ["a document of 5 KiB", () => padded(5_120), true],
  ["a document of 5 KiB and a byte", () => padded(5_121), false],
  ["a document of 5 KiB in chunks", () => chunked(padded(5_120)), true],
  ["a document of 6 KB in chunks", () => chunked(padded(6_000)), false],
  [
    "a type that ends with +json",
    () =>
      json(documentAt("/client.json"), { headers: { "content-type": "application/cimd+json" } }),
    true,
  ],
  [
    "the type text/html",
    () => json(documentAt("/client.json"), { headers: { "content-type": "text/html" } }),
    false,
  ],
  [
    "a redirect",
    () =>
      new Response(null, { status: 302, headers: { location: "https://localhost/other.json" } }),
    false,
  ],
  ["404", () => json({}, { status: 404 }), false],
  ["500", () => json({}, { status: 500 }), false],
  [
    "malformed JSON",
    () => new Response("{", { headers: { "content-type": "application/json" } }),
    false,
  ],
  ["another client_id", () => json(documentAt("/other.json")), false],
  ["no name", () => json(documentAt("/client.json", { client_name: undefined })), false],
  ["no redirect URIs", () => json(documentAt("/client.json", { redirect_uris: [] })), false],
  [
    "a redirect URI that is not allowed",
    () => json(documentAt("/client.json", { redirect_uris: ["javascript:alert(1)"] })),
    false,
  ],
  [
    "a method with a key of its own",
    () => json(documentAt("/client.json", { token_endpoint_auth_method: "private_key_jwt" })),
    false,
  ],
  [
    "no authentication",
    () => json(documentAt("/client.json", { token_endpoint_auth_method: "none" })),
    true,
  ],
  ["a shared secret", () => json(documentAt("/client.json", { client_secret: "x" })), false],
  [
    "a method with a shared secret",
    () => json(documentAt("/client.json", { token_endpoint_auth_method: "client_secret_post" })),
    false,
  ],
];

Deno.test("documents are refused unless they are small, JSON, complete and without secrets", async () => {
  let respond = () => new Response();
  await using server = openDocumentServer(() => respond());
  for (const [what, answer, valid] of ANSWERS) {
    respond = answer;
    const documents = createClientDocuments({ clock: Date.now, network: server.network });
    const client = await documents.find(ID, "a");
    assertEquals([what, client !== null], [what, valid]);
  }
  // No redirect was followed.
  assertEquals(new Set(server.paths), new Set(["/client.json"]));
});

Deno.test("a fetch ends at its deadline, before and during the body", async () => {
  const slow = {
    silent: () => new Promise<Response>(() => {}),
    partial: () => {
      const start = new TextEncoder().encode("{");
      const body = new ReadableStream({ start: (controller) => controller.enqueue(start) });
      return new Response(body, { headers: { "content-type": "application/json" } });
    },
  };
  for (const answer of Object.values(slow)) {
    const server = openDocumentServer(() => {
      queueMicrotask(() => server.timeOut());
      return answer();
    });
    const documents = createClientDocuments({ clock: Date.now, network: server.network });
    assertEquals(await documents.find(ID, "a"), null);
  }
});

Deno.test("a document is cached for 5 minutes to 24 hours, and kept while its origin fails", async () => {
  let now = 0;
  let respond = (path: string) =>
    Response.json(documentAt(path), { headers: { "cache-control": "max-age=1" } });
  await using server = openDocumentServer((path) => respond(path));
  const { find } = createClientDocuments({ clock: () => now, network: server.network });
  const fetches = async (at: number) => {
    const before = server.paths.length;
    now = at;
    const client = await find(ID, "a");
    return [client?.name, server.paths.length - before];
  };
  assertEquals(await fetches(0), ["Documented app", 1]);
  assertEquals(await fetches(5 * MINUTE_MS - 1), ["Documented app", 0]);
  respond = (path) =>
    Response.json(documentAt(path), { headers: { "cache-control": "max-age=9999999" } });
  assertEquals(await fetches(5 * MINUTE_MS), ["Documented app", 1]);
  assertEquals(await fetches(5 * MINUTE_MS + DAY_MS - 1), ["Documented app", 0]);

  respond = () => new Response(null, { status: 503 });
  const failed = 5 * MINUTE_MS + DAY_MS;
  assertEquals(await fetches(failed), ["Documented app", 1]);
  assertEquals(await fetches(failed + MINUTE_MS - 1), ["Documented app", 0]);
  assertEquals(await fetches(failed + 7 * DAY_MS), [undefined, 1]);

  respond = (path) => Response.json(documentAt(path));
  assertEquals(await fetches(failed + 8 * DAY_MS), ["Documented app", 1]);
  respond = () => new Response(null, { status: 404 });
  assertEquals(await fetches(failed + 9 * DAY_MS), [undefined, 1]);
});

Deno.test("requests for one document at the same time fetch it once", async () => {
  await using server = openDocumentServer((path) => Response.json(documentAt(path)));
  const { find } = createClientDocuments({ clock: Date.now, network: server.network });
  const found = await Promise.all(Array.from({ length: 20 }, () => find(ID, "a")));
  assertEquals(new Set(found.map((client) => client?.name)), new Set(["Documented app"]));
  assertEquals(server.paths.length, 1);
});

Deno.test("slow documents of one requester make no others fail, and at most 100 are fetched at once", async () => {
  let open = 0;
  let most = 0;
  const held = Promise.withResolvers<void>();
  await using server = openDocumentServer(async (path) => {
    open++;
    most = Math.max(most, open);
    if (path.startsWith("/slow")) await held.promise;
    open--;
    return Response.json(documentAt(path));
  });
  const { find } = createClientDocuments({ clock: Date.now, network: server.network });
  const slow = (count: number, requester: string) =>
    Array.from(
      { length: count },
      (_, i) => find(`https://localhost/slow${requester}${i}`, requester),
    );
  const ten = slow(10, "b");
  assertEquals((await find("https://localhost/1", "b"))?.name, "Documented app");
  const many = slow(150, "c");
  assertEquals((await find("https://localhost/2", "d"))?.name, "Documented app");
  assertEquals((await find("https://localhost/3", "c"))?.name, "Documented app");
  held.resolve();
  const found = (clients: unknown[]) => clients.filter((client) => client !== null).length;
  assertEquals(found(await Promise.all(ten)), 10);
  // Fetches that were aborted for others are not cached as failures.
  assert(found(await Promise.all(many)) < 90);
  assertEquals((await find("https://localhost/slowc0", "c"))?.name, "Documented app");
  assert(most <= 100, `${most} at once`);
});

Deno.test("the documents that were used last are kept", async () => {
  await using server = openDocumentServer((path) => Response.json(documentAt(path)));
  const documents = createClientDocuments({
    clock: () => 0,
    network: server.network,
    maxDocuments: 2,
  });
  for (const path of ["/a", "/b", "/a", "/c", "/a", "/b"]) {
    await documents.find(`https://localhost${path}`, "a");
  }
  assertEquals(server.paths, ["/a", "/b", "/c", "/b"]);
});

Deno.test("the page about a document that is not valid says what is wrong with it", async () => {
  let document = documentAt("/client.json");
  await using server = openDocumentServer(() => Response.json(document));
  for (
    const [changes, message] of [
      [{ token_endpoint_auth_method: "private_key_jwt" }, "Only public clients"],
      [{ redirect_uris: ["http://app.example/"] }, "redirect_uris is missing or not allowed"],
      [{ client_id: "https://localhost/other.json" }, "client_id is not the address"],
    ] as const
  ) {
    document = documentAt("/client.json", changes);
    await using site = await createSite({}, { network: server.network });
    const response = await site.request("foundation-mcp", authorizePath(ID));
    assertEquals(response.status, 400);
    assertStringIncludes(await response.text(), message);
  }
});

Deno.test("a document that cannot be read shows the same page as an unknown client", async () => {
  await using server = openDocumentServer(() => new Response(null, { status: 500 }));
  await using site = await createSite({}, { network: server.network });
  const response = await site.request("foundation-mcp", authorizePath(ID));
  assertEquals(response.status, 400);
  assertStringIncludes(await response.text(), "The app is not registered here");
  assertEquals((await registerClient(site)).length, 22);
});
