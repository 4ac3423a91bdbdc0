import { assertEquals } from "@std/assert";
import { renderToString } from "preact-render-to-string";
import { BatchPill } from "./BatchesPage.tsx";

Deno.test("a finished batch is done if it issued a document, and otherwise says that it issued none", () => {
  const pill = (issued: number) =>
    renderToString(<BatchPill batch={{ state: "done", stopped_at: null, issued }} />);
  assertEquals([pill(1), pill(0)], [
    '<span class="pill good">Done</span>',
    '<span class="pill bad">None issued</span>',
  ]);
});
