/**
 * Takes the screenshots of the product that the commercial home page shows, in light and dark:
 *
 *     deno task screenshots [name…]
 *
 * It starts the site with sample data and the stand-ins, so it needs no network. It writes
 * `static/product/<name>-<scheme>-<width>`, for wide screens in two widths and for phones in one, as
 * AVIF and, for browsers without it, as WebP. It writes their sizes to
 * `components/marketing/product_images.ts`. Without names, it takes all of them.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import encodeAvif from "@jsquash/avif/encode.js";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { launchBrowser, withPage } from "../tests/browser.ts";
import { documentPath, parseDocumentId } from "../lib/features/documents/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { type ProductSite, productSite } from "./product_data.ts";

interface Shot {
  on: SurfaceName;
  path: (site: ProductSite) => string;
  cookie?: (site: ProductSite) => string;
  shape: keyof typeof SHAPES;
  /** Brings the page into the state that the picture shows. */
  prepare?: (page: Page, site: ProductSite) => Promise<void>;
}

/**
 * The sizes in CSS pixels, and the widths of the pictures: as wide pages show them, for one and for two
 * pixels per CSS pixel.
 */
const SHAPES = {
  wide: { width: 1116, height: 696, widths: [744, 1488] },
  tall: { width: 744, height: 780, widths: [496, 992] },
  /** For pictures of pages on phones. */
  phone: { width: 400, height: 460, widths: [600] },
} as const;

const SHOTS = {
  record: {
    shape: "tall",
    on: "trust",
    path: () => "/my-record",
    cookie: ({ holderCookie }) => holderCookie,
  },
  shared: {
    shape: "tall",
    on: "trust",
    path: ({ document }) => documentPath(parseDocumentId(document.id)!),
    cookie: ({ readerCookie }) => readerCookie,
    prepare: async (page) => {
      await page.locator("canvas").first().waitFor();
      await page.getByText("Your browser has compared the file").waitFor();
      await moveTo(page, ".verdict");
    },
  },
  check: {
    shape: "tall",
    on: "trust",
    path: () => "/check",
    prepare: async (page, { document }) => {
      await page.locator("#check-file:enabled").setInputFiles({
        name: "certificate.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from(document.file),
      });
      await page.locator(".verdict h2").waitFor();
      await moveTo(page, ".verdict");
    },
  },
  verify: {
    shape: "tall",
    on: "trust",
    path: ({ hash }) => `/verify?hash=${hash}`,
    prepare: async (page) => {
      await page.locator(".verdict:not(.open) h2").waitFor();
      await moveTo(page, ".verdict");
    },
  },
  qualifications: {
    shape: "wide",
    on: "site",
    path: () => "/?q=care&status=current",
    prepare: (page) => moveTo(page, "form"),
  },
} satisfies Record<string, Shot>;

const WEBP_QUALITY = 0.72;
/** Pictures with more pixels than the screen had hide more of the loss. */
const AVIF_QUALITY = { dense: 42, plain: 52 };
/** How long scripts have to fill in their parts of a page. */
const SETTLE_MS = 500;

let readers = 1;

const folder = new URL("../static/product/", import.meta.url).pathname;
const MANIFEST = new URL("../components/marketing/product_images.ts", import.meta.url).pathname;

/** Scrolls so that an element is at one end of the screen. */
const moveTo = (page: Page, selector: string, end: "top" | "bottom" = "top") =>
  page.locator(selector).first().evaluate((element, end) => {
    const place = element.getBoundingClientRect();
    const by = end === "top" ? place.top - 32 : place.bottom - innerHeight + 32;
    globalThis.scrollBy({ top: by, behavior: "instant" });
  }, end);

/**
 * Responds to the page's requests without a socket, so that its URLs are those of a deployment with
 * TLS. Streams never end, and have no response.
 */
function serveInProcess(page: Page, { site }: ProductSite) {
  // Each page has a reader of its own, because repeated checks by the same reader are not events.
  const hostname = `203.0.${readers++}.7`;
  return page.route("**/*", async (route) => {
    const request = route.request();
    const headers = await request.allHeaders();
    if (headers.accept === "text/event-stream") return;
    delete headers["accept-encoding"];
    const url = new URL(request.url());
    const response = await site.handler(
      new Request(url, {
        method: request.method(),
        headers: { ...headers, host: url.host },
        body: request.postDataBuffer() as Uint8Array<ArrayBuffer> | null,
        redirect: "manual",
      }),
      {
        remoteAddr: { transport: "tcp", hostname, port: 4711 },
        completed: Promise.resolve(),
      },
    );
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
}

async function capture(
  browser: Browser,
  site: ProductSite,
  shot: Shot,
  { width, height, widths }: { width: number; height: number; widths: readonly number[] },
  scheme: "light" | "dark",
) {
  const context = {
    viewport: { width, height },
    deviceScaleFactor: widths.at(-1)! / width,
    colorScheme: scheme,
    reducedMotion: "reduce",
    timezoneId: "Australia/Sydney",
  } as const;
  return await withPage(browser, { context }, async (page) => {
    const url = site.site.services.surfaces.url(shot.on, shot.path(site))!;
    await serveInProcess(page, site);
    await page.clock.setFixedTime(site.clock.now);
    if (shot.cookie !== undefined) {
      const [name, value] = shot.cookie(site).split("=");
      await page.context().addCookies([{ name, value, url: new URL(url).origin }]);
    }
    await page.goto(url);
    await shot.prepare?.(page, site);
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    await page.waitForTimeout(SETTLE_MS); // some pages have an open stream, so they are never idle
    return await page.screenshot();
  });
}

/** Scales a PNG, and converts it in the browser, because Playwright writes only PNG and JPEG. */
async function convert(
  page: Page,
  png: Uint8Array<ArrayBuffer>,
  [width, height]: readonly [number, number],
  type: "image/png" | "image/webp",
) {
  const encoded = await page.evaluate(async ([source, width, height, type, quality]) => {
    const blob = await (await fetch(source)).blob();
    const bitmap = await createImageBitmap(blob, {
      resizeWidth: width,
      resizeHeight: height,
      resizeQuality: "high",
    });
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d")!.drawImage(bitmap, 0, 0);
    const scaled = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, type, quality)
    );
    return await new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).split(",")[1]);
      reader.readAsDataURL(scaled!);
    });
  }, [`data:image/png;base64,${png.toBase64()}`, width, height, type, WEBP_QUALITY] as const);
  return Uint8Array.fromBase64(encoded);
}

/** Converts a PNG to AVIF, which Chromium cannot write. */
async function toAvif(png: Uint8Array<ArrayBuffer>, quality: number) {
  const { data, width, height } = PNG.sync.read(Buffer.from(png));
  const pixels = { data: new Uint8ClampedArray(data), width, height, colorSpace: "srgb" } as const;
  // Colours at full resolution, because coloured text would be blurred.
  return new Uint8Array(await encodeAvif(pixels, { quality, subsample: 3, speed: 6 }));
}

const manifest = (shots: Record<string, Shot>) =>
  `/** The pictures in \`static/product\`, by shape. Written by \`deno task screenshots\`. */
export const PRODUCT_IMAGES = {
${Object.entries(shots).map(([name, { shape }]) => `  ${name}: "${shape}",`).join("\n")}
} as const;

/** The sizes of each shape in CSS pixels, and the widths of the files in pixels. */
export const SHAPES = {
${
    Object.entries(SHAPES).map(([shape, { width, height, widths }]) =>
      `  ${shape}: { width: ${width}, height: ${height}, widths: [${widths.join(", ")}] },`
    ).join("\n")
  }
} as const;
`;

const all = Deno.args.length === 0;
const wanted = all ? Object.keys(SHOTS) : Deno.args;
if (all) await Deno.remove(folder, { recursive: true }).catch(() => {}); // and those of other sizes
await Deno.mkdir(folder, { recursive: true });
await using site = await productSite();
const browser = await launchBrowser();
const converter = await browser.newPage();
for (const [name, shot] of Object.entries(SHOTS) as [string, Shot][]) {
  if (!wanted.includes(name)) continue;
  for (const scheme of ["light", "dark"] as const) {
    const sizes: string[] = [];
    for (const size of [SHAPES[shot.shape], SHAPES.phone]) {
      const png = new Uint8Array(await capture(browser, site, shot, size, scheme));
      for (const width of size.widths) {
        const pixels = [width, width * size.height / size.width] as const;
        const quality = AVIF_QUALITY[width > size.width ? "dense" : "plain"];
        const avif = await toAvif(await convert(converter, png, pixels, "image/png"), quality);
        const webp = await convert(converter, png, pixels, "image/webp");
        const file = `${folder}${name}-${scheme}-${width}`;
        await Deno.writeFile(`${file}.avif`, avif);
        await Deno.writeFile(`${file}.webp`, webp);
        const [small, large] = [avif, webp].map(({ length }) => Math.round(length / 1024));
        sizes.push(`${width} px: ${small} KB (WebP ${large} KB)`);
      }
    }
    console.log(`${name} ${scheme}: ${sizes.join(", ")}`);
  }
}
await browser.close();
await Deno.writeTextFile(MANIFEST, manifest(SHOTS));
