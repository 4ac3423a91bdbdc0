import { assert, assertEquals } from "@std/assert";
import { openKv } from "../lib/platform/kv/mod.ts";
import {
  countRoundTrips,
  describeTrip,
  type RoundTrip,
} from "../lib/platform/kv/testing/round_trips.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { type Sandboxes, startSandboxes } from "../sandbox/mod.ts";
import { type AccessFixture, accessFixture } from "./access_site.ts";
import { PERSON } from "./contact_site.ts";
import { connect, registerClient } from "./oauth_site.ts";

/** A request whose round trips are counted. */
interface Counted {
  surface: SurfaceName;
  path: string;
  cookie?: string;
  form?: Record<string, string>;
  json?: unknown;
}

/** Requests by their names in the document. Those that change something prepare a new one each time. */
type Requests = Record<string, Counted | (() => Promise<Counted>)>;

/** The most round trips of a section's requests, except those whose reason the document gives. */
const SECTIONS = {
  "Public pages": 1,
  "Pages that a mailed link opens": 1,
  "Pages of a record's holder": 3,
  "Pages of a user of the qualification site": 3,
  "Pages of a console": 3,
  "Actions": 6,
} as const;

type Section = keyof typeof SECTIONS;

/** For how long the attempts wait for further calls: longer each time, in case the machine is busy. */
const SETTLED_MS = [5, 5, 20, 80, 320];

const DOCUMENT = new URL("../docs/ops/round_trips.md", import.meta.url);

Deno.test("docs/ops/round_trips.md has the number of round trips of each request, within the limits", async () => {
  const documented = readTables(await Deno.readTextFile(DOCUMENT));
  let sandboxes: Sandboxes | undefined;
  const counted = countRoundTrips(await openKv(":memory:"));
  await using fixture = await accessFixture({ CONTACT_CLIENT_LIMIT: "1000" }, {
    kv: counted.kv,
    configure: (config) => (sandboxes = startSandboxes(config)).configure(config),
  });
  try {
    const found: Record<string, Record<string, number>> = {};
    for (const [section, requests] of Object.entries(await requestsOf(fixture))) {
      found[section] = {};
      for (const [name, request] of Object.entries(requests)) {
        const expected = documented[section]?.[name];
        const trips = await fewestTrips(counted.measure, fixture, request, expected?.trips ?? 0);
        found[section][name] = trips.length;
        const limit = SECTIONS[section as Section];
        assert(
          trips.length <= limit || expected?.reason,
          `${name} takes ${trips.length} round trips:\n${trips.map(describeTrip).join("\n")}`,
        );
      }
    }
    const numbers = Object.fromEntries(
      Object.entries(documented).map(([section, rows]) => [
        section,
        Object.fromEntries(Object.entries(rows).map(([name, { trips }]) => [name, trips])),
      ]),
    );
    assertEquals(numbers, found);
  } finally {
    await sandboxes?.stop();
  }
});

/** Returns the fewest round trips of several attempts, of which the first one warms up. */
async function fewestTrips(
  measure: ReturnType<typeof countRoundTrips>["measure"],
  fixture: AccessFixture,
  request: Requests[string],
  expected: number,
): Promise<RoundTrip[]> {
  let fewest: RoundTrip[] | undefined;
  for (const [i, settledMs] of SETTLED_MS.entries()) {
    if (i >= 2 && fewest!.length <= expected) break;
    const prepared = typeof request === "function" ? await request() : request;
    const responded = Promise.withResolvers<void>();
    const { trips } = await measure(async () => {
      const response = await send(fixture, prepared, responded.promise);
      await response.body?.pipeTo(new WritableStream());
      if (response.status >= 400) throw new Error(`${prepared.path}: ${response.status}`);
    }, settledMs);
    responded.resolve();
    await fixture.site.services.mailer.flush();
    if (fewest === undefined || trips.length < fewest.length) fewest = trips;
  }
  return fewest!;
}

function send(
  { site }: AccessFixture,
  { surface, path, cookie = "", form, json }: Counted,
  completed: Promise<void>,
): Promise<Response> {
  const { host, origin, href } = new URL(site.services.surfaces.url(surface, path)!);
  const headers = new Headers({ host, origin, cookie, accept: "text/html" });
  if (json !== undefined) {
    headers.set("content-type", "application/json");
    headers.set("idempotency-key", crypto.randomUUID());
  }
  const body = form ? new URLSearchParams(form) : json === undefined ? null : JSON.stringify(json);
  const request = new Request(href, { method: body === null ? "GET" : "POST", body, headers });
  const remoteAddr = { transport: "tcp", hostname: "203.0.113.9", port: 4711 } as const;
  return site.handler(request, { remoteAddr, completed });
}

/** Returns the tables of the document by section: the numbers by request, with reasons. */
function readTables(text: string) {
  const tables: Record<string, Record<string, { trips: number; reason: string }>> = {};
  let rows: Record<string, { trips: number; reason: string }> = {};
  for (const line of text.split("\n")) {
    if (line.startsWith("## ")) rows = tables[line.slice(3)] = {};
    const [, name, trips, reason] = /^\| (.+?) +\| (\d+) +\| (.*?) *\|$/.exec(line) ?? [];
    if (name !== undefined) rows[name.replaceAll("`", "")] = { trips: Number(trips), reason };
  }
  return tables;
}

async function requestsOf(fixture: AccessFixture): Promise<Record<Section, Requests>> {
  const { site, owner: { hash, cookie }, document } = fixture;
  const { services } = site;
  let people = 0;
  const person = () => ({ ...PERSON, email: `person${++people}@example.org` });
  const signIn = async (email: string, surface: SurfaceName) => {
    const { token } = await services.auth.issueLink({ email, surface });
    return `app_session=${(await services.auth.verify(token, surface))!.sessionId}`;
  };
  /** Returns the newest mailed link with a path. */
  const linkOf = async (path: string) =>
    new URL((await fixture.mails()).find(({ link }) => link?.includes(path))!.link!);
  const tokenIn = ({ searchParams }: URL) => searchParams.get("token")!;
  const pathIn = ({ pathname, search }: URL) => pathname + search;
  const confirmation = async () => {
    await fixture.register(person());
    return await linkOf("/confirm?");
  };
  const holderLink = async () => {
    await (await fixture.fetch("/my-record/sign-in", { form: { email: PERSON.email } })).body
      ?.cancel();
    fixture.clock.now += 3_600_000; // so that the next link is not refused
    return await linkOf("/my-record/link?");
  };

  await fixture.approve({ email: "first@example.com" });
  const granted = await linkOf("/d/grant?");
  await (await fixture.ask()).body?.cancel();
  const asked = await linkOf("/d/request?");
  const corrector = person();
  const { cookie: corrects } = await fixture.holder(corrector);
  await (await fixture.fetch("/my-record/correct", {
    cookie: corrects,
    form: {
      name: corrector.name,
      organisation: corrector.organisation,
      email: person().email,
      mobile_country: corrector.mobile.country,
      mobile_number: corrector.mobile.number,
      enquiry_type: corrector.enquiry_type,
      message: corrector.message,
    },
  })).body?.cancel();
  const correction = await linkOf("/confirm?");
  await connect(site, await registerClient(site), { record: hash });
  const undo = tokenIn(await linkOf("/my-record/undo?"));
  const [account] = (await services.treasuries.commercial.accounts()).accounts;
  const operator = await services.audit.personKey("admin@example.org");
  const admin = await signIn("admin@example.org", "commercial-console");
  const user = await signIn("ada@example.org", "site");
  const pages = (surface: SurfaceName, paths: Record<string, string>, cookie?: string): Requests =>
    Object.fromEntries(
      Object.entries(paths).map((
        [name, path],
      ) => [`${surface} ${name}`, { surface, path, cookie }]),
    );
  const same = (...paths: string[]) => Object.fromEntries(paths.map((path) => [path, path]));
  const record = `/console/records/${hash}`;

  return {
    "Public pages": {
      ...pages("site", same("/", "/qualifications/CHC50121", "/auth")),
      ...pages("commercial", same("/")),
      ...pages("foundation", same("/", "/standard")),
      ...pages("investor", same("/")),
      ...pages("trust", {
        ...same("/", "/verify", "/check", "/d", "/k", "/s", "/levels", "/privacy", "/my-record"),
        "/verify?hash=…": `/verify?hash=${hash}`,
        "/d/…": `/d/${document}`,
        "/d/…/request": `/d/${document}/request`,
      }),
      ...pages("api", same("/docs")),
      // Each poll of a chain, once its newest event is countersigned.
      "api /api/chain/…": async () => {
        await services.jobs.run("log");
        return { surface: "api", path: `/api/chain/${hash}` };
      },
    },
    "Pages that a mailed link opens": {
      "trust /confirm?token=…": {
        surface: "trust",
        path: pathIn(await confirmation()),
      },
      "trust /confirm?token=… of a correction": {
        surface: "trust",
        path: pathIn(correction),
      },
      "trust /my-record/link?token=…": {
        surface: "trust",
        path: pathIn(await holderLink()),
      },
      "trust /d/request?token=…": {
        surface: "trust",
        path: pathIn(asked),
      },
      "trust /d/grant?token=…": {
        surface: "trust",
        path: pathIn(granted),
      },
      "trust /my-record/undo?token=…": {
        surface: "trust",
        path: `/my-record/undo?token=${undo}`,
      },
    },
    "Pages of a record's holder": pages("trust", {
      ...same("/my-record", "/my-record/log", "/my-record/requests", "/my-record/key"),
      ...same("/my-record/correct", "/my-record/delete", "/my-record/declaration"),
      ...same("/my-record/notifications", "/my-record/number", "/check", "/privacy"),
      "/my-record/share?document=…": `/my-record/share?document=${document}`,
      "/verify?hash=…": `/verify?hash=${hash}`,
      "/d/…": `/d/${document}`,
    }, cookie),
    "Pages of a user of the qualification site": pages(
      "site",
      same("/", "/account", "/qualifications/CHC50121"),
      user,
    ),
    "Pages of a console": {
      ...pages("commercial-console", {
        ...same("/console", "/console/report", "/console/finance", "/console/finance/flow"),
        ...same("/console/finance/limits"),
        "/console/finance/…": `/console/finance/${account.id}`,
        ...same("/console/payments", "/console/records"),
        "/console/records/…": record,
        "/console/records/…/documents/…": `${record}/documents/${document}`,
        ...same("/console/inbox"),
        "/console/inbox/…": `/console/inbox/${hash}`,
        ...same("/console/issuers"),
        "/console/issuers/…": "/console/issuers/commercial",
        ...same("/console/alerts", "/console/users"),
        "/console/users/…": "/console/users/1",
        ...same("/console/surfaces", "/console/team"),
        "/console/team/…": `/console/team/${operator}`,
        ...same("/console/audit", "/console/search", "/console/search?q=Ada"),
      }, admin),
      "commercial-console /console/infra": async () => {
        await services.infra.services(); // so that the page does not wait for probes
        return { surface: "commercial-console", path: "/console/infra", cookie: admin };
      },
    },
    "Actions": {
      "POST /api/ir/register": () =>
        Promise.resolve({ surface: "api", path: "/api/ir/register", json: person() }),
      "POST /confirm": async () => ({
        surface: "trust",
        path: "/confirm",
        form: { token: tokenIn(await confirmation()) },
      }),
      "POST /confirm by a holder who is signed in": async () => ({
        surface: "trust",
        path: "/confirm",
        form: { token: tokenIn(await confirmation()) },
        cookie: await fixture.signIn([hash]),
      }),
      "POST /api/auth/request": {
        surface: "site",
        path: "/api/auth/request",
        json: { email: "ada@example.org" },
      },
      "GET /auth/verify?token=…": async () => {
        const { token } = await services.auth.issueLink({
          email: "ada@example.org",
          surface: "site",
        });
        return { surface: "site", path: `/auth/verify?token=${token}` };
      },
      "POST /my-record/sign-in": {
        surface: "trust",
        path: "/my-record/sign-in",
        form: { email: PERSON.email },
      },
      "POST /my-record/link": async () => ({
        surface: "trust",
        path: "/my-record/link",
        form: { token: tokenIn(await holderLink()) },
      }),
      "POST /my-record/declaration": () =>
        Promise.resolve({
          surface: "trust",
          path: "/my-record/declaration",
          form: {
            text: `This record shows who we are, as of version ${++people}.`,
            deliberate: "1",
          },
          cookie,
        }),
    },
  };
}
