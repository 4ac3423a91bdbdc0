import { assertEquals } from "@std/assert";
import { issuingErrors, listErrorCodes } from "./error_codes.ts";

Deno.test("the page about errors explains every code of the operations for issuers, and no other", () => {
  assertEquals(listErrorCodes().map(({ code }) => code).sort(), [...issuingErrors().keys()].sort());
});
