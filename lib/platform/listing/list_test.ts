import { assertEquals } from "@std/assert";
import { atRow, choice, offset, period, position, withDefault } from "./filters.ts";
import { defineList } from "./list.ts";

interface Item {
  name: string;
  at: string;
  size: number;
}

const list = defineList("/items", {
  text: {
    kind: "search",
    label: "Search",
    posted: true,
    logged: "a search",
    parse: (text: string) => text.length > 1 ? text : undefined,
    issue: (text: string) => `“${text}” is too short.`,
    test: (text: string) => ({ name }: Item) => name.includes(text),
  },
  sort: withDefault(
    choice({ newest: "Newest first", oldest: "Oldest first" }, {
      label: "Order",
      issue: "Choose an order.",
      arranges: true,
    }),
    "newest",
  ),
  size: {
    kind: "amount",
    label: "Size",
    parse: (text: string) => /^\d+$/.test(text) ? Number(text) : undefined,
    issue: "Enter a number.",
    test: (least: number) => ({ size }: Item) => size >= least,
  },
  state: withDefault(
    choice({ open: "Open", all: "All" }, {
      label: "State",
      test: (state) => ({ size }: Item) => state === "all" || size > 0,
    }),
    "open",
  ),
  ...period(({ at }: Item) => at),
  after: position((text) => /^\d+~\d+$/.test(text) ? text.split("~").map(Number) : undefined, {
    format: (ids) => (ids as number[]).join("~"),
  }),
});

const DEFAULTS = { sort: "newest", state: "open" } as const;
const read = (search: string) => list.read(new URLSearchParams(search));

Deno.test("read() returns the values of a URL's filters, and defaults for those that are empty", () => {
  assertEquals(read(""), {
    typed: { text: "", sort: "", size: "", state: "", from: "", to: "", after: "" },
    query: DEFAULTS,
    issues: {},
  });
  const { typed, query } = read("?sort=oldest&size=+20+&from=&after=1~2&unknown=1&size=30");
  assertEquals(query, { sort: "oldest", state: "open", size: 20, after: [1, 2] });
  assertEquals([typed.size, typed.after], ["20", "1~2"]);
});

Deno.test("read() returns an issue for each invalid filter, and what was typed", () => {
  const { typed, query, issues } = read("?sort=up&size=-1&from=2026-02-30&to=y&after=x");
  assertEquals(query, null);
  assertEquals(issues, {
    sort: "Choose an order.",
    size: "Enter a number.",
    from: "Enter a date, such as 2026-03-01.",
    to: "Enter a date, such as 2026-03-31.",
  });
  assertEquals(typed.from, "2026-02-30");
  // The names of members of objects are not choices.
  assertEquals(read("?sort=constructor").issues, { sort: "Choose an order." });
  assertEquals(read(`?size=${"1".repeat(1_000)}`).typed.size.length, 250);
});

Deno.test("read() returns an issue if a period ends before it starts, also with other issues", () => {
  const inverted = read("?from=2026-02-02&to=2026-02-01&size=x").issues;
  assertEquals(inverted, { size: "Enter a number.", to: "The end is before the start." });
  assertEquals(read("?from=2026-02-02&to=2026-02-02").issues, {});
});

Deno.test("read() ignores an invalid text if its filter has no issue", () => {
  assertEquals(read("?after=x").query, DEFAULTS);
});

Deno.test("a filter that is posted is read from forms only, and is in no URL", () => {
  assertEquals(read("?text=ada").query, DEFAULTS);
  const { query } = list.readForm({ text: " ada ", size: "5", sort: 7 });
  assertEquals(query, { ...DEFAULTS, text: "ada", size: 5 });
  assertEquals(list.readForm({ text: "a" }).issues, { text: "“a” is too short." });
  assertEquals(list.href(query!), "/items?size=5");
  assertEquals(list.fields(query!), { text: "ada", size: "5" });
});

Deno.test("href() returns a URL with the same filters, without defaults and the position", () => {
  const { query } = read("?from=2026-02-01&size=020&sort=oldest&after=1~2");
  assertEquals(list.href(query!), "/items?size=20&from=2026-02-01&sort=oldest");
  assertEquals(list.href({}), "/items");
  assertEquals(list.href({ sort: "newest" }, { after: [3, 4] }), "/items?after=3%7E4");
  assertEquals(list.href({ size: 0 }, { format: "csv" }), "/items?size=0&format=csv");
});

Deno.test("isFiltered() and describe() ignore the order, the position and defaults", () => {
  const arranged = read("?sort=oldest&after=1~2").query!;
  assertEquals([list.isFiltered(arranged), list.describe(arranged)], [false, []]);
  const { query } = list.readForm({ text: "ada", size: "20", sort: "oldest" });
  assertEquals([list.isFiltered(query!), list.describe(query!)], [true, ["a search", "size 20"]]);
});

Deno.test("matcher() tests all filters that have a test", () => {
  const item = { name: "ada", at: "2026-02-01T23:59:59.999Z", size: 20 };
  const cases: [Record<string, string>, boolean][] = [
    [{}, true],
    [{ text: "da" }, true],
    [{ text: "da", size: "21" }, false],
    [{ size: "20" }, true],
    [{ from: "2026-02-01", to: "2026-02-01" }, true],
    [{ from: "2026-02-02" }, false],
    [{ to: "2026-01-31" }, false],
    [{ state: "all" }, true],
  ];
  for (const [form, matches] of cases) {
    const { query } = list.readForm(form);
    assertEquals(list.matcher(query!)(item), matches, JSON.stringify(form));
  }
  // A default selects items too.
  const empty = { ...item, size: 0 };
  assertEquals(list.matcher(DEFAULTS)(empty), false);
  assertEquals(list.matcher({ state: "all" })(empty), true);
  assertEquals([list.isTested({ sort: "oldest" }), list.isTested({ size: 1 })], [false, true]);
});

Deno.test("a position is a row with an id of at most 100 characters, or a number up to the most that the bank counts", () => {
  const { read } = defineList("/rows", {
    after: atRow("No row."),
    offset: offset(5_000, "No page."),
  });
  const issuesOf = (params: Record<string, string>) => read(new URLSearchParams(params)).issues;
  const at = "2026-02-01T00:00:00.000Z";
  assertEquals(issuesOf({ after: `${at}~${"a".repeat(100)}`, offset: "5000" }), {});
  for (const id of ["", "a".repeat(101), "a/b", "a b", '"'.repeat(3)]) {
    assertEquals(issuesOf({ after: `${at}~${id}` }), { after: "No row." }, id);
  }
  for (const number of ["5001", "-1", "1.5", "1".repeat(16)]) {
    assertEquals(issuesOf({ offset: number }), { offset: "No page." }, number);
  }
});
