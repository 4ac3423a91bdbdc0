import { assertEquals } from "@std/assert";
import { DIAL_CODES } from "./fields.ts";
import { internationalNumber, toE164 } from "./phone.ts";

/** A mobile number in each country, in its national format. */
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

/** The prefix for calls abroad, where it is not 00. */
const ABROAD: Record<string, string> = {
  AU: "0011",
  CA: "011",
  HK: "001",
  ID: "008",
  JP: "010",
  KR: "00700",
  SG: "001",
  US: "011",
};

/** The ways in which people write a number: nine, and with marks around them. */
const SPELLINGS: Record<string, (number: Spelled) => string> = {
  "as in the country": ({ national }) => national,
  "without spaces and brackets": ({ national }) => national.replace(/\D/g, ""),
  "with dots": ({ national }) => national.replace(/\D+/g, "."),
  "without the trunk prefix": ({ rest }) => rest,
  "in E.164": ({ e164 }) => e164,
  "with the dial code and the trunk prefix": ({ code, trunk, rest }) => `${code} (${trunk})${rest}`,
  "with the dial code in brackets": ({ code, rest }) => `(${code}) ${rest}`,
  "with 00": ({ e164 }) => `00${e164.slice(1)}`,
  "with the dial code without its plus": ({ e164 }) => e164.slice(1),
  "with the country's prefix for calls abroad": ({ country, e164 }) =>
    `${ABROAD[country] ?? "00"} ${e164.slice(1)}`,
  "as a link": ({ code, rest }) => `tel:${code}-${rest}`,
  "from an address book": ({ national }) => `\u202d${national}\u202c`,
  "with narrow spaces and hyphens that do not break": ({ national }) =>
    national.replaceAll(" ", "\u202f").replaceAll("-", "\u2011"),
  "with full-width digits": ({ e164 }) =>
    e164.replace(/[+\d]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
};

interface Spelled {
  country: string;
  code: string;
  national: string;
  e164: string;
  trunk: string;
  /** The digits after the dial code. */
  rest: string;
}

for (const [name, spell] of Object.entries(SPELLINGS)) {
  Deno.test(`toE164() reads a number of each country ${name}`, () => {
    assertEquals(DIAL_CODES.length, 18);
    for (const { country, code } of DIAL_CODES) {
      const [national, e164] = NATIONAL[country];
      const rest = e164.slice(code.length);
      const trunk = national.replace(/\D/g, "").slice(0, -rest.length);
      const typed = spell({ country, code, national, e164, trunk, rest });
      assertEquals(toE164(country, typed), e164, `${country} ${typed}`);
    }
  });
}

Deno.test("toE164() returns no other number for one that lacks its area code, or with another reading", () => {
  const cases: [country: string, typed: string, e164: string | null][] = [
    ["AU", "0061 491 570 006", "+61491570006"],
    ["AU", "9876 5432", null],
    ["AU", "03 9876 5432", "+61398765432"],
    ["AU", "61 3 9876 5432", "+61398765432"],
    ["AU", "13 00 00", null],
    ["AU", "1800 123 456", null],
    ["AU", "1900 123 456", null],
    ["AU", "000", null],
    ["DE", "491721547608", "+491721547608"],
    ["DE", "23456789", null],
    ["DE", "0234 56789", "+4923456789"],
    ["ID", "62 812 345 678", "+62812345678"],
    ["ID", "+62 628 12345678", "+6262812345678"],
    ["HK", "2123 4567", "+85221234567"],
    ["SG", "6123 4567", "+6561234567"],
    ["US", "555-0123", null],
    ["US", "1-800-356-9377", null],
    ["NZ", "123 4567", null],
  ];
  for (const [country, typed, e164] of cases) {
    assertEquals(toE164(country, typed), e164, `${country} ${typed}`);
  }
});

Deno.test("internationalNumber() reads numbers that begin with a plus, and no others", () => {
  assertEquals(internationalNumber("\u200e+61 (0)491-570.006"), "+61491570006");
  assertEquals(internationalNumber("(+44) 7911 123456"), "+447911123456");
  for (
    const text of ["0491 570 006", "61491570006", "+61 9876 5432", "+", "+61 491 570 006 ext. 1"]
  ) {
    assertEquals(internationalNumber(text), null, text);
  }
});

Deno.test("toE164() accepts a number from another country with the same dial code", () => {
  assertEquals(toE164("US", "+1 506 234 5678"), "+15062345678");
  assertEquals(toE164("GB", "07911 123456"), "+447911123456"); // Guernsey
});

Deno.test("toE164() returns null for text that is not a number", () => {
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
