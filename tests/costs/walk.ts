/**
 * Sends the requests of all sections and prints what they cost, as JSON. `measure.ts` runs it with an import
 * map that counts.
 *
 * @module
 */
import { describeTrip, type RoundTrip } from "../../lib/platform/kv/testing/round_trips.ts";
import { assetSizes } from "./assets.ts";
import { calibrate } from "./calibrate.ts";
import { holderActions, publicActions } from "./actions.ts";
import { chainRequests, unwitnessedRequests } from "./chains.ts";
import { consoleActions, consolePages } from "./consoles.ts";
import { holderPages, linkPages, recipientPages, userPages } from "./holders.ts";
import {
  type Counts,
  type Effort,
  isMore,
  Meter,
  meterGlobals,
  storeCounts,
  sumOf,
  writesOf,
} from "./meter.ts";
import { operatorActions } from "./operators.ts";
import { appRequests, issuerRequests } from "./programs.ts";
import { uncovered } from "./coverage.ts";
import { createPageScale, decode, type PageSize } from "./page.ts";
import { publicFiles, publicPages, trustPages } from "./public.ts";
import { callbackRequests, witnessRequests } from "./protocols.ts";
import { rareActions } from "./rare.ts";
import { type CostRequest, type CostRequests, initOf } from "./requests.ts";
import { consoleSite, type Counted, peopleSite, unwitnessedSite, witnessSite } from "./sites.ts";
import type { ContactFixture } from "../contact_site.ts";

/** The cost of one request. */
export interface Cost {
  /** Null for a file that is only measured. */
  trips: number | null;
  store: Counts;
  work: Counts;
  later: Counts;
  page: PageSize | null;
  /** The calls of the store, one line for each round trip, to show where a number comes from. */
  calls: string[];
}

/**
 * For how long the attempts wait for further calls: longer each time, in case the machine is busy. The first one
 * only warms up.
 */
const SETTLED_MS = [0, 5, 20, 80, 320];
/** For how long the single attempt of a request that cannot be repeated waits. */
const ONCE_MS = 20;

type Fixture = Counted<ContactFixture>;

/** Describes the calls of a round trip, with the tables in which a commit changes rows. */
function describe(trip: RoundTrip): string {
  const tables = Map.groupBy(writesOf(trip), ([table]) => String(table));
  const writes = [...tables].map(([table, keys]) => `${table} ${keys.length}`);
  return describeTrip(trip) + (writes.length === 0 ? "" : `; writes ${writes.join(", ")}`);
}

const NOTHING = { trips: null, store: {}, work: {}, later: {}, calls: [] };

const sent: { method: string; path: string }[] = [];
const failed: string[] = [];
/** The requests for the heads of what GETs returned, with the lengths of their bodies. Streams have none. */
const heads: { head: () => Request; length: number | null }[] = [];
const scale = createPageScale();

const effortOf = ({ trips, work }: { trips: RoundTrip[]; work: Counts }): Effort => ({
  trips: trips.length,
  calls: sumOf(storeCounts(trips.flat())) + sumOf(work),
});

/** Counts what the requests of a section cost: the second one, after the first one has warmed up. */
async function costsOf(
  fixture: Fixture,
  requests: CostRequests,
  documented: Record<string, Effort>,
): Promise<Record<string, Cost>> {
  const costs: Record<string, Cost> = {};
  for (const [name, request] of Object.entries(requests)) {
    const attempt = async (settledMs: number) => {
      const prepare = "once" in request
        ? request.once
        : typeof request === "function"
        ? request
        : () => request;
      return await send(fixture, await prepare(), settledMs);
    };
    const attempts = "once" in request ? [ONCE_MS] : SETTLED_MS;
    let found: Awaited<ReturnType<typeof attempt>> | undefined;
    try {
      for (const [i, settledMs] of attempts.entries()) {
        const most = documented[name];
        if (i >= 2 && (most === undefined || !isMore(effortOf(found!), most))) break;
        const tried = await attempt(settledMs);
        if (i <= 1 || isMore(effortOf(found!), effortOf(tried))) found = tried;
      }
    } catch (error) {
      failed.push(`${name} failed: ${(error as Error).message}`);
      continue;
    }
    const { work, trips, later, html, on } = found!;
    costs[name] = {
      trips: trips.length,
      store: storeCounts(trips.flat()),
      work,
      later: storeCounts(later),
      page: html === null ? null : await scale.page(fixture.site, on, html),
      calls: [...trips.map(describe), ...later.map((call) => `later: ${describe([call])}`)],
    };
  }
  return costs;
}

async function send({ site, measure }: Fixture, request: CostRequest, settledMs: number) {
  const { services } = site;
  const { host, origin, href } = new URL(services.surfaces.url(request.on, request.path)!);
  const init = initOf(request);
  const headers = new Headers(init.headers);
  headers.set("host", host);
  if (init.method !== "GET") headers.set("origin", origin);
  sent.push({ method: init.method!, path: request.path.split("?")[0] });
  const remoteAddr = { transport: "tcp", hostname: "203.0.113.9", port: 4711 } as const;
  const responded = Promise.withResolvers<void>();
  const meter = new Meter();
  const { result, trips, later } = await measure(
    () =>
      meter.run(async () => {
        const response = await site.handler(new Request(href, { ...init, headers }), {
          remoteAddr,
          completed: responded.promise,
        });
        return { response, body: await readBody(response) };
      }),
    settledMs,
    () => meter.isBusy,
  );
  responded.resolve();
  await meter.settled();
  await Promise.all([services.mailer.flush(), services.push.flush(), services.webhooks.flush()]);
  await meter.settled();
  const { response: { status, headers: received }, body } = result;
  const isExpected = request.status === undefined ? status < 400 : status === request.status;
  if (!isExpected) {
    const text = decode(body, received.get("content-encoding"));
    throw new Error(`${status} ${/<title>(.*?)<.title>/.exec(text)?.[1] ?? text.slice(0, 300)}`);
  }
  if (init.method === "GET" && settledMs === 0) {
    const isStream = received.get("content-type")?.startsWith("text/event-stream") ?? false;
    const head = () => new Request(href, { headers, method: "HEAD" });
    heads.push({ head, length: isStream ? null : body.length });
  }
  const isPage = received.get("content-type")?.startsWith("text/html") ?? false;
  const html = isPage && body.length > 0 ? decode(body, received.get("content-encoding")) : null;
  return { work: meter.work, trips, later, html, on: request.on };
}

/** Reads a response; one that streams events only up to its first event. */
async function readBody(response: Response): Promise<Uint8Array> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!isStream) return new Uint8Array(await response.arrayBuffer());
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/^data:/m.test(text)) break; // which ends the stream
  }
  return new TextEncoder().encode(text);
}

/** Reports each response to a HEAD that denies the body of its GET. Pages change meanwhile, so other lengths differ. */
async function checkHeads({ site }: Pick<Fixture, "site">): Promise<void> {
  const remoteAddr = { transport: "tcp", hostname: "203.0.113.9", port: 4711 } as const;
  for (const { head, length } of heads.splice(0)) {
    const request = head();
    const { headers, body } = await site.handler(request, {
      remoteAddr,
      completed: Promise.resolve(),
    });
    // Without a body, Deno sends the length 0.
    const stated = headers.get("content-length") ?? (body === null ? "0" : null);
    await body?.cancel();
    if (length === null ? stated !== null : stated === "0" && length > 0) {
      failed.push(`HEAD ${request.url} returned the length ${stated}, GET ${length}.`);
    }
  }
}

/** Counts the costs of all requests by section, in the order of the document. */
async function allCosts(documented: Record<string, Record<string, Effort>>) {
  const all: Record<string, Record<string, Cost>> = {};
  const add = async (section: string, fixture: Fixture, requests: CostRequests) => {
    all[section] = {
      ...all[section],
      ...await costsOf(fixture, requests, documented[section] ?? {}),
    };
  };
  {
    await using people = await peopleSite();
    await add("Public pages", people, publicPages(people));
    await add("Pages of the trust surface", people, trustPages(people));
    await add("Public files", people, await publicFiles(people));
    await add("Chains and the log", people, await chainRequests(people));
    await add("Pages that an emailed link opens", people, {
      ...await linkPages(people),
      ...await recipientPages(people),
    });
    await add("Pages of a record's holder", people, holderPages(people));
    await add("Pages of a user of the qualification site", people, await userPages(people));
    await add("Actions of people", people, publicActions(people));
    await add("Actions of people who are signed in", people, {
      ...holderActions(people),
      ...rareActions(people),
    });
    await add("Apps and agents", people, await appRequests(people));
    await add("The API for issuers", people, await issuerRequests(people));
    await add("Providers of codes and other logs", people, callbackRequests(people));
    await checkHeads(people);
  }
  {
    await using consoles = await consoleSite();
    await add("Pages of a console", consoles, consolePages(consoles, "commercial", "L1"));
    await add("Pages of a board member", consoles, consolePages(consoles, "commercial", "L2"));
    await add(
      "Pages of the foundation's console",
      consoles,
      consolePages(consoles, "foundation", "L1"),
    );
    await add("Actions in a console", consoles, {
      ...consoleActions(consoles),
      ...operatorActions(consoles),
    });
    await checkHeads(consoles);
  }
  {
    await using unwitnessed = await unwitnessedSite();
    await add("Chains and the log", unwitnessed, await unwitnessedRequests(unwitnessed));
    await checkHeads(unwitnessed);
  }
  {
    await using witness = await witnessSite();
    await add("Providers of codes and other logs", witness, witnessRequests(witness));
    await checkHeads(witness);
    const sizes = await assetSizes(witness.site, scale);
    all["Scripts and style sheets"] = Object.fromEntries(
      Object.entries(sizes).map(([name, page]) => [name, { ...NOTHING, page }]),
    );
  }
  return all;
}

meterGlobals({ "http://127.0.0.1": "bank requests" });
await calibrate();
const costs = await allCosts(JSON.parse(Deno.args[0] ?? "{}"));
console.log(JSON.stringify({ costs, problems: [...failed, ...await uncovered(sent)] }));
