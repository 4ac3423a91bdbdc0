import { App, trailingSlashes } from "fresh";
import { assertEquals } from "@std/assert";
import { clientOf } from "./client.ts";

const TABLE: Record<"always" | "never", Record<string, string | null>> = {
  always: {
    "/": null,
    "/a/": null,
    "/a": "/a/",
    "/a?q=1": "/a/?q=1",
    "/a/b": "/a/b/",
    "//evil.example": "/evil.example/",
  },
  never: {
    "/": null,
    "/a": null,
    "/a/": "/a",
    "/a/?q=/": "/a?q=/",
    "/a/b/": "/a/b",
    "//evil.example/": "/evil.example",
  },
};

for (const [mode, table] of Object.entries(TABLE) as ["always" | "never", typeof TABLE.never][]) {
  Deno.test(`trailingSlashes("${mode}")`, async () => {
    const client = clientOf(
      new App().use(trailingSlashes(mode)).get("/*", (ctx) => ctx.text("")),
    );
    for (const [path, location] of Object.entries(table)) {
      const response = await client(path);
      assertEquals([path, response.headers.get("location")], [path, location]);
      assertEquals(response.status, location === null ? 200 : 302);
    }
  });
}
