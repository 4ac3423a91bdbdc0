import { App } from "fresh";
import { Builder } from "fresh/dev";
import { assertEquals, assertMatch } from "@std/assert";
import { clientOf, quietly } from "./client.ts";
import { copyOfSite } from "./site.ts";

await using site = await copyOfSite();
const apply = await new Builder({ root: site.root }).build({ snapshot: "memory" });

function app(pattern?: string) {
  const own = new App().fsRoutes(pattern);
  apply(own);
  return clientOf(own);
}

const body = (html: string) => html.match(/<body>(.*)<\/body>/s)?.[1] ?? html;
const main = (inner: string, trail = "root") => `<main data-trail="${trail}">${inner}</main>`;
const article = (inner: string) => main(`<article>${inner}</article>`, "root blog1 blog2");

const PAGES: Record<string, string> = {
  "/": main("<h1>Home</h1>"),
  "/about": main("<h1>about</h1>"),
  "/about/": main("<h1>about</h1>"),
  "/blog": article("<h1>Blog</h1>"),
  "/blog/archive": article("<h1>Archive</h1>"),
  "/blog/first": article("<h1>Post first</h1>"),
  "/docs": main("<h1>Docs </h1>"),
  "/docs/a": main("<h1>Docs a</h1>"),
  "/docs/a/b.html": main("<h1>Docs a/b.html</h1>"),
  "/list": main("<h1>List </h1>"),
  "/list/2": main("<h1>List 2</h1>"),
  "/elsewhere/7": main("<h1>Override 7</h1>"),
  "/bare": "<h1>Bare</h1>",
};

Deno.test("files become pages at their addresses, in their layouts and middlewares", async () => {
  const client = app();
  for (const [path, expected] of Object.entries(PAGES)) {
    const response = await client(path);
    assertEquals([path, response.status, body(await response.text())], [path, 200, expected]);
  }
});

Deno.test("_app is around pages, save where a route skips it", async () => {
  const client = app();
  const about = await (await client("/about")).text();
  assertMatch(about, /^<!DOCTYPE html><html lang="en"><head>.*<title>\/about<\/title>/);
  assertEquals((await (await client("/bare")).text()).includes("<title>"), false);
});

Deno.test("a group scopes its layout and middleware, not its address", async () => {
  const client = app();
  const response = await client("/pricing");
  assertEquals(response.headers.get("x-marketing"), "1");
  assertMatch(
    body(await response.text()),
    /^<section><div><h1>Pricing<\/h1><!--frsh:island:Deal:0:--><button type="button" ?>take<\/button><!--\/frsh:island--><\/div><\/section>/,
  );
  assertEquals((await client("/about")).headers.get("x-marketing"), null);
});

Deno.test("handlers answer by method, with data, headers and redirects", async () => {
  const client = app();
  assertEquals((await client("/about")).headers.get("x-page"), "about");
  const posted = await client("/about", { method: "POST" });
  assertEquals([posted.status, posted.headers.get("location")], [303, "/about"]);
  assertEquals(await (await client("/api/time")).json(), { trail: ["root"] });
  assertEquals((await client("/api/time", { method: "DELETE" })).status, 204);
  for (const method of ["GET", "POST", "PATCH"]) {
    assertEquals(await (await client("/api/any", { method })).text(), method);
  }
});

Deno.test("_error holds for its folder and below, with the error's status", async () => {
  const client = app();
  const root = (text: string) => main(`<p>root error ${text}</p>`);
  const blog = (text: string) => article(`<p>blog error ${text}</p>`);
  const table: [path: string, status: number, expected: string][] = [
    ["/none", 404, root("404")],
    ["/broken", 500, root("unknown")],
    ["/blog/missing", 404, blog("404")],
    ["/blog/broken", 500, blog("unknown")],
    ["/blog/none/none", 404, root("404")],
  ];
  await quietly(async () => {
    for (const [path, status, expected] of table) {
      const response = await client(path);
      assertEquals([path, response.status, body(await response.text())], [path, status, expected]);
    }
  });
});

Deno.test("what is no route is not found", async () => {
  const client = app();
  const paths = [
    "/about_test",
    "/about.test",
    "/_app",
    "/_layout",
    "/_middleware",
    "/_error",
    "/(marketing)/pricing",
    "/(_helpers)/helper",
    "/helper",
    "/(_islands)/Deal",
    "/Deal",
    "/README",
    "/README.md",
    "/override",
    "/index",
    "/about/x",
    "/elsewhere",
  ];
  for (const path of paths) assertEquals([path, (await client(path)).status], [path, 404]);
});

Deno.test("fsRoutes() takes a pattern below which the files' routes stand", async () => {
  const client = app("/site");
  const table: Record<string, number> = {
    "/site": 200,
    "/site/about": 200,
    "/site/blog/first": 200,
    "/site/docs": 200,
    "/site/elsewhere/7": 200,
    "/site/api/time": 200,
    "/about": 404,
    "/elsewhere/7": 404,
  };
  for (const [path, status] of Object.entries(table)) {
    assertEquals([path, (await client(path)).status], [path, status]);
  }
  assertEquals(await (await client("/site/api/time")).json(), { trail: ["root"] });
});

Deno.test("what is added before fsRoutes() holds for it; routes there come first", async () => {
  const own = new App<{ trail?: string[] }>()
    .use((ctx) => {
      ctx.state.trail = ["before"];
      return ctx.next();
    })
    .get("/early", (ctx) => ctx.text("early"))
    .fsRoutes()
    .get("/late", (ctx) => ctx.json(ctx.state.trail));
  apply(own);
  const client = clientOf(own);
  assertEquals(await (await client("/early")).text(), "early");
  assertEquals(await (await client("/api/time")).json(), { trail: ["before", "root"] });
  // The files' root middleware is the app's from there on.
  assertEquals(await (await client("/late")).json(), ["before", "root"]);
});

Deno.test("_404 answers what is not found, with that status", async () => {
  await using own = await copyOfSite();
  await Deno.writeTextFile(
    `${own.root}/routes/_404.tsx`,
    "export default () => <p>nothing here</p>;\n",
  );
  const applyOwn = await new Builder({ root: own.root }).build({ snapshot: "memory" });
  const site = new App().fsRoutes();
  applyOwn(site);
  const client = clientOf(site);
  for (const path of ["/none", "/blog/missing"]) {
    const response = await client(path);
    assertEquals(response.status, 404);
    assertMatch(body(await response.text()), /<p>nothing here<\/p>/);
  }
  assertEquals((await client("/broken")).status, 500);
});
