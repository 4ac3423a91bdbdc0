import { assertEquals } from "@std/assert";
import { freshConfig } from "../../fresh.config.ts";
import { PHONE_IMAGE, PRODUCT_IMAGES } from "./product_images.ts";

/** Returns the width and height of a WebP file in the extended format, which Chromium writes. */
async function sizeOf(file: string): Promise<[width: number, height: number]> {
  const bytes = await Deno.readFile(`${freshConfig.root}/static/product/${file}`);
  const view = new DataView(bytes.buffer);
  assertEquals(new TextDecoder().decode(bytes.subarray(8, 16)), "WEBPVP8X", file);
  return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >> 8) + 1];
}

Deno.test("every picture of the product exists in both schemes, in the sizes that pages reserve", async () => {
  const expected = new Set<string>();
  for (const [name, { width, height, widths }] of Object.entries(PRODUCT_IMAGES)) {
    const phone = { ...PHONE_IMAGE, widths: [PHONE_IMAGE.pixels] };
    for (const scheme of ["light", "dark"]) {
      for (const size of [{ width, height, widths }, phone]) {
        for (const pixels of size.widths) {
          const file = `${name}-${scheme}-${pixels}.webp`;
          expected.add(file);
          assertEquals(await sizeOf(file), [pixels, pixels * size.height / size.width], file);
        }
      }
    }
  }
  const found: string[] = [];
  for await (const { name } of Deno.readDir(`${freshConfig.root}/static/product`)) found.push(name);
  assertEquals(found.sort(), [...expected].sort());
});
