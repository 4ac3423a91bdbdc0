import { assert, assertEquals } from "@std/assert";
import { decodeHex } from "../../../lib/base/encoding.ts";
import { isAllowedPoint } from "./ed25519.ts";

const ZEROS = "00".repeat(30);
const ONES = "ff".repeat(30);

/** The encodings of the points of small order with a reduced y, without the sign. */
const SMALL_ORDER = [
  `00${ZEROS}00`,
  `01${ZEROS}00`,
  `ec${ONES}7f`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
];

Deno.test("isAllowedPoint() refuses the points of small order, with either sign", () => {
  for (const hex of SMALL_ORDER) {
    const point = decodeHex(hex);
    assertEquals(isAllowedPoint(point), false, hex);
    point[31] |= 0x80;
    assertEquals(isAllowedPoint(point), false, `${hex} with the sign bit`);
  }
});

Deno.test("isAllowedPoint() refuses a y from p to 2^255 - 1", () => {
  for (let last = 0xed; last <= 0xff; last++) {
    const hex = last.toString(16);
    assertEquals(isAllowedPoint(decodeHex(`${hex}${ONES}7f`)), false, hex);
    assertEquals(isAllowedPoint(decodeHex(`${hex}${ONES}ff`)), false, `${hex} with the sign bit`);
  }
});

Deno.test("isAllowedPoint() accepts any other point, and reads the first 32 bytes of a signature", () => {
  const base = `58${"66".repeat(31)}`;
  for (const hex of [base, `03${ZEROS}00`, `eb${ONES}7f`, `02${ZEROS}80`, base + "00".repeat(32)]) {
    assert(isAllowedPoint(decodeHex(hex)), hex);
  }
});
