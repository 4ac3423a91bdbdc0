import { assertEquals } from "@std/assert";
import { addressStart, inFours, printedAddress } from "./text.ts";

Deno.test("an address is printed with the id in groups of four", () => {
  for (
    const [url, printed] of [
      [
        "https://trust.example/d/7K3M9Q2XB4TW01RA/12",
        "https://trust.example/d/7K3M-9Q2X-B4TW-01RA/12",
      ],
      ["https://trust.example/terms/3", "https://trust.example/terms/3"],
    ]
  ) assertEquals(printedAddress(url), printed);
  assertEquals(addressStart("http://trust.localhost:8000/d/x/1"), "http://trust.localhost:8000/");
  assertEquals(inFours("3f5a9c01"), "3f5a 9c01");
});
