import { App, HttpError, type PageProps } from "fresh";
import { asset, Head } from "fresh/runtime";
import { signal, useComputed } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { assertEquals, assertMatch } from "@std/assert";
import { appWith, clientOf, KEY, quietly } from "./setup.tsx";

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

const PageTitle = () => <title>Page</title>;

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
  "a link replaces the one with the same rel and other attributes, whatever its href": {
    child: <link rel="icon" href="/page.svg" id="icon" />,
    replaces: 4,
    html: '<link rel="icon" href="/page.svg" id="icon"/>',
  },
  "an element replaces the one with the same key": {
    child: <link key="theme" rel="stylesheet" href="/page.css" />,
    replaces: 5,
    html: '<link rel="stylesheet" href="/page.css"/>',
  },
  "a link without a key doesn't replace the one with a key": {
    child: <link rel="stylesheet" href="/page.css" />,
    html: '<link rel="stylesheet" href="/page.css"/>',
  },
  "a title in a component replaces the wrapper's": {
    child: <PageTitle />,
    replaces: 1,
    html: "<title>Page</title>",
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
    const elements = replaces === undefined ? [...HEAD, added] : HEAD.with(replaces, added);
    assertEquals(head(page), elements.join(""));
    assertMatch(page, /<body class="app"><main><p>body<\/p><\/main><\/body>/);
  });
}

Deno.test("Head: of two stylesheets without a key the last one wins; those with keys are kept", async () => {
  const page = await html(
    <Head>
      <link rel="stylesheet" href="/a.css" />
      <link key="b" rel="stylesheet" href="/b.css" />
      <link key="c" rel="stylesheet" href="/c.css" />
      <link rel="stylesheet" href="/d.css" />
    </Head>,
  );
  assertEquals(
    [...page.matchAll(/"stylesheet" href="(.*?)"/g)].map(([, href]) => href),
    ["/app.css", "/d.css", "/b.css", "/c.css"],
  );
});

/** Links on a page, and the marks that they get there. */
const LINKS: Record<string, Record<string, string>> = {
  "/": { "/": "current page", "/#x": "current page", "/books": "", "#x": "" },
  "/books/one": {
    "/books/one": "current page",
    "/books/one/": "current page",
    "/books/one?q=1#x": "ancestor true",
    "/books/one?": "current page",
    "/x/../books/one": "current page",
    "/books": "ancestor true",
    "/books/": "ancestor true",
    "/": "ancestor true",
    "/boo": "",
    "//": "",
    "/books/one/two": "",
    "books/one": "",
    "http://localhost/books/one": "",
    "https://other.example/books": "",
  },
  "/books/one?q=1": {
    "/books/one": "current page",
    "/books/one?q=1": "current page",
    "/books/one?q=1#x": "current page",
    "/books/one?q=2": "ancestor true",
    "/books?q=2": "ancestor true",
  },
  "/books/one/": { "/books/one": "current page", "/books": "ancestor true" },
  "/b%C3%BCcher": { "/bücher": "current page" },
};

Deno.test("a link to the current page or to an ancestor of it is marked", async () => {
  for (const [path, links] of Object.entries(LINKS)) {
    const { pathname } = new URL(path, "http://localhost");
    const client = clientOf(
      (await appWith<unknown>({ routes: { _app: { default: Wrapper } } })).fsRoutes().all(
        pathname.endsWith("/") ? pathname : pathname + "{/:rest}?",
        (ctx) =>
          ctx.render(
            <p>{Object.keys(links).map((href) => <a key={href} href={href}>{href}</a>)}</p>,
          ),
      ),
    );
    const page = await (await client(path)).text();
    const found = [...page.matchAll(/<a href="([^"]*)"([^>]*)>/g)].map(([, href, rest]) => {
      const mark = /^ data-(\w+)="true" aria-current="(\w+)"$/.exec(rest);
      return [href, mark === null ? rest : `${mark[1]} ${mark[2]}`];
    });
    assertEquals(Object.fromEntries(found), links, path);
  }
});

Deno.test("a link whose author set aria-current is left as it is", async () => {
  const link = async (current: "step" | "false" | undefined) =>
    (await html(<a href="/" aria-current={current}>home</a>)).match(/<a.*?>/)![0];
  assertEquals(await link("step"), '<a href="/" aria-current="step">');
  assertEquals(await link("false"), '<a href="/" aria-current="false">');
  assertMatch(await link(undefined), /aria-current="page"/);
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

Deno.test("pages can use hooks", async () => {
  const client = await pages({
    index: () => {
      const [n] = useState(2);
      return <p>{n}</p>;
    },
  });
  assertMatch(await (await client("/")).text(), /<p>2<\/p>/);
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
    assertEquals([response.status, await response.text()], [500, "Internal server error"]);
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

Deno.test("a component with state that changes during the render shows the new state, and gets no function for updates", async () => {
  const own: string[] = [];
  function Counter(this: object) {
    const [count, setCount] = useState(0);
    if (count < 2) setCount(count + 1);
    own.push(...Object.keys(this));
    return <p>{count}</p>;
  }
  assertMatch(await html(<Counter />), /<p>2<\/p>/);
  assertEquals(own.filter((name) => /Update$/.test(name) && name !== "forceUpdate"), []);
});

Deno.test("signals in a page show their values, in text, attributes and computed signals, and no component subscribes", async () => {
  const name = signal("one");
  let readers = 0;
  const watched = signal("two", { watched: () => readers++ });
  function Names() {
    const both = useComputed(() => `${name.value} ${watched.value}`);
    return <a title={name} href={both.value}>{name} {watched.value}</a>;
  }
  const page = <Names />;
  for (const text of ["one", "three"]) {
    name.value = text;
    assertMatch(
      await html(page),
      new RegExp(`<a title="${text}" href="${text} two">${text} two</a>`),
    );
  }
  assertEquals(readers, 0);
});

Deno.test("a page has the build key of its own app, whichever app of the process has started last", async () => {
  const client = await pages({ index: () => <img src={asset("/a.png")} /> });
  new App().handler();
  assertMatch(await (await client("/")).text(), new RegExp(`"/a.png\\?__frsh_c=${KEY}"`));
});
