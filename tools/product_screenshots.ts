/**
 * Takes the screenshots of the product that the commercial home page shows, in light and dark:
 *
 *     deno task screenshots [name…]
 *
 * It starts the site with sample data and the stand-ins, so it needs no network. It writes
 * `static/product/<name>-<scheme>-<width>.webp`, for wide screens in two widths and for
 * phones in one, and their sizes to `components/marketing/product_images.ts`. Without names, it takes
 * all of them.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, withPage } from "../tests/browser.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { type ProductSite, productSite } from "./product_data.ts";

interface Shot {
  on: SurfaceName;
  path: (site: ProductSite) => string;
  cookie?: (site: ProductSite) => string;
  /** The size in CSS pixels. */
  width: number;
  height: number;
  /** Brings the page into the state that the picture shows. */
  prepare?: (page: Page, site: ProductSite) => Promise<void>;
}

const WIDE = { width: 1120, height: 700 };
/** For pictures that pages show beside another one. */
const HALF = { width: 840, height: 620 };
const TALL = { width: 720, height: 760 };

const SHOTS = {
  console: {
    ...WIDE,
    on: "commercial-console",
    path: () => "/console",
    cookie: ({ adminCookie }) => adminCookie,
  },
  infrastructure: {
    ...HALF,
    on: "commercial-console",
    path: () => "/console/infra",
    cookie: ({ adminCookie }) => adminCookie,
    prepare: async (page) => {
      await page.reload();
      await moveTo(page, "#diagram");
    },
  },
  record: {
    ...TALL,
    on: "trust",
    path: () => "/my-record",
    cookie: ({ holderCookie }) => holderCookie,
  },
  document: {
    ...TALL,
    on: "trust",
    path: ({ document }) => `/d/${document.id}`,
    cookie: ({ holderCookie }) => holderCookie,
    prepare: async (page) => {
      await page.locator("canvas").first().waitFor();
      await moveTo(page, "canvas", "bottom"); // where the code is
    },
  },
  check: {
    ...TALL,
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
    ...TALL,
    on: "trust",
    path: ({ hash }) => `/verify?hash=${hash}`,
    prepare: async (page) => {
      await page.locator(".verdict:not(.open) h2").waitFor();
      await moveTo(page, ".verdict");
    },
  },
  qualifications: {
    ...WIDE,
    on: "site",
    path: () => "/?q=care",
    prepare: (page) => moveTo(page, "form"),
  },
  agents: { ...HALF, on: "commercial-mcp", path: () => "/" },
} satisfies Record<string, Shot>;

/** How phones show each page. */
const PHONE = { width: 400, height: 460 };
/** The widths for wide screens in pixels, as parts of the widest one. */
const SCALES = [0.5, 1];
const PIXELS = 1.5;
const QUALITY = 0.72;
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
  { width, height }: { width: number; height: number },
  scheme: "light" | "dark",
) {
  const context = {
    viewport: { width, height },
    deviceScaleFactor: PIXELS,
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

/** Converts a PNG to WebP, in the browser, because Playwright writes only PNG and JPEG. */
async function toWebP(page: Page, png: Uint8Array<ArrayBuffer>, width: number, height: number) {
  const encoded = await page.evaluate(async ([source, width, height, quality]) => {
    const blob = await (await fetch(source)).blob();
    const bitmap = await createImageBitmap(blob, {
      resizeWidth: width,
      resizeHeight: height,
      resizeQuality: "high",
    });
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d")!.drawImage(bitmap, 0, 0);
    const webp = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, "image/webp", quality)
    );
    return await new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).split(",")[1]);
      reader.readAsDataURL(webp!);
    });
  }, [`data:image/png;base64,${png.toBase64()}`, width, height, QUALITY] as const);
  return Uint8Array.fromBase64(encoded);
}

const manifest = (shots: Record<string, Shot>) =>
  `/** The sizes of the pictures in \`static/product\`. Written by \`deno task screenshots\`. */
export const PRODUCT_IMAGES = {
${
    Object.entries(shots).map(([name, { width, height }]) =>
      `  ${name}: { width: ${width}, height: ${height}, widths: [${
        SCALES.map((scale) => width * PIXELS * scale).join(", ")
      }] },`
    ).join("\n")
  }
} as const;

/** The size of each of them on phones. */
export const PHONE_IMAGE = {
  width: ${PHONE.width},
  height: ${PHONE.height},
  pixels: ${PHONE.width * PIXELS},
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
    for (const { size, scales } of [{ size: shot, scales: SCALES }, { size: PHONE, scales: [1] }]) {
      const png = new Uint8Array(await capture(browser, site, shot, size, scheme));
      for (const scale of scales) {
        const [width, height] = [size.width, size.height].map((side) => side * PIXELS * scale);
        const webp = await toWebP(converter, png, width, height);
        await Deno.writeFile(`${folder}${name}-${scheme}-${width}.webp`, webp);
        sizes.push(`${width} px: ${Math.round(webp.length / 1024)} KB`);
      }
    }
    console.log(`${name} ${scheme}: ${sizes.join(", ")}`);
  }
}
await browser.close();
await Deno.writeTextFile(MANIFEST, manifest(SHOTS));
