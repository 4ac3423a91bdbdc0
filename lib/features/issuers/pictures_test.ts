import { assertEquals } from "@std/assert";
import { inspectPicture, MAX_PICTURE } from "./pictures.ts";
import { createJpegHead, createPng } from "./testing/images.ts";

Deno.test("the type and the size of a picture are those in its bytes", () => {
  const of = (media_type: "image/png" | "image/jpeg", width: number, height: number) => ({
    ok: true as const,
    picture: { media_type, width, height },
  });
  assertEquals(inspectPicture(createPng(300, 100)), of("image/png", 300, 100));
  assertEquals(inspectPicture(createPng(2000, 2000)), of("image/png", 2000, 2000));
  assertEquals(inspectPicture(createJpegHead(300, 100)), of("image/jpeg", 300, 100));
});

const text = (text: string) => new TextEncoder().encode(text);
const png = createPng(8, 8);
const BAD: [what: string, bytes: Uint8Array<ArrayBuffer>, problem: RegExp][] = [
  ["an empty file", new Uint8Array(), /PNG or JPEG/],
  ["an SVG", text('<svg xmlns="http://www.w3.org/2000/svg"/>'.repeat(2)), /PNG or JPEG/],
  ["a GIF", text(`GIF89a${"\0".repeat(60)}`), /PNG or JPEG/],
  ["a PNG that ends early", png.slice(0, -1), /PNG or JPEG/],
  ["a PNG with more bytes after it", new Uint8Array([...png, 0x3c]), /PNG or JPEG/],
  ["a JPEG without a frame", new Uint8Array([0xff, 0xd8, 0xff, 0xd9]), /PNG or JPEG/],
  ["a PNG of 2,001 pixels", createPng(2001, 1), /2001 × 1 pixels/],
  ["a JPEG of 60,000 pixels", createJpegHead(60_000, 10), /60000 × 10 pixels/],
  ["a JPEG in CMYK", createJpegHead(300, 100, 4), /Save it in RGB/],
  ["a JPEG without height", createJpegHead(10, 0), /10 × 0 pixels/],
  ["a file over 48 KiB", new Uint8Array(MAX_PICTURE + 1), /too large/],
];
for (const [what, bytes, problem] of BAD) {
  Deno.test(`${what} is not a picture`, () => {
    const inspected = inspectPicture(bytes);
    assertEquals(inspected.ok, false);
    if (!inspected.ok) assertEquals(problem.test(inspected.issues!.file), true);
  });
}
