import { assertEquals } from "@std/assert";
import { renderToString } from "preact-render-to-string";
import { position } from "../lib/platform/listing/filters.ts";
import { defineList } from "../lib/platform/listing/list.ts";
import { ListPage } from "./ListPage.tsx";

const list = defineList("/items", {
  text: { kind: "search", label: "Search", posted: true, parse: (text: string) => text },
  size: { kind: "amount", label: "Size", parse: Number },
  after: position((text) => text),
});

/** Returns the addresses of the links and the hidden fields of the forms below the filters. */
function waysOf(form: Record<string, string>) {
  const html = htmlOf(form);
  return {
    links: [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    fields: [...html.matchAll(/<input[^>]* name="(\w+)" value="(\w+)"/g)].map(([, ...each]) =>
      each.join("=")
    ),
  };
}

function htmlOf(form: Record<string, string>): string {
  const filters = list.readForm(form);
  return renderToString(
    <ListPage
      list={list}
      filters={filters}
      bar={<hr />}
      page={{
        empty: null,
        shown: "Two",
        exports: true,
        items: <ul />,
        pages: { label: "Pages", next: { to: { after: "b" }, text: "Older" } },
      }}
    />,
  );
}

Deno.test("a list whose search is posted has no address with the search, for its export and its pages", () => {
  assertEquals(waysOf({ text: "ada", size: "5" }), {
    links: [],
    fields: ["text=ada", "size=5", "format=csv", "text=ada", "size=5", "after=b"],
  });
});

Deno.test("without a search, the pages are links, and the export is a form that could have one", () => {
  assertEquals(waysOf({ size: "5" }), {
    links: ["/items?size=5&amp;after=b"],
    fields: ["size=5", "format=csv"],
  });
});

Deno.test("the export is named by what it contains: everything, or what matches the filters", () => {
  const named = (form: Record<string, string>) => htmlOf(form).match(/Download [\w ]+/)![0];
  assertEquals([named({}), named({ size: "5" })], ["Download all ", "Download all matches "]);
});
