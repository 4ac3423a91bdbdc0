/** The main paths through the site that are tried in several browser engines. */
import type { SurfaceName } from "../../lib/platform/surfaces/mod.ts";
import { PERSON } from "../contact_site.ts";
import { appears, becomes, type EnginePage, shows } from "./engine.ts";
import type { EngineSite } from "./site.ts";

interface Use {
  page: EnginePage;
  site: EngineSite;
}

const urlOf = ({ site: { services } }: EngineSite, surface: SurfaceName, path = "/"): string =>
  services.surfaces.url(surface, path)!;

/** Returns the newest link that was mailed to an address. */
const linkTo = (site: EngineSite, email: string): Promise<string> =>
  becomes(`a link to ${email}`, async () => {
    const mails = await site.mails();
    return mails.find(({ to, link }) => to === email.toLowerCase() && link !== undefined)?.link ??
      "";
  });

async function chart({ page, site }: Use) {
  await page.goto(urlOf(site, "workbench", "/dev/charts?only=line"));
  await appears(page, ".chart-plot canvas");
  const [drawn, hidden] = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".chart-plot canvas")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const table = document.querySelector(".chart-table")!.getBoundingClientRect();
    /** The fill below the line: teal, and translucent. */
    const isFill = (at: number) =>
      data[at + 3] > 20 && data[at + 3] < 30 && data[at + 1] > 2 * data[at];
    return [data.some((_, i) => i % 4 === 0 && isFill(i)), table.width <= 1];
  });
  if (!drawn) throw new Error("the area below the line has no colour");
  if (!hidden) throw new Error("the table stands below the chart");
}

async function overlay({ page, site }: Use) {
  await page.goto(urlOf(site, "foundation"));
  await appears(page, ".mcp-badge[role=button]");
  await page.click(".mcp-badge[role=button]");
  await appears(page, "dialog[open] .connect-section");
  await page.press("Escape");
  await becomes(
    "no dialog",
    () => page.evaluate(() => document.querySelector("dialog[open]") === null),
  );
}

async function contactModal({ page, site }: Use) {
  await page.goto(urlOf(site, "commercial", "/connect"));
  await appears(page, ".mcp-badge[role=button]"); // the scripts run
  await page.click(".foot a[href$='/contact']");
  const name = `${await modalHost(page)} >> [name=name]`;
  await appears(page, name);
  await page.type(name, "Ada");
  await page.press("Escape");
  await becomes(
    "no dialog",
    () =>
      page.evaluate(() =>
        [...document.querySelectorAll("div")].every((each) =>
          each.shadowRoot?.querySelector("dialog[open]") == null
        )
      ),
  );
}

/** The element of the form on our own pages. */
const modalHost = (page: EnginePage): Promise<string> =>
  becomes("the form", () =>
    page.evaluate(() => {
      const host = document.querySelector("[data-tokens]");
      return host?.shadowRoot ? "[data-tokens]" : "";
    }));

/** Registers on a page of somebody else with a strict policy, and sees an event that happens afterwards. */
async function embeddedForm({ page, site }: Use) {
  await page.goto(`${site.elsewhere}/`);
  const form = "#contact >>";
  await appears(page, `${form} [name=name]`);
  await page.type(`${form} [name=name]`, "Elsa Elsewhere");
  await page.type(`${form} [name=email]`, "elsa@mail.example.org");
  await page.type(`${form} [name=message]`, "From another site, with a policy.");
  await page.click(`${form} [value=Technical]`);
  await page.click(`${form} [type=submit]`);
  await becomes(
    "the feed",
    () =>
      page.evaluate(() =>
        document.querySelector("#contact")!.shadowRoot!
          .querySelector("dialog[data-phase=watch], dialog[data-phase=feed]") !== null
      ),
    (open) => open,
    90_000,
  );
  const hash = await becomes("the record's address", () =>
    page.evaluate(() => {
      const { innerHTML } = document.querySelector("#contact")!.shadowRoot!;
      return /[?&]hash=([0-9a-f]{64})/.exec(innerHTML)?.[1] ?? "";
    }));
  await site.site.services.chains.append(hash, "record_verified");
  await becomes(
    "the live event",
    () =>
      page.evaluate(() =>
        document.querySelector("#contact")!.shadowRoot!.textContent!.includes("record_verified")
      ),
  );
}

async function signIn({ page, site }: Use) {
  const email = "grace@example.org";
  await page.goto(urlOf(site, "site", "/auth"));
  await appears(page, "[name=email]");
  await page.type("[name=email]", email);
  await page.press("Enter");
  await shows(page, "Check your inbox");
  await page.goto(await linkTo(site, email));
  await shows(page, email);
  const path = await page.evaluate(() => location.pathname);
  if (path !== "/account") throw new Error(`signed in to ${path}`);
}

async function myRecord({ page, site }: Use) {
  await site.register(PERSON);
  await page.goto(await linkTo(site, PERSON.email));
  await page.click("form.confirm button");
  await shows(page, "Your email address is confirmed");
  await page.click("a[href='/my-record']");
  await shows(page, PERSON.name);
  // WebKit never finishes an installation whose page is left meanwhile.
  await becomes("the worker is active", () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return registration?.active?.state === "activated";
    }));
}

async function verify({ page, site }: Use) {
  const hash = await site.register({ ...PERSON, email: "vera@example.org" });
  await page.goto(urlOf(site, "trust", `/verify?hash=${hash}`));
  const verdict = await appears(page, ".verdict:is(.good, .fair, .bad) h2");
  if (!/^Verified/.test(verdict)) throw new Error(verdict);
}

async function check({ page, site }: Use) {
  await page.goto(urlOf(site, "trust", "/check"));
  await appears(page, "#check-file:enabled");
  await page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File(["an unknown file ".repeat(1_000)], "unknown.txt"));
    const input = document.querySelector<HTMLInputElement>("#check-file")!;
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await appears(page, ".verdict h2");
}

async function paletteAndInbox({ page, site }: Use) {
  await site.register({ ...PERSON, email: "ines@example.org" });
  const { auth } = site.site.services;
  const surface = "commercial-console";
  const { token } = await auth.issueLink({ email: "admin@example.org", surface });
  await page.goto(urlOf(site, surface, `/auth/verify?token=${token}`));
  await page.goto(urlOf(site, surface, "/console/inbox"));
  await becomes("the first enquiry has the focus", async () => {
    await page.press("j"); // until the scripts run
    return await page.evaluate(() => document.activeElement?.closest(".inbox-list") !== null);
  });
  await page.press("Control", "k");
  await appears(page, ".palette [role=combobox]");
  await page.type(".palette [role=combobox]", "audit");
  await appears(page, ".palette [role=option]");
  await page.press("Enter");
  await becomes(
    "the page from the palette",
    () => page.evaluate(() => location.pathname),
    (path) => path === "/console/audit",
  );
}

/** After {@linkcode myRecord}: with the servers stopped, a page of the record is the offline page. */
async function offline({ page, site }: Use) {
  await page.goto(urlOf(site, "trust", "/my-record"));
  await becomes(
    "the worker controls the page",
    () => page.evaluate(() => navigator.serviceWorker.controller?.state === "activated"),
  );
  const log = urlOf(site, "trust", "/my-record/log");
  await site.stop();
  await page.goto(log).catch(() => {}); // some drivers report the failed request
  await shows(page, "No connection");
}

/** Colours, the script without which the verification cannot end, and the form: before Chrome 123. */
async function olderBrowser(use: Use) {
  const { page, site } = use;
  const pages: [SurfaceName, string][] = [
    ["foundation", "/"],
    ["commercial", "/"],
    ["site", "/auth"],
    ["trust", "/verify"],
    ["workbench", "/dev/charts?only=line"],
  ];
  for (const [surface, path] of pages) {
    await page.goto(urlOf(site, surface, path));
    const missing = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const names = [
        "bg",
        "bg-raised",
        "bg-card",
        "bg-band",
        "line",
        "text",
        "text-muted",
        "accent",
      ];
      return names.filter((name) => !CSS.supports("color", style.getPropertyValue(`--${name}`)));
    });
    if (missing.length > 0) throw new Error(`${surface}${path}: no ${missing.join(", ")}`);
  }
  for (const flow of [chart, verify, contactModal, check]) await flow(use);
}

/** In their order: the last one ends the servers. */
export const FLOWS: Record<string, (use: Use) => Promise<void>> = {
  "a chart is drawn": chart,
  "the MCP overlay opens and closes": overlay,
  "the contact form opens over a page": contactModal,
  "the embedded form registers and shows a live event": embeddedForm,
  "a mailed link signs in": signIn,
  "a confirmation leads to My record": myRecord,
  "a chain is verified": verify,
  "a file is checked": check,
  "the inbox and the palette follow the keys": paletteAndInbox,
  "without the server, My record shows the offline page": offline,
};

export const SMOKE: typeof FLOWS = { "the pages have their colours, and work": olderBrowser };
