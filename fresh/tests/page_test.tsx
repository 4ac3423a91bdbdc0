import { App, HttpError, type PageProps } from "fresh";
import { Head } from "fresh/runtime";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { assertEquals, assertMatch } from "@std/assert";
import { clientOf, quietly } from "./client.ts";

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

/** The rendered page of some JSX. */
async function html(vnode: VNode, wrapper = true): Promise<string> {
  const app = new App();
  if (wrapper) app.appWrapper(Wrapper);
  return await (await clientOf(app.get("/", (ctx) => ctx.render(vnode)))("/")).text();
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

/** A `<Head>`'s child, and which of the wrapper's elements (by index) it replaces. */
const HEADS: Record<string, { child: VNode; replaces?: number; html: string }> = {
  "a title replaces the wrapper's": {
    child: <title>Page</title>,
    replaces: 1,
    html: "<title>Page</title>",
  },
  "a meta replaces the one of its name": {
    child: <meta name="description" content="page" />,
    replaces: 2,
    html: '<meta name="description" content="page"/>',
  },
  "a meta replaces the one of its property": {
    child: <meta property="og:title" content="page" />,
    replaces: 3,
    html: '<meta property="og:title" content="page"/>',
  },
  "a meta of another name is added": {
    child: <meta name="robots" content="noindex" />,
    html: '<meta name="robots" content="noindex"/>',
  },
  "an element replaces the one of its id": {
    child: <link rel="icon" href="/page.svg" id="icon" />,
    replaces: 4,
    html: '<link rel="icon" href="/page.svg" id="icon"/>',
  },
  "an element replaces the one of its key": {
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

Deno.test("Head: elements without a name are added, each", async () => {
  const page = await html(
    <Head>
      <link rel="preload" href="/a" />
      <link rel="preload" href="/b" />
    </Head>,
  );
  const added = '<link rel="preload" href="/a"/><link rel="preload" href="/b"/>';
  assertEquals(head(page), HEAD.join("") + added);
});

Deno.test("Head: the last one of a kind wins, wherever it stands", async () => {
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

Deno.test("Head: what stands in it is escaped, and components in it are rendered", async () => {
  const Title = () => <title>{"</title><script>alert(1)</script>"}</title>;
  const page = await html(
    <Head>
      <Title />
    </Head>,
  );
  assertEquals(page.includes("<script>"), false);
  assertMatch(page, /&lt;\/title>&lt;script>/);
});

Deno.test("Head: a page without a wrapper gets a head of its own", async () => {
  const page = await html(
    <p>
      <Head>
        <title>Alone</title>
      </Head>
    </p>,
    false,
  );
  assertEquals(
    page,
    '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Alone</title></head>' +
      "<body><p></p></body></html>",
  );
});

Deno.test("JSX that is made once may be rendered for every request", async () => {
  const once = (
    <main>
      <Head>
        <title>Once</title>
      </Head>
      <style>{"p{}"}</style>
    </main>
  );
  const client = clientOf(new App().appWrapper(Wrapper).get("/", (ctx) => ctx.render(once)));
  const nonces = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const page = await (await client("/")).text();
    assertMatch(page, /<title>Once<\/title>/);
    nonces.add(page.match(/<style nonce="(\w+)"/)![1]);
  }
  assertEquals(nonces.size, 3);
});

const later = <T,>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), 1));

Deno.test("async pages, layouts and wrappers are awaited", async () => {
  const app = new App()
    .appWrapper(async ({ Component }: PageProps) => (
      <html>
        <head>
          <title>{await later("wrapper")}</title>
        </head>
        <body>
          <Component />
        </body>
      </html>
    ))
    .layout("*", async ({ Component }: PageProps) => (
      <div title={await later("layout")}>
        <Component />
      </div>
    ))
    .route("/", { component: async () => <p>{await later("page")}</p> });
  assertMatch(
    await (await clientOf(app)("/")).text(),
    /<title>wrapper<\/title>.*<div title="layout"><p>page<\/p><\/div>/,
  );
});

Deno.test("an async page, layout or wrapper may answer itself", async () => {
  // deno-lint-ignore require-await
  const away = async () => new Response("away", { status: 401 });
  const page = { component: () => <p>secret</p> };
  const apps = [
    new App().route("/", { component: away }),
    new App().layout("*", away).route("/", page),
    new App().appWrapper(away).route("/", page),
  ];
  for (const app of apps) {
    const response = await clientOf(app)("/");
    assertEquals([response.status, await response.text()], [401, "away"]);
  }
});

Deno.test("components keep their hooks, also where they render on their own", async () => {
  const app = new App()
    .layout("*", ({ Component }: PageProps) => {
      const [n] = useState(1);
      return (
        <div title={`${n}`}>
          <Component />
        </div>
      );
    })
    .route("/", {
      component: () => {
        const [n] = useState(2);
        return <p>{n}</p>;
      },
    });
  assertMatch(await (await clientOf(app)("/")).text(), /<div title="1"><p>2<\/p><\/div>/);
});

Deno.test("an error in a component is an error of the route", async () => {
  const Broken = (): VNode => {
    throw new HttpError(402, "pay first");
  };
  const Vague = (): VNode => {
    throw new Error("secret");
  };
  const app = new App()
    .route("/sync", { component: Broken })
    .route("/deep", { component: () => <div>{[<Broken key="b" />]}</div> })
    // deno-lint-ignore require-await
    .route("/async", { component: async () => Broken() })
    .route("/vague", { component: Vague })
    .route("/fine", { component: () => <p>fine</p> });
  const client = clientOf(app);
  for (const path of ["/sync", "/deep", "/async"]) {
    const response = await client(path);
    assertEquals([path, response.status, await response.text()], [path, 402, "pay first"]);
  }
  await quietly(async () => {
    const response = await client("/vague");
    assertEquals([response.status, await response.text()], [500, "Internal Server Error"]);
  });
  assertMatch(await (await client("/fine")).text(), /<p>fine<\/p>/);
});

Deno.test("an error page is rendered with its layouts, status and error", async () => {
  const app = new App()
    .appWrapper(Wrapper)
    .layout("*", ({ Component }: PageProps) => (
      <main>
        <Component />
      </main>
    ))
    .onError("*", {
      component: ({ error }: PageProps) => (
        <p>{error instanceof HttpError ? error.status : "other"}</p>
      ),
    })
    .get("/gone", () => {
      throw new HttpError(410);
    })
    .get("/broken", () => {
      throw new Error("x");
    });
  const client = clientOf(app);
  const table: [path: string, status: number, text: string][] = [
    ["/gone", 410, "410"],
    ["/broken", 500, "other"],
    ["/none", 404, "404"],
  ];
  for (const [path, status, text] of table) {
    const response = await client(path);
    assertEquals([path, response.status], [path, status]);
    assertMatch(
      await response.text(),
      new RegExp(`<body class="app"><main><p>${text}</p></main></body>`),
    );
  }
});

Deno.test("text is escaped; markup comes in by dangerouslySetInnerHTML alone", async () => {
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
