import { assertEquals } from "@std/assert";
import { accountIdOf, accountPath } from "./account_path.ts";

Deno.test("accountIdOf() returns the id passed to accountPath(), whatever characters it contains", () => {
  for (const id of ["0b6ea12a-1111-4111-8111-111111111111", "a/b?c#d", "acc:1", "50% é", "%2F"]) {
    const { pathname } = new URL(accountPath(id), "https://ops.example");
    assertEquals(pathname.split("/").length, 4, id);
    assertEquals(accountIdOf(pathname), id);
  }
  assertEquals(accountIdOf("/console/finance/%ff"), undefined);
});
