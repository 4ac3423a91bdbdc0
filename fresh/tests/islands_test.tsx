import { computed, Signal, signal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { appWith, clientOf, type Parts, quietly, Wrapper } from "./setup.tsx";

// deno-lint-ignore no-explicit-any
type Any = any;
function One(props: Record<string, Any>) {
  return <p>one {props.text as string}</p>;
}
function Two(_: Record<string, Any>) {
  return <p>two</p>;
}
function Box({ title, children, open = true }: {
  title?: ComponentChildren;
  children?: ComponentChildren;
  open?: boolean;
  more?: Any;
}) {
  return (
    <section>
      <h2>{title}</h2>
      {open ? children : null}
    </section>
  );
}

type Islands = NonNullable<Parts<unknown>["islands"]>;

/** Creates a client of an app with these islands that renders JSX at `/`. */
async function pageOf(vnode: VNode, islands: Islands = { One, Two, Box }) {
  const routes = { _app: { default: Wrapper }, index: { default: () => vnode } };
  return clientOf((await appWith<unknown>({ routes, islands })).fsRoutes());
}

async function render(vnode: VNode, islands?: Islands): Promise<Response> {
  return await (await pageOf(vnode, islands))("/");
}

/** Runs a page's script as a browser would: returns the HTML and the arguments of `boot()`. */
async function booted(vnode: VNode) {
  const html = await (await render(vnode)).text();
  const scripts = [...html.matchAll(/<script type="module"[^>]*>(.*?)<\/script>/gs)];
  assertEquals(scripts.length, 1, "one script");
  const code = scripts[0][1];
  const body = code.slice(code.indexOf("boot({"));
  const run = new Function("boot", "One", "Two", "Box", "signals", "slots", body);
  const slots = { slot: (id: number) => ({ slot: id }) };
  let result: { islands: string[]; props: Any[] } | undefined;
  const boot = (islands: object, props: Any[]) => result = { islands: Object.keys(islands), props };
  run(boot, One, Two, Box, { signal }, slots);
  return { html, code, ...result! };
}

const serialized = async (props: Record<string, Any>) =>
  (await booted(<One {...props} />)).props[0];

const VALUES: Record<string, unknown> = {
  "JSON": { n: 1.5, t: "text", b: false, z: null, list: [1, [2], { a: {} }], empty: [] },
  "undefined": { a: undefined, list: [undefined, 1] },
  "NaN and infinities": [NaN, Infinity, -Infinity, -0],
  "bigint": 12345678901234567890n,
  "a date": new Date(1234567890123),
  "an invalid date": new Date(NaN),
  "a map": new Map<unknown, unknown>([["a", 1], [{ key: true }, new Date(0)]]),
  "a set": new Set([1, "a", [2]]),
  "a regular expression": /a<b>/gi,
  "a URL": new URL("https://site.example/a?b#c"),
  "bytes": new Uint8Array([1, 2, 255]),
  "script ends": "</script><script>alert(1)</script><!-- --> ]]>",
  "script ends among others": ["</script>", new Map([["</script>", undefined]])],
  "line separators": "\u2028\u2029\0\\\"'`${x}",
  "line separators among others": ["\u2028\u2029\0\\\"'`${x}", undefined],
  "text beyond ASCII": "é 日本 🎉 \ud800",
  "odd keys": { "a-b": 1, "": 2, "</script>": 3, constructor: 4, "1": 5, "a b": undefined },
  "an object without a prototype": Object.assign(Object.create(null), { a: 1, b: undefined }),
  "a sparse array": [1, , 3],
};

for (const [name, value] of Object.entries(VALUES)) {
  Deno.test(`props preserve ${name}`, async () => {
    const { html, props } = await booted(<One value={value} />);
    assertEquals(props, [{ value }]);
    assertEquals(html.match(/<\/script>/g)?.length, 1);
    assertEquals(/[\u2028\u2029]/.test(html), false);
  });
}

Deno.test("props: any JSON value is preserved", async () => {
  const values = fc.jsonValue({ stringUnit: "grapheme" })
    .filter((value: unknown) => !JSON.stringify(value).includes("__proto__"));
  await fc.assert(
    fc.asyncProperty(values, async (value: unknown) => {
      assertEquals(await serialized({ value }), { value });
      const together = await serialized({ value, date: new Date(0) });
      assertEquals(together, { value, date: new Date(0) });
    }),
    { numRuns: 200 },
  );
});

Deno.test("props: negative zero is preserved", async () => {
  assert(Object.is((await serialized({ value: -0 })).value, -0));
});

Deno.test("props: cycles and shared objects are preserved", async () => {
  const cycle: { self?: unknown; n: number } = { n: 1 };
  cycle.self = cycle;
  const shared = new Date(5);
  const { value, a, b } = await serialized({ value: cycle, a: [shared], b: shared });
  assertEquals(value.n, 1);
  assert(value.self === value);
  assert(a[0] === b);
});

Deno.test("props: signals are preserved, also one that several islands share", async () => {
  const count = signal(3);
  const inner = signal(new Date(0));
  const { props, code } = await booted(
    <div>
      {[
        <One key="1" count={count} outer={signal({ inner })} />,
        <Two key="2" same={count} list={[inner, count]} sum={computed(() => count.value * 2)} />,
      ]}
    </div>,
  );
  const [one, two] = props;
  assert(one.count instanceof Signal);
  assertEquals([one.count.value, two.sum.value], [3, 6]);
  assert(one.count === two.same && two.list[1] === one.count);
  assert(one.outer.value.inner === two.list[0]);
  assertEquals(two.list[0].value, new Date(0));
  assertMatch(code, /import\*as signals from"\/_fresh\/js\/[^"]*fresh-signals\.js"/);
});

Deno.test("props: a signal in a cycle is preserved", async () => {
  const list: unknown[] = [1];
  const value = signal(list);
  list.push(value);
  const { value: found } = await serialized({ value });
  assert(found.value[1] === found);
});

const UNSUPPORTED: Record<string, [props: Record<string, unknown>, message: RegExp]> = {
  "a function": [{ onSave: () => {} }, /"onSave".*function/],
  "a function within": [{ list: [{ run() {} }] }, /"list\[0\]\.run".*function/],
  "a class instance": [{ user: new (class User {})() }, /"user".*POJO/],
  "a symbol": [{ s: Symbol("x") }, /"s".*[Ss]ymbol/],
  "a promise": [{ later: Promise.resolve() }, /"later".*POJO/],
  "a symbol as a key": [{ o: { [Symbol("x")]: 1, u: undefined } }, /"o".*symbol/],
  "JSX inside an object": [{ list: [{ text: <b>x</b> }] }, /JSX inside an object/],
  "a __proto__ key": [{ o: JSON.parse('{"__proto__": {"polluted": true}}') }, /"o".*__proto__/],
};

for (const [name, [props, message]] of Object.entries(UNSUPPORTED)) {
  Deno.test(`props: ${name} throws an error that names the island and the prop`, async () => {
    const log = await quietly(async () => {
      const response = await render(
        <div>{[<Two key="1" fine={new Date()} />, <One key="2" {...props} />]}</div>,
      );
      assertEquals([response.status, await response.text()], [500, "Internal server error"]);
    });
    assertMatch(log, /TypeError: Island <(One|\?)>: the prop/);
    assertMatch(log, message);
  });
}

Deno.test("props: a __proto__ key in otherwise plain JSON throws an error", async () => {
  const props = { o: JSON.parse('{"__proto__": {"polluted": true}}') };
  const log = await quietly(async () =>
    assertEquals((await render(<One {...props} />)).status, 500)
  );
  assertMatch(log, /__proto__/);
});

Deno.test("an island is rendered between markers with its key", async () => {
  const { html } = await booted(<div>{[<One key="a:b-->" text="x" />, <Two key={2} />]}</div>);
  assertMatch(
    html,
    /<!--frsh:island:One:0:a%3Ab--%3E--><p>one x<\/p><!--\/frsh:island--><!--frsh:island:Two:1:2--><p>two<\/p><!--\/frsh:island-->/,
  );
});

Deno.test("the script imports only the page's islands", async () => {
  const { code, islands, html } = await booted(<div>{[<One key="1" />, <One key="2" />]}</div>);
  assertEquals(islands, ["One"]);
  const files = [...code.matchAll(/from"([^"]+)"/g)].map(([, path]) => path.split("/").at(-1));
  assertEquals(files, ["fresh.js", "One.js"]);
  assertEquals(html.match(/rel="modulepreload"/g)?.length, 2);
});

Deno.test("a page without islands has no script", async () => {
  const html = await (await render(<p>still</p>)).text();
  assertEquals(/<script|modulepreload|frsh:/.test(html), false);
});

Deno.test("an island inside another island is rendered as a part of it", async () => {
  const Outer = () => <div>{[<One key="1" text="in" />]}</div>;
  const html = await (await render(<Outer />, { Outer, One })).text();
  assertEquals(html.match(/<!--frsh:island:/g)?.length, 1);
  assertMatch(html, /<!--frsh:island:Outer:0:--><div><p>one in<\/p><\/div><!--\/frsh:island-->/);
});

Deno.test("slots: JSX in props is sent as HTML", async () => {
  const { html, props } = await booted(
    <Box title={<em>title</em>}>
      <b>child</b> text
    </Box>,
  );
  assertEquals(props[0].title, { slot: 0 });
  assertEquals(props[0].children, { slot: 1 });
  assertMatch(html, /<h2><!--frsh:slot:0--><em>title<\/em><!--\/frsh:slot--><\/h2>/);
  assertMatch(html, /<!--frsh:slot:1--><b>child<\/b> text<!--\/frsh:slot-->/);
  assertEquals(html.includes("<template"), false);
});

Deno.test("slots: text children are sent as text", async () => {
  const { html, props } = await booted(<Box>just text</Box>);
  assertEquals(props[0], { children: "just text" });
  assertEquals(html.includes("frsh:slot"), false);
});

Deno.test("slots: JSX that the island does not render is sent in a template", async () => {
  const { html } = await booted(
    <Box open={false}>
      <b>hidden</b>
    </Box>,
  );
  assertMatch(
    html,
    /<template id="frsh-slot-0"><!--frsh:slot:0--><b>hidden<\/b><!--\/frsh:slot--><\/template>/,
  );
  assertEquals(html.match(/hidden/g)?.length, 1);
});

Deno.test("slots: islands in a slot are hydrated, whether it is shown or hidden", async () => {
  for (const open of [true, false]) {
    const { html, islands, props } = await booted(
      <Box open={open}>
        <i>
          <One text="nested" />
        </i>
      </Box>,
    );
    assertEquals(islands.sort(), ["Box", "One"]);
    assertEquals(props[1], { text: "nested" });
    assertMatch(html, /<i><!--frsh:island:One:1:--><p>one nested<\/p><!--\/frsh:island--><\/i>/);
  }
});

Deno.test("slots: a hidden slot of an island in a hidden slot is sent too", async () => {
  const { html, props } = await booted(
    <Box open={false}>
      <Box open={false}>
        <b>deep</b>
      </Box>
    </Box>,
  );
  assertEquals(props.map(({ children }) => children), [{ slot: 0 }, { slot: 1 }]);
  assertEquals(html.match(/<template id="frsh-slot-\d">/g)?.length, 2);
  assertEquals(html.match(/deep/g)?.length, 1);
});

Deno.test("slots: an array that contains JSX is one slot", async () => {
  const { html, props } = await booted(
    <Box more={new Date(0)} title={["a", [<b key="b">b</b>]]} />,
  );
  assertEquals(props, [{ title: { slot: 0 }, more: new Date(0) }]);
  assertMatch(html, /<h2><!--frsh:slot:0-->a<b ?>b<\/b><!--\/frsh:slot--><\/h2>/);
});

Deno.test("JSX with islands and slots that is created once can be rendered for every request", async () => {
  const once = (
    <Box>
      <One text="again" />
    </Box>
  );
  const client = await pageOf(once);
  const pages = [];
  for (let i = 0; i < 3; i++) {
    const html = await (await client("/")).text();
    pages.push(html.replaceAll(/nonce="\w+"/g, ""));
  }
  assertEquals(new Set(pages).size, 1);
  assertEquals(pages[0].match(/<!--frsh:island:/g)?.length, 2);
});

Deno.test("an error in an island does not affect the next page", async () => {
  const Broken = () => {
    throw new Error("broken");
  };
  const routes = {
    _app: { default: Wrapper },
    broken: { default: () => <Broken /> },
    index: { default: () => <One /> },
  };
  const app = await appWith<unknown>({ routes, islands: { Broken, One } });
  const client = clientOf(app.fsRoutes());
  await quietly(async () => assertEquals((await client("/broken")).status, 500));
  assertMatch(await (await client("/")).text(), /<!--frsh:island:One:0:-->/);
});
