/**
 * Makes the icons of the web app at `/my-record`, `static/icons/*.png`, from the site's icon:
 *
 *     deno run -A tools/app_icons.ts
 *
 * @module
 */
import type { Browser } from "playwright-core";
import { launchBrowser } from "../tests/browser.ts";

const folder = new URL("../static/", import.meta.url).pathname;
const icon = await Deno.readTextFile(`${folder}icon.svg`);
const mark = icon.replace(/^<svg[^>]*>\s*<rect[^>]*\/>/, "").replace(/<\/svg>\s*$/, "");

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`;

/** Systems cut a maskable icon to their own shape: everything may go outside the central 80%. */
const maskable = svg(
  `<rect width="32" height="32" fill="#1a2332" />` +
    `<g transform="translate(16 16) scale(0.8) translate(-15.75 -16)">${mark}</g>`,
);

/** Android draws the badge of a notification in one colour. */
const badge = svg(
  `<g transform="translate(16 16) scale(1.25) translate(-15.75 -16)">` +
    `${mark.replaceAll("#4ecdc4", "#ffffff")}</g>`,
);

async function draw(browser: Browser, name: string, size: number, picture: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${picture}`,
  );
  await page.screenshot({ path: `${folder}icons/${name}-${size}.png`, omitBackground: true });
  await page.close();
}

const browser = await launchBrowser();
await Deno.mkdir(`${folder}icons`, { recursive: true });
for (const size of [192, 512]) {
  await draw(browser, "app", size, icon);
  await draw(browser, "app-maskable", size, maskable);
}
await draw(browser, "badge", 96, badge);
await browser.close();
