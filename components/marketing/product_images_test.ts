import { assertEquals, assertStringIncludes } from "@std/assert";
import { freshConfig } from "../../fresh.config.ts";
import { PRODUCT_IMAGES, SHAPES } from "./product_images.ts";

type Size = [width: number, height: number];

/** Returns the size of a WebP file in the extended format, which Chromium writes. */
function sizeOfWebp(bytes: Uint8Array<ArrayBuffer>, file: string): Size {
  const view = new DataView(bytes.buffer);
  assertEquals(new TextDecoder().decode(bytes.subarray(8, 16)), "WEBPVP8X", file);
  return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >> 8) + 1];
}

/** Returns the size of an AVIF file: the box "ispe" has it after its name and version. */
function sizeOfAvif(bytes: Uint8Array<ArrayBuffer>, file: string): Size {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 1000));
  assertEquals(text.slice(4, 12), "ftypavif", file);
  const view = new DataView(bytes.buffer, text.indexOf("ispe") + 8);
  return [view.getUint32(0), view.getUint32(4)];
}

const FORMATS = { avif: sizeOfAvif, webp: sizeOfWebp };

Deno.test("every picture of the product exists in both schemes and formats, in the sizes that pages reserve", async () => {
  const folder = `${freshConfig.root}/static/product`;
  const expected = new Set<string>();
  for (const [name, shape] of Object.entries(PRODUCT_IMAGES)) {
    for (const scheme of ["light", "dark"]) {
      for (const { width, height, widths } of [SHAPES[shape], SHAPES.phone]) {
        for (const pixels of widths) {
          for (const [format, sizeOf] of Object.entries(FORMATS)) {
            const file = `${name}-${scheme}-${pixels}.${format}`;
            expected.add(file);
            const size = sizeOf(await Deno.readFile(`${folder}/${file}`), file);
            assertEquals(size, [pixels, pixels * height / width], file);
          }
        }
      }
    }
  }
  const found: string[] = [];
  for await (const { name } of Deno.readDir(folder)) found.push(name);
  assertEquals(found.sort(), [...expected].sort());
});

Deno.test("the stylesheet reserves the shape of each picture", async () => {
  const styles = await Deno.readTextFile(`${freshConfig.root}/static/styles/commercial_home.css`);
  for (const [shape, { width, height }] of Object.entries(SHAPES)) {
    const selector = shape === "phone"
      ? ".window:is(.wide, .tall) picture"
      : `.window.${shape} picture`;
    assertStringIncludes(
      styles.replaceAll(/\s+/g, " "),
      `${selector} { aspect-ratio: ${width} / ${height};`,
    );
  }
});
