import {
  assert,
  assertEquals,
  assertFalse,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { productionEnv } from "../lib/app/testing/production.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite, serve } from "./site.ts";

const site = await createSite({ MCP_RATE_LIMIT: "0" });
const LINK =
  /<http:\/\/mcp\.foundation\.localhost:8000\/mcp>; rel="mcp-server"; type="application\/json"/;

const CLOSED = "default-src 'none'; frame-ancestors 'none'";
const JSON_TYPE = { "content-type": "application/json" };
const INITIALIZE: RequestInit = {
  method: "POST",
  headers: { ...JSON_TYPE, accept: "application/json, text/event-stream" },
  body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
};
const NOSNIFF = "x-content-type-options";
const PROGRAM = ["content-security-policy", "content-type", NOSNIFF];
const PAGE = [...PROGRAM, "permissions-policy", "referrer-policy"];
const CACHED = ["cache-control", "etag"];
const FILE = [...PAGE, ...CACHED, "accept-ranges", "content-length", "vary"];

const SCRIPT = [...CACHED, "accept-ranges", "content-length", "content-type", "vary", NOSNIFF];
/** The path of a script of the build. */
const script = /(?<=modulepreload" href=")[^"]+/.exec(
  await (await site.request("site", "/")).text(),
)![0];

/** Every header of each kind of response, except `Link` on marketing sites. */
const KINDS: [SurfaceName, path: string, init: RequestInit, status: number, names: string[]][] = [
  ["foundation", "/", {}, 200, [...PAGE, ...CACHED, "vary"]],
  ["foundation", "/contact", {}, 200, [...PAGE, "cache-control", "vary"]],
  ["foundation", "/nowhere", {}, 404, [...PAGE, "cache-control", "vary"]],
  ["foundation", "/", { method: "DELETE" }, 405, [...PAGE, "allow", "cache-control", "vary"]],
  ["foundation", "/styles/tokens.css", {}, 200, FILE],
  ["foundation", script, {}, 200, SCRIPT],
  ["site", script, { headers: { "if-none-match": "*" } }, 304, [
    ...CACHED,
    "content-type",
    "vary",
    NOSNIFF,
  ]],
  ["site", "/_fresh/js/older/fresh.js", {}, 404, [...PAGE, "cache-control", "vary"]],
  [
    "foundation",
    "/styles/tokens.css?__frsh_c=older",
    {},
    307,
    [...PAGE.filter((name) => name !== "content-type"), "location"],
  ],
  [
    "foundation",
    "/",
    { method: "POST", headers: { "sec-fetch-site": "cross-site" } },
    403,
    [...PAGE, "cache-control", "vary"],
  ],
  ["foundation", "/nowhere", { headers: { accept: "application/json" } }, 404, [
    ...PROGRAM,
    "cache-control",
  ]],
  ["foundation", "/.well-known/mcp", {}, 200, [
    ...PROGRAM,
    ...CACHED,
    "access-control-allow-origin",
    "access-control-expose-headers",
  ]],
  ["foundation", "/.well-known/nothing", {}, 404, [...PROGRAM, "cache-control"]],
  ["site", "/api/qualifications", {}, 200, [...PROGRAM, "cache-control"]],
  ["site", "/api/nothing", {}, 404, [...PROGRAM, "cache-control"]],
  ["foundation-mcp", "/mcp/server-card", {}, 200, [
    ...PROGRAM,
    ...CACHED,
    "access-control-allow-origin",
    "access-control-expose-headers",
  ]],
  ["foundation-mcp", "/mcp/nothing", {}, 404, [...PROGRAM, "cache-control"]],
  ["foundation-mcp", "/mcp", {}, 405, [...PROGRAM, "allow"]],
  ["foundation-mcp", "/authorize", {}, 400, [...PAGE, "cache-control", "vary"]],
  ["foundation-mcp", "/register", { ...INITIALIZE, body: "{}" }, 400, [
    ...PROGRAM,
    ...["access-control-allow-origin", "access-control-expose-headers", "cache-control", "pragma"],
  ]],
  ["foundation-mcp", "/.well-known/oauth-protected-resource/mcp", {}, 200, [
    ...PROGRAM,
    ...CACHED,
    "access-control-allow-origin",
    "access-control-expose-headers",
  ]],
  ["foundation-mcp", "/mcp", INITIALIZE, 200, ["content-type", NOSNIFF]],
  ["foundation-mcp", "/mcp", { method: "POST" }, 415, ["content-type", NOSNIFF]],
  ["workbench", "/mcp", INITIALIZE, 200, ["content-type", NOSNIFF]],
  ["trust", "/mcp", INITIALIZE, 404, ["content-type", NOSNIFF]],
];

for (const [surface, path, init, status, names] of KINDS) {
  const accept = new Headers(init.headers).get("accept");
  const title = `${init.method ?? "GET"} ${path}${accept ? ` as ${accept}` : ""} on ${surface}`;
  Deno.test(`${title} returns ${status} with exactly the headers of its kind`, async () => {
    const response = await site.request(surface, path, init);
    await response.body?.cancel();
    assertEquals(response.status, status);
    const { headers } = response;
    const link = surface === "foundation" ? ["link"] : [];
    assertEquals([...headers.keys()].sort(), [...names, ...link, "request-id"].sort());
    assertEquals(headers.get(NOSNIFF), "nosniff");
    if (link.length > 0) assertMatch(headers.get("link")!, LINK);
    const policy = headers.get("content-security-policy");
    if (names.includes("permissions-policy")) {
      assertMatch(policy!, /default-src 'self'/);
      assertStringIncludes(policy!, "frame-ancestors 'none'");
      assertFalse(policy!.includes("unsafe-inline"), policy!);
      assertFalse(policy!.includes("upgrade-insecure-requests"), policy!);
    } else if (policy !== null) {
      assertEquals(policy, CLOSED);
    }
  });
}

Deno.test("production sends HSTS with every kind of response, with the value of HSTS", async () => {
  const production = (env: Record<string, string>) =>
    createSite(productionEnv({
      foundation: ["foundation.example"],
      "foundation-mcp": ["mcp.foundation.example"],
    }, env));
  const whole = "max-age=60; includeSubDomains; preload";
  for (const [env, expected] of [[{}, "max-age=63072000"], [{ HSTS: whole }, whole]] as const) {
    await using secure = await production(env);
    const requests: [SurfaceName, string, RequestInit?][] = [
      ["foundation", "/"],
      ["foundation", "/nowhere"],
      ["foundation", "/styles/tokens.css"],
      ["foundation", "/.well-known/mcp"],
      ["foundation-mcp", "/mcp", INITIALIZE],
    ];
    for (const [surface, path, init] of requests) {
      const { headers, body } = await secure.request(surface, path, init);
      await body?.cancel();
      assertEquals(headers.get("strict-transport-security"), expected, path);
    }
    const elsewhere = await secure.handler(
      new Request("http://elsewhere.example/", { headers: { host: "elsewhere.example" } }),
    );
    assertEquals(elsewhere.status, 421);
    assertEquals(elsewhere.headers.get("strict-transport-security"), expected);
    assertEquals(elsewhere.headers.get("content-security-policy"), CLOSED);
  }
});

Deno.test("/healthz, /readyz and a URL that is too long have the MCP link on marketing sites only", async () => {
  for (const path of ["/healthz", "/readyz", "/metrics", `/${"a".repeat(9_000)}`]) {
    const linkOn = async (surface: SurfaceName) => {
      const { headers, body } = await site.request(surface, path);
      await body?.cancel();
      return headers.get("link");
    };
    assertMatch((await linkOn("foundation"))!, LINK);
    assertStringIncludes((await linkOn("commercial"))!, "mcp.commercial.localhost:8000");
    assertEquals(await linkOn("site"), null);
  }
});

Deno.test("public pages have one canonical address, and a title, text and picture for previews of links", async () => {
  const pages: [SurfaceName, path: string][] = [
    ...["/", "/docs", "/docs/issuing", "/docs/errors"].map((path) => ["api", path] as const),
    ...["/", "/check", "/terms", "/log", "/log/about", "/verify"].map((path) =>
      ["trust", path] as const
    ),
    ["foundation", "/governance"],
    ["commercial", "/security"],
    ["investor", "/"],
    ["foundation-mcp", "/"],
    ["commercial-mcp", "/"],
  ] as [SurfaceName, string][];
  for (const [surface, path] of pages) {
    const response = await site.request(surface, path);
    const html = (await response.text()).replace(/<\/head>.*/s, "");
    const { baseUrl, organisation } = site.services.surfaces.get(surface)!;
    const valuesOf = (pattern: RegExp) => Array.from(html.matchAll(pattern), ([, value]) => value);
    const where = `${surface} ${path}`;
    assertEquals(valuesOf(/rel="canonical" href="([^"]*)"/g), [baseUrl + path], where);
    assertEquals(valuesOf(/"og:url" content="([^"]*)"/g), [baseUrl + path], where);
    assertEquals(valuesOf(/"og:image" content="([^"]*)"/g), [`${baseUrl}/og-${organisation}.png`]);
    const [title, text] = [/<title>([^<]*)/g, /name="description" content="([^"]*)"/g].map(
      valuesOf,
    );
    assertEquals(valuesOf(/"og:title" content="([^"]*)"/g), title, where);
    assertEquals(valuesOf(/"og:description" content="([^"]*)"/g), text, where);
    assertEquals([title.length, text.length], [1, 1], where);
  }
  const image = await site.request("trust", "/og-commercial.png");
  assertEquals(image.headers.get("content-type"), "image/png");
  await image.body?.cancel();
});

Deno.test("a 304 has the MCP link", async () => {
  const first = await site.request("foundation", "/styles/tokens.css");
  await first.body?.cancel();
  const second = await site.request("foundation", "/styles/tokens.css", {
    headers: { "if-none-match": first.headers.get("etag")! },
  });
  assertEquals(second.status, 304);
  assertMatch(second.headers.get("link")!, LINK);
});

Deno.test("a token in the URL sets Referrer-Policy: no-referrer on every response", async () => {
  const policyOf = async (surface: SurfaceName, path: string, init?: RequestInit) => {
    const response = await site.request(surface, path, init);
    await response.body?.cancel();
    return [response.status, response.headers.get("referrer-policy")];
  };
  const strict = "no-referrer";
  assertEquals(await policyOf("site", "/auth/verify?token=x", { method: "PUT" }), [405, strict]);
  assertEquals(await policyOf("trust", "/confirm?token=x", { method: "PUT" }), [405, strict]);
  assertEquals(await policyOf("trust", "/confirm/?token=x"), [302, strict]);
  assertEquals(await policyOf("trust", "/nowhere?a=b&token="), [404, strict]);
  const usual = "strict-origin-when-cross-origin";
  assertEquals(await policyOf("trust", "/nowhere?tokens=x"), [404, usual]);
});

Deno.test("surfaces other than marketing sites send no MCP link", async () => {
  for (const name of ["site", "trust", "foundation-mcp", "workbench"] as const) {
    const response = await site.request(name, "/");
    await response.body?.cancel();
    assertEquals(response.headers.get("link"), null);
  }
});

Deno.test("every page of a marketing site has both link tags, including error pages", async () => {
  for (const name of ["foundation", "commercial"] as const) {
    for (const path of ["/", "/nowhere"]) {
      const html = await (await site.request(name, path)).text();
      const head = html.slice(0, html.indexOf("</head>"));
      const base = `http://${name}.localhost:8000`;
      assertStringIncludes(
        head,
        `<link rel="mcp-server" href="http://mcp.${name}.localhost:8000/mcp" title="`,
      );
      assertStringIncludes(
        head,
        `<link rel="mcp-server-card" href="${base}/.well-known/mcp/server-card.json" type="application/json"/>`,
      );
    }
  }
});

Deno.test("a page's script has the nonce of its policy, which differs each time", async () => {
  const nonces = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const response = await site.request("site", "/");
    const html = await response.text();
    const nonce = /<script type="module" nonce="([\w-]+)">/.exec(html)![1];
    assertStringIncludes(
      response.headers.get("content-security-policy")!,
      `script-src 'self' 'nonce-${nonce}'`,
    );
    nonces.add(nonce);
  }
  assertEquals(nonces.size, 2);
});

const directivesOf = async (of: typeof site, surface: SurfaceName, path = "/") => {
  const response = await of.request(surface, path);
  await response.body?.cancel();
  const lines = response.headers.get("content-security-policy")!.split("; ");
  return Object.fromEntries(lines.map((line) => {
    const [name, ...sources] = line.split(" ");
    return [name, sources.join(" ").replace(/'nonce-[\w-]+'/, "'nonce-…'")];
  }));
};

Deno.test("pages with the contact form or a chain may call the API, others only their own origin", async () => {
  const api = "http://api.localhost:8000";
  for (const name of ["foundation", "commercial", "investor", "trust", "workbench"] as const) {
    const policy = await directivesOf(site, name);
    // The foundation's verifier also requests the publisher's keys.
    const keys = name === "foundation" ? " http://trust.localhost:8000" : "";
    assertEquals(policy["connect-src"], `'self' ${api}${keys}`, name);
    assertEquals(policy["form-action"], `'self' ${api}`, name);
    assertEquals([policy["default-src"], policy["frame-src"]], ["'self'", undefined], name);
  }
  for (const name of ["site", "api", "foundation-mcp"] as const) {
    const policy = await directivesOf(site, name);
    assertEquals([policy["connect-src"], policy["form-action"]], ["'self'", "'self'"], name);
  }
});

Deno.test("without an api surface, pages may call only their own origin", async () => {
  await using alone = await createSite({
    SURFACE_HOSTS: JSON.stringify({ trust: ["trust.localhost"] }),
  });
  const policy = await directivesOf(alone, "trust");
  assertEquals([policy["connect-src"], policy["form-action"]], ["'self'", "'self'"]);
});

Deno.test("with a bot challenge configured, pages with the form may load it", async () => {
  await using guarded = await createSite({
    CHALLENGE_SITE_KEY: "k",
    CHALLENGE_SECRET: "s",
    CHALLENGE_VERIFY_URL: "https://verify.example/siteverify",
    CHALLENGE_SCRIPT_URL: "https://challenge.example/v0/api.js?render=explicit",
  });
  const origin = "https://challenge.example";
  for (const name of ["foundation", "commercial", "investor", "workbench"] as const) {
    const policy = await directivesOf(guarded, name);
    assertEquals(policy["script-src"], `'self' 'nonce-…' ${origin}`, name);
    assertEquals(policy["frame-src"], `'self' ${origin}`, name);
    const keys = name === "foundation" ? "http://trust.localhost:8000 " : "";
    assertEquals(policy["connect-src"], `'self' http://api.localhost:8000 ${keys}${origin}`, name);
    assertEquals(policy["form-action"], "'self' http://api.localhost:8000", name);
  }
  for (const name of ["trust", "site", "api"] as const) {
    const policy = await directivesOf(guarded, name);
    assertFalse(Object.values(policy).some((sources) => sources.includes(origin)), name);
  }
  const without = await directivesOf(guarded, "foundation", "/nowhere");
  assertEquals(without["script-src"], `'self' ${origin}`);
});

Deno.test("no page has a style attribute or an inline event handler", async () => {
  for (const { name } of site.services.surfaces.all) {
    const html = await (await site.request(name, "/")).text();
    assertFalse(/\sstyle="/.test(html));
    assertFalse(/\son\w+="/.test(html));
  }
});

Deno.test("the terms, the privacy page and errors load no script", async () => {
  const pages = [["trust", "/terms"], ["trust", "/privacy"], ["site", "/nowhere"]] as const;
  for (const [surface, path] of pages) {
    const html = await (await site.request(surface, path)).text();
    assertFalse(html.includes("<script"));
    assertFalse(html.includes("modulepreload"));
  }
});

Deno.test("the server renders the theme that a visitor chose", async () => {
  const themeOf = async (cookie: string) => {
    const html = await (await site.request("trust", "/terms", { headers: { cookie } })).text();
    const [root] = /<html[^>]*>/.exec(html)!;
    return / data-theme="(\w+)"/.exec(root)?.[1];
  };
  assertEquals(await themeOf("theme=light"), "light");
  assertEquals(await themeOf("a=b; theme=dark; c=d"), "dark");
  assertEquals(await themeOf("theme=pink"), undefined);
  assertEquals(await themeOf("mytheme=dark"), undefined);
});

Deno.test("unsafe requests from another site are rejected, but not those from our pages and programs", async () => {
  const status = async (headers: Record<string, string>) => {
    const response = await site.request("trust", "/terms", { method: "POST", headers });
    await response.body?.cancel();
    return response.status;
  };
  const own = "http://trust.localhost:8000";
  assertEquals(await status({ origin: "https://evil.example" }), 403);
  assertEquals(
    await status({ "sec-fetch-site": "cross-site", origin: "https://evil.example" }),
    403,
  );
  assertEquals(await status({ "sec-fetch-site": "same-site", origin: "http://x.localhost" }), 403);
  const refused = await site.request("trust", "/terms", {
    method: "POST",
    headers: { origin: "https://evil.example", accept: "application/json" },
  });
  assertEquals(await refused.json(), {
    error: "forbidden",
    message: "This request came from another site, so it was refused.",
  });
  // Requests that are let through get 405, because the page supports only GET.
  assertEquals(await status({ origin: own }), 405);
  assertEquals(await status({ "sec-fetch-site": "same-origin", origin: own }), 405);
  assertEquals(await status({}), 405);
});

Deno.test("in production, each surface accepts unsafe requests from its own https origins only", async () => {
  const hosts = {
    "commercial-console": ["ops.example", "ops2.example"],
    "site": ["qualpack.example"],
  };
  await using production = await createSite(productionEnv(hosts));
  const status = async (origin: string, host = "ops.example") => {
    const headers = { host, origin };
    const url = `http://${host}/console`;
    const response = await production.handler(new Request(url, { method: "POST", headers }));
    await response.body?.cancel();
    return response.status;
  };
  for (const origin of ["https://ops.example", "https://ops2.example"]) {
    assertNotEquals(await status(origin), 403, origin);
  }
  // An attacker on the network can change pages that are loaded without TLS.
  for (
    const origin of [
      "http://ops.example",
      "http://ops.example:443",
      "https://ops.example:8443",
      "https://qualpack.example",
      "null",
    ]
  ) {
    assertEquals(await status(origin), 403, origin);
  }
  assertEquals(await status("https://ops.example", "qualpack.example"), 403);
  assertEquals(await status("http://qualpack.example", "qualpack.example"), 403);
});

Deno.test("an unexpected error reveals nothing and logs one line", async () => {
  const lines: Record<string, unknown>[] = [];
  await using broken = await createSite({}, { log: (entry) => lines.push(entry) });
  broken.services.catalogue = new Proxy(broken.services.catalogue, {
    get() {
      throw new Error("the secret is xyzzy");
    },
  });
  const response = await broken.request("site", "/", { headers: { accept: "text/html" } });
  assertEquals(response.status, 500);
  const html = await response.text();
  assertFalse(html.includes("xyzzy"));
  assertStringIncludes(html, "Something went wrong on our side.");
  assertFalse(html.includes("internal"));
  assert(response.headers.has("content-security-policy"));
  assertEquals(lines.length, 1);
  assertEquals(lines[0].event, "internal");
});

Deno.test("HEAD returns what GET returns, without the body", async () => {
  await using server = serve(site.handler);
  const response = await fetch(`http://127.0.0.1:${server.port}/terms`, { method: "HEAD" });
  assertEquals(response.status, 200);
  assertEquals(await response.text(), "");
});

Deno.test("a page is revalidated by caches and varies by Cookie", async () => {
  for (const [path, control] of [["/", "private, no-cache"], ["/contact", "no-cache"]]) {
    const response = await site.request("foundation", path);
    await response.body?.cancel();
    assertEquals(response.headers.get("cache-control"), control);
    assertEquals(response.headers.get("vary"), "Accept-Encoding, Cookie");
  }
});

Deno.test("an error page has no canonical URL", async () => {
  const html = await (await site.request("foundation", "/nowhere")).text();
  assertFalse(html.includes("canonical"));
  assertFalse(html.includes("og:url"));
  assertStringIncludes(html, `<meta name="robots" content="noindex"`);
});

Deno.test("a home page has the same title and description for sharing and for search", async () => {
  for (const name of ["foundation", "commercial"] as const) {
    const html = await (await site.request(name, "/")).text();
    const { name: title, description } = site.services.config.organisations[name];
    assertStringIncludes(html, `<title>${title}: `);
    assertStringIncludes(html, `<meta name="description" content="${description}"/>`);
    assertEquals(html.match(/<title>/g)!.length, 1);
  }
});
