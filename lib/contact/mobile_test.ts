import { assertEquals } from "@std/assert";
import { DIAL_CODES } from "./choices.ts";
import { toE164 } from "./mobile.ts";

/** A mobile number of each country, as people there write it. */
const NATIONAL: Record<string, [typed: string, e164: string]> = {
  AU: ["0412 345 678", "+61412345678"],
  CA: ["(506) 234-5678", "+15062345678"],
  CN: ["131 2345 6789", "+8613123456789"],
  FR: ["06 12 34 56 78", "+33612345678"],
  DE: ["0151 23456789", "+4915123456789"],
  HK: ["5123 4567", "+85251234567"],
  IN: ["081234 56789", "+918123456789"],
  ID: ["0812-345-678", "+62812345678"],
  IE: ["085 012 3456", "+353850123456"],
  JP: ["090-1234-5678", "+819012345678"],
  MY: ["012-345 6789", "+60123456789"],
  NZ: ["021 123 4567", "+64211234567"],
  PH: ["0905 123 4567", "+639051234567"],
  SG: ["8123 4567", "+6581234567"],
  KR: ["010-2000-0000", "+821020000000"],
  AE: ["050 123 4567", "+971501234567"],
  GB: ["07400 123456", "+447400123456"],
  US: ["(201) 555-0123", "+12015550123"],
};

for (const { country, code } of DIAL_CODES) {
  Deno.test(`a number of ${country} is E.164, typed with its dial code or without`, () => {
    const [typed, e164] = NATIONAL[country];
    assertEquals(toE164(country, typed), e164);
    assertEquals(toE164(country, e164), e164);
    assertEquals(toE164(country, `${code} ${e164.slice(code.length)}`), e164);
  });
}

Deno.test("countries that share a dial code share their numbers", () => {
  assertEquals(toE164("US", "+1 506 234 5678"), "+15062345678");
  assertEquals(toE164("GB", "07911 123456"), "+447911123456"); // of Guernsey
});

Deno.test("what cannot be a number there is none", () => {
  const bad: [country: string, number: string][] = [
    ["AU", "12"],
    ["AU", "0412 345 678 901 234"],
    ["AU", "+447400123456"],
    ["AU", "call 0412 345 678"],
    ["AU", "0412 345 678 ext. 12"],
    ["AU", "abc"],
    ["AU", ""],
    ["AU", "+"],
    ["ZZ", "0412345678"],
    ["CH", "044 668 18 00"],
    ["toString", "1"],
  ];
  for (const [country, number] of bad) assertEquals(toE164(country, number), null, number);
});
