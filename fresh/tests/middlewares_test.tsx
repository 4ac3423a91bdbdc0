import {
  App,
  csp,
  type CSPOptions,
  csrf,
  type CsrfOptions,
  type PageProps,
  trailingSlashes,
} from "fresh";
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { appWith, clientOf } from "./setup.tsx";

function Page({ Component }: PageProps) {
  return (
    <html>
      <head>
        <style>{"p { color: red }"}</style>
      </head>
      <body>
        <script src="/own.js" />
        <script nonce="given">1</script>
        <Component />
      </body>
    </html>
  );
}

async function cspClient(options: CSPOptions = { useNonce: true }) {
  const app = await appWith<unknown>({ routes: { _app: { default: Page } } });
  return clientOf(
    app.use(csp(options)).fsRoutes()
      .get("/", (ctx) => ctx.render(null))
      .get("/json", (ctx) => ctx.json({}))
      .get("/redirect", () => Response.redirect("http://localhost/x")),
  );
}

const HEADER = "content-security-policy";
const directives = (policy: string | null) =>
  new Map(policy?.split("; ").map((line) => [line.split(" ")[0], line]));

Deno.test("csp() sets the default policy", async () => {
  const { headers } = await (await cspClient())("/json");
  assertEquals(headers.get(HEADER)?.split("; "), [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' data: blob:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "upgrade-insecure-requests",
  ]);
});

Deno.test("csp() adds directives at the end, in place of defaults of the same name", async () => {
  const client = await cspClient({
    useNonce: true,
    csp: ["img-src *", "require-trusted-types-for 'script'"],
  });
  const policy = (await client("/")).headers.get(HEADER)!;
  const found = directives(policy);
  assertEquals(policy.split("; ").slice(-2), ["img-src *", "require-trusted-types-for 'script'"]);
  assertEquals(found.get("font-src"), "font-src 'self'");
  assertEquals(policy.match(/img-src/g)!.length, 1);
});

Deno.test("csp(): a page's scripts and styles have the header's nonce", async () => {
  const client = await cspClient();
  const response = await client("/");
  const policy = response.headers.get(HEADER)!;
  const nonce = /script-src 'self' 'nonce-([\w+/=-]{22,})'(?:;|$)/.exec(policy)?.[1];
  assert(nonce);
  assertEquals(directives(policy).get("style-src"), `style-src 'self' 'nonce-${nonce}'`);
  const html = await response.text();
  assertMatch(html, new RegExp(`<style[^>]* nonce="${nonce}"`));
  assertMatch(html, new RegExp(`<script src="/own.js" nonce="${nonce}"`));
  assertMatch(html, /<script nonce="given">/);
  assertNotEquals((await client("/")).headers.get(HEADER), policy);
});

Deno.test("csp(): a response that is not a page allows no inline code", async () => {
  const client = await cspClient();
  for (const path of ["/json", "/redirect"]) {
    const policy = (await client(path)).headers.get(HEADER);
    assertEquals(directives(policy).get("script-src"), "script-src 'self'", path);
  }
});

const OWN = "http://localhost";
const OTHER = "http://other.example";

/** Returns whether a request passes `csrf()`; `-` means that the header is absent. */
async function passes(
  options: CsrfOptions | undefined,
  method: string,
  site: string,
  origin: string,
): Promise<boolean> {
  const app = new App().use(csrf(options)).all("/", () => new Response("passed"));
  const headers = new Headers();
  if (site !== "-") headers.set("sec-fetch-site", site);
  if (origin !== "-") headers.set("origin", origin);
  const { status } = await clientOf(app)("/", { method, headers });
  assertEquals([200, 403].includes(status), true);
  return status === 200;
}

Deno.test("csrf() lets safe methods pass from any site", async () => {
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    for (const site of ["-", "same-origin", "same-site", "cross-site", "none"]) {
      for (const origin of ["-", OWN, OTHER, "null"]) {
        assertEquals(await passes(undefined, method, site, origin), true, `${method} ${site}`);
      }
    }
  }
});

Deno.test("csrf() returns 403 for unsafe methods from other origins", async () => {
  const table: [site: string, origin: string, passes: boolean][] = [
    ["-", "-", true],
    ["-", OWN, true],
    ["-", OTHER, false],
    ["-", "null", false],
    ["-", `${OWN}:8001`, false],
    ["-", "https://localhost", false],
    ["same-origin", "-", true],
    ["same-origin", OWN, true],
    ["none", "-", true],
    ["same-site", "-", false],
    ["same-site", "http://sub.localhost", false],
    ["cross-site", "-", false],
    ["cross-site", OTHER, false],
    ["cross-site", "null", false],
  ];
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    for (const [site, origin, expected] of table) {
      const message = `${method} ${site} ${origin}`;
      assertEquals(await passes(undefined, method, site, origin), expected, message);
    }
  }
});

Deno.test("csrf() with an origin function accepts the origins that it accepts", async () => {
  const options: CsrfOptions = {
    origin: (origin, ctx) => origin === OTHER && ctx.req.method === "POST",
  };
  assertEquals(await passes(options, "POST", "cross-site", OTHER), true);
  assertEquals(await passes(options, "POST", "-", OTHER), true);
  assertEquals(await passes(options, "PUT", "cross-site", OTHER), false);
  assertEquals(await passes(options, "POST", "cross-site", "http://fourth.example"), false);
  assertEquals(await passes(options, "POST", "cross-site", "-"), false);
  assertEquals(await passes(options, "POST", "-", OWN), false);
  assertEquals(await passes(options, "POST", "same-origin", OWN), true);
});

Deno.test('trailingSlashes("never") redirects to the path without a slash', async () => {
  const app = new App().use(trailingSlashes("never")).use(() => new Response(""));
  const table: Record<string, string | null> = {
    "/": null,
    "/a": null,
    "/a/": "/a",
    "/a/?q=/": "/a?q=/",
    "/a/b/": "/a/b",
    "//evil.example/": "/evil.example",
  };
  for (const [path, location] of Object.entries(table)) {
    const response = await clientOf(app)(path);
    assertEquals([path, response.headers.get("location")], [path, location]);
    assertEquals(response.status, location === null ? 200 : 302);
  }
});
