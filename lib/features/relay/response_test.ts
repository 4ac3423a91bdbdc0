import { assertEquals } from "@std/assert";
import { accepts } from "./response.ts";

const CASES: [acceptEncoding: string | null, coding: string, accepted: boolean][] = [
  [null, "gzip", false],
  ["", "gzip", false],
  ["identity", "gzip", false],
  ["gzip", "gzip", true],
  ["GZIP", "gzip", true],
  ["br, gzip;q=0.5", "gzip", true],
  ["br;q=1.0,gzip; q=0", "gzip", false],
  ["gzip;q=0.000", "gzip", false],
  ["gzip;q=0.001", "gzip", true],
  ["*", "gzip", true],
  ["*;q=0", "gzip", false],
  ["*;q=0, gzip", "gzip", true],
  ["gzip;q=0, *", "gzip", false],
  ["gzip", "br", false],
  ["xgzip", "gzip", false],
];

for (const [acceptEncoding, coding, accepted] of CASES) {
  Deno.test(`accepts() returns ${accepted} for ${coding} with Accept-Encoding: ${acceptEncoding}`, () => {
    const headers = new Headers(
      acceptEncoding === null ? {} : { "accept-encoding": acceptEncoding },
    );
    assertEquals(accepts({ headers }, coding), accepted);
  });
}
