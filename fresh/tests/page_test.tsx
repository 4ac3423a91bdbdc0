import { HttpError, type PageProps } from "fresh";
import { Head } from "fresh/runtime";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { assertEquals, assertMatch } from "@std/assert";
import { appWith, clientOf, quietly } from "./setup.tsx";

function Wrapper({ Component }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>App</title>
        <meta name="description" content="app" />
        <meta property="og:title" content="app" />
        <link rel="icon" href="/app.svg" id="icon" />
        <link key="theme" rel="stylesheet" href="/app.css" />
      </head>
      <body class="app">
        <Component />
      </body>
    </html>
  );
}

/** Creates a client of an app with these pages, by path below `routes/`. */
async function pages(components: Record<string, (props: PageProps) => VNode>) {
  const routes = Object.entries(components).map(([name, component]) =>
    [name, { default: component }] as const
  );
  const app = await appWith<unknown>({
    routes: { _app: { default: Wrapper }, ...Object.fromEntries(routes) },
  });
  return clientOf(app.fsRoutes());
}

/** Renders JSX to a page. */
async function html(vnode: VNode): Promise<string> {
  return await (await (await pages({ index: () => vnode }))("/")).text();
}

const head = (text: string) => text.match(/<head>(.*)<\/head>/s)![1];
const HEAD = [
  '<meta charset="utf-8"/>',
  "<title>App</title>",
  '<meta name="description" content="app"/>',
  '<meta property="og:title" content="app"/>',
  '<link rel="icon" href="/app.svg" id="icon"/>',
  '<link rel="stylesheet" href="/app.css"/>',
];

/** A child of `<Head>`, and the index of the wrapper's element that it replaces. */
const HEADS: Record<string, { child: VNode; replaces?: number; html: string }> = {
  "a title replaces the wrapper's": {
    child: <title>Page</title>,
    replaces: 1,
    html: "<title>Page</title>",
  },
  "a meta replaces the one with the same name": {
    child: <meta name="description" content="page" />,
    replaces: 2,
    html: '<meta name="description" content="page"/>',
  },
  "a meta replaces the one with the same property": {
    child: <meta property="og:title" content="page" />,
    replaces: 3,
    html: '<meta property="og:title" content="page"/>',
  },
  "a meta with another name is added": {
    child: <meta name="robots" content="noindex" />,
    html: '<meta name="robots" content="noindex"/>',
  },
  "an element replaces the one with the same id": {
    child: <link rel="icon" href="/page.svg" id="icon" />,
    replaces: 4,
    html: '<link rel="icon" href="/page.svg" id="icon"/>',
  },
  "an element replaces the one with the same key": {
    child: <link key="theme" rel="stylesheet" href="/page.css" />,
    replaces: 5,
    html: '<link rel="stylesheet" href="/page.css"/>',
  },
};

for (const [name, { child, replaces, html: added }] of Object.entries(HEADS)) {
  Deno.test(`Head: ${name}`, async () => {
    const page = await html(
      <main>
        <Head>{child}</Head>
        <p>body</p>
      </main>,
    );
    assertEquals(head(page), HEAD.filter((_, i) => i !== replaces).join("") + added);
    assertMatch(page, /<body class="app"><main><p>body<\/p><\/main><\/body>/);
  });
}

Deno.test("Head: elements without an identity are all added", async () => {
  const page = await html(
    <Head>
      <link rel="preload" href="/a" />
      <link rel="preload" href="/b" />
    </Head>,
  );
  const added = '<link rel="preload" href="/a"/><link rel="preload" href="/b"/>';
  assertEquals(head(page), HEAD.join("") + added);
});

Deno.test("Head: of two elements with the same identity, the last one wins", async () => {
  const Part = ({ title }: { title: string }) => (
    <Head>
      <title>{title}</title>
      <meta name="robots" content={title} />
    </Head>
  );
  const page = await html(
    <main>
      <Part title="one" />
      <div>
        <Part title="two" />
      </div>
    </main>,
  );
  assertEquals(page.match(/<title>.*?<\/title>/g), ["<title>two</title>"]);
  assertEquals(page.match(/<meta name="robots"[^>]*>/g), ['<meta name="robots" content="two"/>']);
});

Deno.test("Head: its text is escaped, and its components are rendered", async () => {
  const Title = () => <title>{"</title><script>alert(1)</script>"}</title>;
  const page = await html(
    <Head>
      <Title />
    </Head>,
  );
  assertEquals(page.includes("<script>"), false);
  assertMatch(page, /&lt;\/title>&lt;script>/);
});

Deno.test("JSX that is created once can be rendered for every request", async () => {
  const once = (
    <main>
      <Head>
        <title>Once</title>
      </Head>
      <style>{"p{}"}</style>
    </main>
  );
  const client = await pages({ index: () => once });
  const nonces = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const page = await (await client("/")).text();
    assertMatch(page, /<title>Once<\/title>/);
    nonces.add(page.match(/<style nonce="(\w+)"/)![1]);
  }
  assertEquals(nonces.size, 3);
});

Deno.test("pages and layouts can use hooks", async () => {
  const client = await pages({
    _layout: ({ Component }) => {
      const [n] = useState(1);
      return (
        <div title={`${n}`}>
          <Component />
        </div>
      );
    },
    index: () => {
      const [n] = useState(2);
      return <p>{n}</p>;
    },
  });
  assertMatch(await (await client("/")).text(), /<div title="1"><p>2<\/p><\/div>/);
});

Deno.test("an error in a component is handled like an error in a handler", async () => {
  const Broken = (): VNode => {
    throw new HttpError(402, "pay first");
  };
  const client = await pages({
    page: Broken,
    deep: () => <div>{[<Broken key="b" />]}</div>,
    vague: () => {
      throw new Error("secret");
    },
    fine: () => <p>fine</p>,
  });
  for (const path of ["/page", "/deep"]) {
    const response = await client(path);
    assertEquals([path, response.status, await response.text()], [path, 402, "pay first"]);
  }
  await quietly(async () => {
    const response = await client("/vague");
    assertEquals([response.status, await response.text()], [500, "Internal Server Error"]);
  });
  assertMatch(await (await client("/fine")).text(), /<p>fine<\/p>/);
});

Deno.test("text is escaped, and only dangerouslySetInnerHTML inserts HTML", async () => {
  const evil = "<img src=x onerror=alert(1)>\"'&";
  const Echo = ({ children }: { children: ComponentChildren }) => <div>{children}</div>;
  const page = await html(
    <section title={evil}>
      <Echo>{evil}</Echo>
      <p dangerouslySetInnerHTML={{ __html: "<b>bold</b>" }} />
    </section>,
  );
  assertEquals(page.includes("<img"), false);
  assertMatch(page, /<p><b>bold<\/b><\/p>/);
});
