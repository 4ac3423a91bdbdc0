import { assertEquals } from "@std/assert";
import { routeFiles } from "../../lib/app/routes.ts";
import { SHOTS, WITHOUT_PICTURE } from "./pages.ts";

Deno.test("every route with a view has a picture, or a reason why it has none", async () => {
  const files = await routeFiles(import.meta.resolve("../../routes/"));
  const views = files.filter(({ file }) => file.endsWith(".tsx")).map(({ pattern }) => pattern);
  const known = [...Object.keys(SHOTS), ...Object.keys(WITHOUT_PICTURE)];
  const hint = "Change the lists of tools/observe/pages.ts.";
  assertEquals(known.toSorted(), views.toSorted(), hint);
});
