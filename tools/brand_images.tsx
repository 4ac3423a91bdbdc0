/**
 * Makes the pictures that carry an organisation's mark, from `components/Logo.tsx` and the fonts: its
 * icons and sharing image, and the icons of the web app at `/my-record`, which is the commercial
 * organisation's:
 *
 *     deno run -A tools/brand_images.tsx
 *
 * @module
 */
import type { Browser } from "playwright-core";
import { renderToString } from "preact-render-to-string";
import { Logo } from "../components/Logo.tsx";
import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";
import { launchBrowser } from "../tests/browser.ts";

const folder = new URL("../static/", import.meta.url).pathname;

interface Brand {
  /** The colour of the tile behind the mark, and of the mark. */
  tile: string;
  mark: string;
  /** The radius of the tile's corners, of 32. */
  radius: number;
  /** The width of the drawing that the mark belongs to, of 32. */
  width: number;
  og: { fonts: [family: string, file: string][]; css: string; title: string };
}

const BRANDS: Record<OrganisationKey, Brand> = {
  foundation: {
    tile: "#2b3f8f",
    mark: "#faf8f3",
    radius: 0,
    width: 24,
    og: {
      fonts: [["Display", "newsreader"]],
      title: "The open standard<br>for verifiable records",
      css: `
        body { background: #faf8f3; color: #1b1813; }
        main { border-block: 6px double #1b1813; margin: 64px 80px; height: 502px; }
        svg { top: 44px; left: 0; width: 104px; color: #2b3f8f; }
        h1 { bottom: 92px; left: 0; font: 440 88px/1.06 Display; letter-spacing: -0.015em; }
        p { bottom: 30px; left: 0; right: 0; border-top: 1px solid rgb(38 30 16 / 0.3); }`,
    },
  },
  commercial: {
    tile: "#0f766e",
    mark: "#ffffff",
    radius: 9,
    width: 37,
    og: {
      fonts: [["Display", "geist"]],
      title: "Certification infrastructure<br>for verifiable records",
      css: `
        body { background: #0d141f; color: #e9eef5; }
        main { margin: 64px 80px; height: 502px; }
        svg { top: 0; left: 0; width: 112px; color: #4ecdc4; }
        h1 { bottom: 16px; left: 0; font: 620 78px/1.08 Display; letter-spacing: -0.035em; }
        p { top: 112px; }`,
    },
  },
};

/** The shapes of a mark, 28 units wide. */
const shapes = (organisation: OrganisationKey) =>
  renderToString(<Logo organisation={organisation} />).replace(/^<svg[^>]*>|<\/svg>$/g, "");

/** An icon of 32 units, with a mark of the given width on a tile. Without a tile, the mark alone. */
function icon(
  organisation: OrganisationKey,
  { tile, mark, radius, width }: {
    tile: string | null;
    mark: string;
    radius: number;
    width: number;
  },
): string {
  const scale = width / 28;
  const place = `translate(${16 - 14 * scale} ${16 - 14 * scale}) scale(${scale})`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">` +
    (tile === null ? "" : `<rect width="32" height="32" rx="${radius}" fill="${tile}"/>`) +
    `<g transform="${place}" color="${mark}">${glyph(organisation)}</g></svg>`;
}

/** The shapes without the commercial mark's own tile. */
function glyph(organisation: OrganisationKey): string {
  return organisation === "foundation"
    ? shapes(organisation)
    : shapes(organisation).replace(/d="M9 1h.*?z/, 'd="');
}

async function draw(browser: Browser, html: string, width: number, height: number) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<style>body { margin: 0 }</style>${html}`);
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}

const square = (browser: Browser, svg: string, size: number) =>
  draw(
    browser,
    `<style>svg { display: block; width: 100vw; height: 100vh }</style>${svg}`,
    size,
    size,
  );

/** Returns an ICO file of PNG pictures. */
function ico(pictures: { size: number; png: Uint8Array }[]): Uint8Array {
  const head = new DataView(new ArrayBuffer(6 + 16 * pictures.length));
  head.setUint16(2, 1, true);
  head.setUint16(4, pictures.length, true);
  let offset = head.byteLength;
  pictures.forEach(({ size, png }, i) => {
    const at = 6 + 16 * i;
    head.setUint8(at, size);
    head.setUint8(at + 1, size);
    head.setUint16(at + 4, 1, true);
    head.setUint16(at + 6, 32, true);
    head.setUint32(at + 8, png.length, true);
    head.setUint32(at + 12, offset, true);
    offset += png.length;
  });
  return new Uint8Array(
    [new Uint8Array(head.buffer), ...pictures.map(({ png }) => png)].flatMap((part) => [...part]),
  );
}

async function ogImage(browser: Browser, organisation: OrganisationKey, { og }: Brand) {
  const faces = await Promise.all(og.fonts.map(async ([family, file]) => {
    const bytes = await Deno.readFile(`${folder}fonts/${file}.woff2`);
    return `@font-face { font-family: ${family}; font-weight: 100 900;
      src: url(data:font/woff2;base64,${bytes.toBase64()}); }`;
  }));
  const html = `<style>${faces.join("")}
    main { position: relative } main > * { position: absolute; margin: 0 } svg { height: auto }
    ${og.css}</style>
    <main>${
    renderToString(<Logo organisation={organisation} />)
  }<h1>${og.title}</h1><p></p></main>`;
  return await draw(browser, html, 1200, 630);
}

const browser = await launchBrowser();
await Deno.mkdir(`${folder}icons`, { recursive: true });
const write = (name: string, bytes: Uint8Array) => Deno.writeFile(folder + name, bytes);
for (const [key, brand] of Object.entries(BRANDS)) {
  const organisation = key as OrganisationKey;
  const svg = icon(organisation, brand);
  // Systems round the corners themselves.
  const full = icon(organisation, { ...brand, radius: 0 });
  await Deno.writeTextFile(`${folder}icons/${key}.svg`, svg + "\n");
  const pictures = [];
  for (const size of [16, 32]) pictures.push({ size, png: await square(browser, svg, size) });
  await write(`icons/${key}.ico`, ico(pictures));
  await write(`icons/${key}-180.png`, await square(browser, full, 180));
  await write(`icons/${key}-512.png`, await square(browser, svg, 512));
  await write(`og-${key}.png`, await ogImage(browser, organisation, brand));
}

const app = BRANDS.commercial;
// Systems cut a maskable icon to their own shape: everything may go outside the central 80%.
const maskable = icon("commercial", { ...app, radius: 0, width: 29 });
for (const size of [192, 512]) {
  const svg = icon("commercial", app);
  await write(`icons/app-${size}.png`, await square(browser, svg, size));
  await write(`icons/app-maskable-${size}.png`, await square(browser, maskable, size));
}
// Android draws the badge of a notification in one colour.
const badge = icon("commercial", { tile: null, mark: "#ffffff", radius: 0, width: 44 });
await write("icons/badge-96.png", await square(browser, badge, 96));
await browser.close();
