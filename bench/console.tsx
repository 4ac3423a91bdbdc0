/**
 * The console's dashboard for an administrator through the whole app, compared with rendering alone:
 * the same page from data that was read once, without session, store and bank. The bank's figures are
 * known.
 *
 * @module
 */
import { App } from "fresh";
import process from "node:process";
import { Dashboard } from "../components/console/Dashboard.tsx";
import { renderConsole } from "../components/console/render_console.tsx";
import { readBank, readCounts, readLists } from "../lib/features/console/dashboard.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { State } from "../lib/app/state.ts";
import { ADMIN, createBankSite } from "../tests/bank_site.ts";
import { builtSite } from "../tests/built_site.ts";
import { PERSON } from "../tests/contact_site.ts";
import type { Site } from "../tests/site.ts";

const SURFACE = "commercial-console";
const RECORDS = 50;

type Handle = () => Promise<Response>;

/**
 * Runs the benchmark and prints the results: the CPU time of the process for one page, which depends
 * less on other work on the machine than its rate.
 *
 * @param options.pages the pages per round
 * @param options.rounds how often both take turns; the least of each counts
 */
export async function run(
  { pages = 40, rounds = 15 } = {},
): Promise<{ app: number; alone: number }> {
  const folder = await Deno.makeTempDir();
  try {
    await using fixture = await createBankSite({ CONTACT_CLIENT_LIMIT: "1000" }, {}, {
      kv: await openKv(`${folder}/kv`),
    });
    await fill(fixture.site);
    await keepHistory(fixture.site);
    const { services, handler } = fixture.site;
    const url = services.surfaces.url(SURFACE, "/console")!;
    const headers = { host: new URL(url).host, cookie: await fixture.signIn(ADMIN, SURFACE) };
    const app = () => handler(new Request(url, { headers }));
    const alone = await rendering(fixture.site);
    const least = { app: Infinity, alone: Infinity };
    for (let round = 0; round < rounds; round++) {
      least.app = Math.min(least.app, await measure(app, pages));
      least.alone = Math.min(least.alone, await measure(alone, pages));
    }
    const ratio = least.alone / least.app;
    console.log(
      `The dashboard with ${RECORDS} records, CPU per page: app ${least.app.toFixed(2)} ms, ` +
        `rendering alone ${least.alone.toFixed(2)} ms, ratio ${ratio.toFixed(2)} (target: 0.6)`,
    );
    return least;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Reads the transactions once. Otherwise each page requests them, because they must not be cached,
 * from a bank that runs in the same process here.
 */
async function keepHistory({ services: { treasuries } }: Site): Promise<void> {
  const history = await treasuries.commercial.history();
  treasuries.commercial.history = () => Promise.resolve(history);
}

async function fill({ services, request }: Site): Promise<void> {
  const { origin } = new URL(services.surfaces.url("commercial")!);
  for (let i = 0; i < RECORDS; i++) {
    const response = await request("api", "/api/ir/register", {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ ...PERSON, name: `Ada ${i}`, email: `ada${i}@example.com` }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  for (const problem of "12345678") {
    await services.alerts.report({ organisation: "commercial", kind: "mail_failed", problem });
  }
}

/** Renders the page from data that was read once, without the pipeline, the session and the store. */
async function rendering({ services }: Site): Promise<Handle> {
  const { unread, open } = await services.alerts.overview("commercial");
  const recordOverview = await services.records.overview("commercial");
  const [bank, health, counts, lists] = await Promise.all([
    readBank(services, "commercial", "L1"),
    services.infra.health("commercial"),
    readCounts(services, "commercial", recordOverview),
    readLists(open, services.alerts.kinds, recordOverview),
  ]);
  const now = new Date(services.clock()).toISOString();
  const props = { ...bank, health, healthPath: "/console/infra", counts, lists, now };
  const state = {
    services,
    surface: services.surfaces.get(SURFACE)!,
    session: { user_id: 1, email: ADMIN },
    holder: null,
    unreadAlerts: unread,
    openAlerts: open,
    recordOverview,
    scripts: true,
    policy: null,
    bare: true,
    shared: false,
  };
  const app = new App<State>()
    .use((ctx) => {
      Object.assign(ctx.state, state);
      return renderConsole(ctx, { title: "Dashboard" }, <Dashboard {...props} />);
    })
    .fsRoutes();
  const handle = (await builtSite()).handlerOf(app);
  const url = services.surfaces.url(SURFACE, "/console")!;
  return () => handle(new Request(url));
}

/** Returns the CPU time of a page in ms. */
async function measure(handle: Handle, pages: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < pages; i++) {
    const response = await handle();
    if (response.status !== 200) throw new Error(`${response.status}`);
    await response.text();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / pages;
}

if (import.meta.main) await run();
