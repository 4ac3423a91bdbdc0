import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import type { Services } from "../lib/app/services.ts";
import type { CheckReport } from "../lib/features/documents/checks/report.ts";
import { encodeBase64 } from "../lib/base/encoding.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { issuerRows } from "../lib/features/issuers/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { inUnit } from "../lib/platform/kv/mod.ts";
import { type ApiClient, documentBody, documentIn, issuerApiFixture } from "./issuer_api_site.ts";
import { addIssuer } from "./key_site.ts";
import { createSite } from "./site.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Bytes that begin like a PDF, and that nobody could guess. */
function someFile(): Uint8Array<ArrayBuffer> {
  const bytes = crypto.getRandomValues(new Uint8Array(3000));
  bytes.set(new TextEncoder().encode("%PDF-1.7\n"));
  return bytes;
}

type Addition = Parameters<Services["documents"]["draft"]>[0];

/** Registers a file that is in no record. */
async function register(
  { documents, kv, clock }: Services,
  about: Addition,
  file: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { draft } = unwrap(await documents.draft(about, new Blob([file]).stream()));
  const added = await inUnit(
    { kv, clock },
    (unit) => documents.write.add(unit, draft, { record: null }),
  );
  return unwrap(added).document.id;
}

/** The data that issuers register besides their own names. */
const ADDITION = {
  organisation: "commercial",
  title: "Certificate",
  kind: "Certificate",
  public: false,
  file_name: "certificate.pdf",
  by: "admin@example.org",
} as const;

/** A site where Harbour College has registered a file, and Beta College has a copy of it. */
async function setUp() {
  const fixture = await issuerApiFixture();
  const { clock, live } = fixture;
  const file = someFile();
  const beta = await fixture.addClient("Beta College");
  let count = 0;
  const bodyOf = (changes: Record<string, unknown> = {}) =>
    documentBody({
      recipient: { name: "Grace", email: `grace${count++ % 10}@example.org` },
      file: encodeBase64(file),
      file_name: "certificate.pdf",
      ...changes,
    });
  const issue = async (call: ApiClient["live"], changes?: Record<string, unknown>) => {
    clock.now += HOUR_MS;
    return await documentIn(call("/api/documents", { json: bodyOf(changes) }));
  };
  const withdraw = async (call: ApiClient["live"], id: string, reason = "Forged") => {
    clock.now += HOUR_MS;
    await documentIn(call(`/api/documents/${id}/withdraw`, { json: { reason } }), 200);
  };
  const genuine = await issue(live);
  return {
    ...fixture,
    file,
    /** Registers copies of the file as the API does, without its requests. Returns the last one's id. */
    async copy(
      copies: number,
      { issuer }: Pick<ApiClient, "issuer">,
      more: Partial<Addition> = {},
    ) {
      let id = "";
      for (let i = 0; i < copies; i++) {
        clock.now += HOUR_MS;
        const added = { ...ADDITION, issuer: issuer.id, ...more };
        id = await register(fixture.site.services, added, file);
      }
      return id;
    },
    beta,
    genuine,
    issue,
    withdraw,
    /** Gives an issuer a verified domain. */
    async verify({ issuer }: Pick<ApiClient, "issuer">, name: string) {
      const { kv } = fixture.site.services;
      const { key, value } = await issuerRows.get(kv, "commercial", issuer.id);
      const verified_at = new Date(clock.now).toISOString();
      const domain = {
        name,
        token: "t",
        added_at: verified_at,
        verified_at,
        method: "dns" as const,
      };
      const checked = { checked_at: verified_at, failing_since: null, warnings: 0, outcome: null };
      await kv.set(key, { ...value, domain: { ...domain, ...checked } });
    },
    /** The text of the page for somebody who pasted the hash. */
    async page(bytes = file): Promise<string> {
      const response = await fixture.fetch(`/check?sha256=${sha256(bytes)}`);
      const [, verdict] = /<section class="verdict.*?>(.*?)<div class="check-file"/s
        .exec(await response.text())!;
      return verdict.replace(/<[^>]+>/g, " ").replace(/&#39;/g, "'").replace(/\s+/g, " ");
    },
    async check(bytes = file): Promise<CheckReport> {
      const path = `/check?sha256=${sha256(bytes)}`;
      const response = await fixture.fetch(path, { headers: { accept: "application/json" } });
      return await response.json();
    },
  };
}

const statesOf = ({ state, matches }: CheckReport) => [
  state,
  ...matches.map(({ issuer, state }) => `${issuer}: ${state}`),
];

Deno.test("a file that another issuer registers later and withdraws is reported as its first issuer left it", async () => {
  await using site = await setUp();
  const { id } = await site.issue(site.beta.live);
  await site.withdraw(site.beta.live, id);
  assertEquals(statesOf(await site.check()), [
    "current",
    "Harbour College: current",
    "Beta College: withdrawn",
  ]);
});

Deno.test("100 hidden tests of another issuer change nothing in the report on a file", async () => {
  await using site = await setUp();
  const before = await site.check();
  await site.issue(site.beta.test, { publish_hash: "hide" });
  await site.copy(99, site.beta, { test: true, guessable: true });
  assertEquals(await site.check(), before);
});

Deno.test("100 copies of another issuer are one entry after that of the first issuer", async () => {
  await using site = await setUp();
  await site.copy(99, site.beta);
  const { id } = await site.issue(site.beta.live);
  await site.withdraw(site.beta.live, id);
  const report = await site.check();
  assertEquals(statesOf(report), [
    "current",
    "Harbour College: current",
    "Beta College: withdrawn",
  ]);
  assertEquals(report.matches[0].url, site.genuine.url);
});

Deno.test("a document that another issuer registers later follows below the verdict, with its domain", async () => {
  await using site = await setUp();
  assertFalse((await site.page()).includes("organisations have registered"));
  await site.verify(site, "harbour.example");
  const { id } = await site.issue(site.beta.live);
  await site.withdraw(site.beta.live, id);
  const page = await site.page();
  assertStringIncludes(page, "Match Two organisations have registered this file First, on");
  assertStringIncludes(page, ": Harbour College Harbour College (harbour.example, verified");
  assertStringIncludes(page, "has registered it, and its registration is current.");
  assertStringIncludes(
    page,
    "Another organisation has registered it too Beta College (no verified",
  );
  assertStringIncludes(page, "withdrawn on");
  assertStringIncludes(page, "Only the organisation that issued a document can withdraw it: each");
  assertStringIncludes(page, "Which organisation does your document name? Rely only on");
  assertMatch(page, /withdrawn on [^:]* by Beta College/);
  assertFalse(page.includes("Forged"), "another issuer's words are on its own page");

  // The name looks the same; its second letter is Cyrillic.
  const twin = await site.addClient("H\u0430rbour College");
  await site.verify(twin, "xn--hrbour-3ve.example");
  await site.issue(twin.live);
  const three = await site.page();
  assertStringIncludes(three, "Three organisations have registered this file");
  assertStringIncludes(three, "Issued by Harbour College (harbour.example, verified");
  assertStringIncludes(three, "(xn--hrbour-3ve.example, verified");
});

Deno.test("an issuer that registered a file before the one that it names leads the report", async () => {
  await using site = await setUp();
  const file = someFile();
  const json = { file: encodeBase64(file) };
  const { id } = await site.issue(site.beta.live, json);
  await site.withdraw(site.beta.live, id);
  await site.issue(site.live, json);
  const page = await site.page(file);
  assertStringIncludes(page, "Match Two organisations have registered this file");
  assertStringIncludes(page, "Beta College (no verified domain) has withdrawn its registration.");
  assertFalse(page.includes("no longer in force"));
  const report = await site.check(file);
  assertEquals([report.issuer, ...statesOf(report)], [
    "Beta College",
    "withdrawn",
    "Beta College: withdrawn",
    "Harbour College: current",
  ]);
});

Deno.test("a page gets a nonce for the first match only, so a stranger with a copy learns of no check", async () => {
  await using site = await setUp();
  const add = async (file: Uint8Array<ArrayBuffer>, issuer: string) => {
    site.clock.now += HOUR_MS;
    const about = { record, organisation: "commercial", title: "Copy", kind: "Copy" } as const;
    unwrap(
      await site.site.services.documents.add(
        { ...about, issuer, public: false, file_name: "copy.pdf", by: "admin@example.org" },
        new Blob([file]).stream(),
      ),
    );
  };
  const ask = async (file: Uint8Array) => {
    const response = await site.fetch("/check", { json: { sha256: sha256(file) } });
    const { report, nonce, unrecorded } = await response.json();
    return [report.matches.length, typeof nonce, unrecorded];
  };
  const record = await site.register();
  await add(site.file, site.beta.issuer.id);
  assertEquals(await ask(site.file), [2, "object", "waiting"], "the genuine one waits");
  const file = someFile();
  await add(file, site.issuer.id);
  await add(file, site.beta.issuer.id);
  const { kv } = site.site.services;
  const count = async () => (await Array.fromAsync(kv.list({ prefix: ["reader_nonces"] }))).length;
  const before = await count();
  assertEquals(await ask(file), [2, "string", null]);
  assertEquals(await count() - before, 1);
});

Deno.test("a test of another issuer is reported only if nothing else is", async () => {
  await using site = await setUp();
  await site.issue(site.beta.test);
  assertEquals(statesOf(await site.check()), ["current", "Harbour College: current"]);
  const file = someFile();
  await site.issue(site.beta.test, { file: encodeBase64(file) });
  assertEquals(statesOf(await site.check(file)), ["test", "Beta College: test"]);
  await site.issue(site.live, { file: encodeBase64(file), publish_hash: "hide" });
  assertEquals(statesOf(await site.check(file)), ["test", "Beta College: test"]);
});

Deno.test("the site's own organisation counts as an issuer, and its pages come first", async () => {
  await using site = await setUp();
  const { documents, pages } = site.site.services;
  const record = await site.register();
  site.clock.now += HOUR_MS;
  unwrap(
    await documents.add({
      record,
      organisation: "commercial",
      title: "Copy",
      kind: "Certificate",
      public: false,
      file_name: "copy.pdf",
      by: "admin@example.org",
    }, new Blob([site.file]).stream()),
  );
  assertEquals(statesOf(await site.check()), [
    "current",
    "Harbour College: current",
    "Attest Systems: current",
  ]);
  const { version } = (await pages.read("terms"))!;
  const terms = new TextEncoder().encode(version.markdown);
  const { id } = await site.issue(site.beta.live, {
    file: encodeBase64(terms),
    publish_hash: "publish",
  });
  await site.withdraw(site.beta.live, id);
  const report = await site.check(terms);
  assertEquals([report.state, ...report.matches.map(({ form }) => form)], [
    "current",
    "text",
    "original",
  ]);
});

Deno.test("a check reads at most 20 rows and 20 documents, whatever was registered", async () => {
  await using site = await setUp();
  const { kv } = site.site.services;
  const read = { rows: 0, documents: 0 };
  const list = kv.list.bind(kv) as typeof kv.list;
  const getMany = kv.getMany.bind(kv) as (...args: unknown[]) => unknown;
  Object.assign(kv, {
    async *list<T>(
      selector: Deno.KvListSelector & { prefix: Deno.KvKey },
      options?: Deno.KvListOptions,
    ) {
      for await (const entry of list<T>(selector, options)) {
        if (/hash|registrants/.test(String(selector.prefix[0]))) read.rows++;
        yield entry;
      }
    },
    getMany(keys: Deno.KvKey[], options: unknown) {
      read.documents += keys.filter(([prefix]) => prefix === "documents").length;
      return getMany(keys, options);
    },
  });
  const cost = async () => {
    Object.assign(read, { rows: 0, documents: 0 });
    const report = await site.check();
    return { ...read, matches: report.matches.length, more: report.more_issuers };
  };
  await cost(); // publishes the pages
  assertEquals(await cost(), { rows: 1, documents: 1, matches: 1, more: 0 });
  for (let i = 0; i < 40; i++) {
    await site.copy(1, site.beta);
    await site.copy(1, site.beta, { guessable: true });
    await site.copy(1, site.beta, { test: true });
  }
  assertEquals(await cost(), { rows: 2, documents: 2, matches: 2, more: 0 });
  for (let i = 0; i < 23; i++) await site.issue((await site.addClient(`College ${i}`)).live);
  assertEquals(await cost(), { rows: 15, documents: 15, matches: 15, more: 10 });
});

/** A step of an issuer with the documents that it has registered so far. */
interface Step {
  issuer: 0 | 1;
  what: "register" | "hide" | "show" | "withdraw" | "replace";
  test: boolean;
  hidden: boolean;
  copies: number;
  /** Chooses one of the issuer's documents. */
  which: number;
  /** True if the new version has the file itself. */
  same: boolean;
}

/** Returns a generator of numbers from 0 to 1 that depend only on the seed. */
function randomOf(seed: number): () => number {
  return () => {
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

/** The only sequence with 100 copies at once; in the others 21, because a check reads at most 20. */
const MANY_COPIES = 6;

function stepsOf(seed: number): Step[] {
  const random = randomOf(seed);
  const oneOf = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)];
  return Array.from({ length: 12 }, () => ({
    issuer: oneOf(0, 1),
    what: oneOf("register", "register", "hide", "show", "withdraw", "replace"),
    test: random() < 0.25,
    hidden: random() < 0.25,
    copies: oneOf(1, 1, 1, 1, 2, 2, 5, seed === MANY_COPIES ? 100 : 21),
    which: random(),
    same: random() < 0.5,
  }));
}

/** Takes the steps of some issuers, and returns after each one what a check says. */
async function reportsOf(
  steps: readonly Step[],
  isTaken: (step: Step) => boolean,
  file: Uint8Array<ArrayBuffer>,
): Promise<CheckReport[]> {
  const clock = { now: Date.parse("2026-03-01T10:00:00Z") };
  await using site = await createSite({}, { clock: () => clock.now, issuePdf: null });
  const { documents, surfaces } = site.services;
  const issuers = [await addIssuer(site, "Harbour College"), await addIssuer(site, "Beta College")];
  const by = "admin@example.org";
  const own: { id: string; test: boolean }[][] = [[], []];
  const reports: CheckReport[] = [];
  for (const step of steps) {
    clock.now += HOUR_MS;
    const mine = own[step.issuer].filter(({ test }) => test === step.test);
    const chosen = mine[Math.floor(step.which * mine.length)]?.id;
    if (isTaken(step) && step.what === "register") {
      for (let i = 0; i < step.copies; i++) {
        clock.now += 1;
        const about = {
          ...ADDITION,
          issuer: issuers[step.issuer].issuer.id,
          guessable: step.hidden,
          ...step.test && { test: true as const },
        };
        const id = await register(site.services, about, file);
        own[step.issuer].push({ id, test: step.test });
      }
    } else {
      if (step.what === "register") clock.now += step.copies;
      if (isTaken(step) && chosen !== undefined) {
        const bytes = step.same ? file : crypto.getRandomValues(new Uint8Array(3000));
        const guessable = { guessable: step.hidden };
        await {
          register: () => {},
          hide: () => documents.edit(chosen, { guessable: true }, by),
          show: () => documents.edit(chosen, { guessable: false }, by),
          withdraw: () => documents.withdraw(chosen, "Forged", by),
          replace: () =>
            documents.addVersion(
              chosen,
              { file_name: "a.pdf", by, ...guessable },
              new Blob([bytes]).stream(),
            ),
        }[step.what]();
      }
    }
    const { href, host } = new URL(surfaces.url("trust", `/check?sha256=${sha256(file)}`)!);
    const headers = { host, accept: "application/json" };
    // Each check comes from another network, because their number is limited.
    const hostname = `198.51.100.${reports.length}`;
    const response = await site.handler(new Request(href, { headers }), {
      remoteAddr: { transport: "tcp", hostname, port: 1 },
      completed: Promise.resolve(),
    });
    reports.push(await response.json());
  }
  return reports;
}

/** Returns what a report says of an issuer, without random numbers. */
function saidOf({ matches }: CheckReport, issuer: string) {
  const match = matches.find((each) => each.issuer === issuer && each.state !== "test");
  if (match === undefined) return null;
  const { url: _, log: __, ...said } = match;
  return said;
}

/** Returns the first step since which each report has said something of an issuer; infinite if the last does not. */
const publicSince = (reports: readonly CheckReport[], issuer: string): number => {
  const since = reports.findLastIndex((report) => saidOf(report, issuer) === null) + 1;
  return since === reports.length ? Infinity : since;
};

Deno.test("the text about an issuer's document depends on its own steps only, and the first public one leads", async () => {
  const names = ["Harbour College", "Beta College"];
  let compared = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const steps = stepsOf(seed);
    const file = someFile();
    const [together, ...alone] = await Promise.all([
      reportsOf(steps, () => true, file),
      ...names.map((_, i) => reportsOf(steps, ({ issuer }) => issuer === i, file)),
    ]);
    for (const [i, report] of together.entries()) {
      const message = `seed ${seed}, step ${i + 1}`;
      const said = names.map((name, who) => saidOf(alone[who][i], name));
      assertEquals(names.map((name) => saidOf(report, name)), said, message);
      if (said[0] === null && said[1] === null) continue;
      const since = names.map((name, who) => publicSince(alone[who].slice(0, i + 1), name));
      const first = since[0] < since[1] ? 0 : 1;
      assertEquals([report.state, report.issuer], [said[first]?.state, names[first]], message);
      compared++;
    }
  }
  assert(compared > 50, `${compared} reports compared`);
});
