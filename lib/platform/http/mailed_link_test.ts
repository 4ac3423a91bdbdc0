import { assertEquals } from "@std/assert";
import { namedIn, naming } from "./mailed_link.ts";

const link = (end: string) => new URL(`https://trust.example/confirm?token=secret${end}`);
const HASH = "ab".repeat(32);

Deno.test("a link names up to five rows, and none if there are more", () => {
  const five = [HASH, "req_1", "c", "d", "e"];
  assertEquals(namedIn(link(naming([HASH]))), [HASH]);
  assertEquals(namedIn(link(naming(five))), five);
  assertEquals(naming([...five, "f"]), "");
});

Deno.test("a link whose URL somebody has changed names no rows", () => {
  const ends = [
    "",
    "&of=",
    "&of=a,,b",
    "&of=a,b,c,d,e,f",
    "&of=a%20b",
    "&of=a/b",
    `&of=${HASH}0`,
    `&of=${`${HASH},`.repeat(20)}`,
  ];
  for (const end of ends) assertEquals([end, namedIn(link(end))], [end, []]);
});
