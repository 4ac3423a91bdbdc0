import { tmpdir } from "node:os";
import { join } from "node:path";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** Starts a headless Chromium from the npm registry, or the one that `CHROME_PATH` names. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = Deno.env.get("CHROME_PATH") ?? await unpackChromium();
  return await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

async function unpackChromium(): Promise<string> {
  // Processes share the unpacked file, and must not start it while another one writes it. In a whole run,
  // the tests of the site have the same folder and lock.
  const file = join(tmpdir(), "chromium.lock");
  using lock = await Deno.open(file, { create: true, write: true });
  await lock.lock(true);
  return await sparticuz.executablePath();
}
