/**
 * Runs the main flows in browsers with other engines than that of the other tests: Firefox, WebKitGTK, and an old
 * Chromium. Browsers that are not installed are skipped, with the command that installs them; with
 * `ENGINES=required`, they fail.
 *
 *     deno task test:engines
 *
 * `ENGINE_PICTURES` names a folder for a picture of each flow's last page.
 *
 * @module
 */
import { FLOWS, SMOKE } from "./flows.ts";
import type { Engine } from "./engine.ts";
import { firefox, oldChromium } from "./puppeteer.ts";
import { engineSite } from "./site.ts";
import { webkit } from "./webkit.ts";

const required = Deno.env.get("ENGINES") === "required";
const pictures = Deno.env.get("ENGINE_PICTURES");

const ENGINES: [Engine, flows: typeof FLOWS][] = [
  [firefox, FLOWS],
  [webkit, FLOWS],
  [oldChromium, SMOKE],
];

for (const [engine, flows] of ENGINES) {
  const missing = await engine.missing();
  if (missing !== null) console.log(`${engine.name} is not installed: ${missing}`);
  Deno.test(engine.name, { ignore: missing !== null && !required }, async (t) => {
    if (missing !== null) throw new Error(`${engine.name} is not installed: ${missing}`);
    await using site = await engineSite({ tls: !engine.trustsLocalhost });
    await using browser = await engine.open();
    const { page } = browser;
    for (const [title, flow] of Object.entries(flows)) {
      await t.step(title, async () => {
        try {
          await flow({ page, site });
        } finally {
          if (pictures !== undefined) {
            const name = `${engine.name} ${title}`.replaceAll(/\W+/g, "-");
            await Deno.writeFile(`${pictures}/${name}.png`, await page.screenshot());
          }
        }
      });
    }
  });
}
