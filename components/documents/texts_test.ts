import { assertEquals } from "@std/assert";
import { kindLabel } from "./texts.ts";

Deno.test("a kind looks the same however it was typed, and abbreviations stay", () => {
  const typed = [
    "certificate",
    "CERTIFICATE",
    " Certificate ",
    "iSO  report",
    "GDPR",
    "eIDAS seal",
  ];
  assertEquals(typed.map(kindLabel), [
    "Certificate",
    "Certificate",
    "Certificate",
    "ISO report",
    "GDPR",
    "EIDAS seal",
  ]);
});
