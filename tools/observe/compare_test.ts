import { Buffer } from "node:buffer";
import { assertEquals } from "@std/assert";
import { PNG } from "pngjs";
import { compareFolders } from "./compare.ts";
import { compareLines, linesOf } from "./lines.ts";
import { comparePictures, TOLERANCE } from "./pixels.ts";
import { removeFrom } from "./removed.ts";

const HASH = "d06d3b23381f69a97f7436a6873f0b920c637b7836326224b07e7686aebf8913";

Deno.test("text that differs from run to run is replaced by its form, and everything else remains", () => {
  const cases: [text: string, rest: string][] = [
    [HASH, "0".repeat(64)],
    [`Your enquiry (${HASH.slice(0, 8)})`, "Your enquiry (00000000)"],
    ["d06d 3b23 381f", "0000 0000 0000"],
    ["d06d", "0000"],
    ["document-28…c1a5", "document-00…0000"],
    ["0a1b2c3d4e…f5a4 and gh_live_…f0Oz", "0000000000…0000 and gh_live_…0000"],
    ["the key gHGb5KmM… of entry 15 of 34", "the key 00000000… of entry  of 34"],
    ["e7c01e5c-7fd2-4c6e-8b52-3e1de3b6d0aa", "0".repeat(36)],
    ["2026-11-18T10:30:00.040Z", "0000-00-00T00:00:00.000Z"],
    ["18 Nov 2026, 9:05 UTC", "18 Nov 2026, 0:00 UTC"],
    ["1795642690941", "0000000000000"],
    ["?token=o1y0DF85rbWAIG9CzGDpDpe6mfSUtH4oXdbGyNNGpZ8&of=1", `?token=${"0".repeat(43)}&of=1`],
    ["/d/K52BC9AZ4X9QN7Z4", `/d/${"0".repeat(16)}`],
    ["k52b-c9az-4x9q-n7z4", "0".repeat(19)],
    ["trust.localhost:37195/log", "trust.localhost:00000/log"],
    ['"store_format" and format 11', '"store_format" and format 00'],
    ["uses 361 MiB", "uses  MiB"],
    ['{"key":["changes",149],"devalue":[0]}', ""],
    [
      "Checking… 12 of 250 records at AUD 10,000.00",
      "Checking… 12 of 250 records at AUD 10,000.00",
    ],
    ["that they have been seen", "that they have been seen"],
    ["A correction of your record was entered", "A correction of your record was entered"],
    [
      "listWebhookDeliveries and CONTENT_SECURITY_POLICY",
      "listWebhookDeliveries and CONTENT_SECURITY_POLICY",
    ],
  ];
  assertEquals(cases.map(([text]) => removeFrom(text)), cases.map(([, rest]) => rest));
});

Deno.test("the lines of JSON say where a member belongs, whatever its position is", () => {
  const text = JSON.stringify({ sent: [{ subject: "B", to: ["x"] }, { subject: "A" }], none: [] });
  assertEquals(linesOf("mails.json", text), [
    "none = []",
    'sent › A › subject = "A"',
    'sent › B › subject = "B"',
    'sent › B › to › #1 = "x"',
  ]);
});

Deno.test("rows are compared without their order, and each as often as it occurs", () => {
  const [before, after] = [`b\na\na\n`, `a\nc\nb\n`].map((text) => linesOf("export.jsonl", text));
  assertEquals(compareLines(before, after), { removed: ["a"], added: ["c"] });
});

/** Returns a grey picture, with a row of some pixels in another shade. */
function picture(pixels: number, shade: number, width = 40): Uint8Array<ArrayBuffer> {
  const png = new PNG({ width, height: 10 });
  png.data.fill(128);
  for (let i = 0; i < pixels; i++) png.data.fill(shade, (width + i) * 4, (width + i) * 4 + 3);
  return new Uint8Array(PNG.sync.write(png));
}

Deno.test("pictures may differ in a few pixels and in shades that nobody sees, but not in more", () => {
  const plain = picture(0, 128);
  const { channel, pixels } = TOLERANCE;
  assertEquals(comparePictures(plain, picture(20, 128 + channel)), null);
  assertEquals(comparePictures(plain, picture(pixels, 255)), null);
  assertEquals(comparePictures(plain, picture(pixels + 1, 128 + channel + 1)), {
    pixels: pixels + 1,
    left: 0,
    top: 1,
    right: pixels + 1,
    bottom: 2,
  });
  assertEquals(comparePictures(plain, picture(0, 128, 41)), { sizes: ["40 × 10", "41 × 10"] });
});

Deno.test("the comparison of two folders names each file that differs, with what does", async () => {
  const root = await Deno.makeTempDir();
  const write = async (side: string, files: Record<string, string | Uint8Array>) => {
    await Deno.mkdir(`${root}/${side}/pictures`, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      await Deno.writeFile(`${root}/${side}/${name}`, Buffer.from(content as string));
    }
  };
  const row = (id: string) => `{"key":["users","${id}"]}\n`;
  await write("before", {
    "routes.json": `{"files":{"/token":{"audience":"programs"}}}`,
    "export.jsonl": row(HASH),
    "pictures/home.png": picture(0, 128),
    "pictures/gone.png": picture(0, 128),
  });
  await write("after", {
    "routes.json": `{"files":{"/token":{}}}`,
    "export.jsonl": row(HASH.replaceAll("3", "4")),
    "pictures/home.png": picture(20, 255),
  });
  const report: string[] = [];
  const compare = (after: string) =>
    compareFolders(`${root}/before`, `${root}/${after}`, (line) => report.push(line));
  assertEquals(await compare("before"), 0);
  assertEquals(await compare("after"), 3);
  assertEquals(report, [
    "0 of 4 files differ.",
    "pictures/gone.png:",
    `  only in ${root}/before`,
    "pictures/home.png:",
    "  20 pixels differ, from 0, 1 to 20, 2",
    "routes.json:",
    '  - files › /token › audience = "programs"',
    "  + files › /token = {}",
    "3 of 4 files differ.",
  ]);
  await Deno.remove(root, { recursive: true });
});
