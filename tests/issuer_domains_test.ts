import { assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import type { DomainNetwork } from "../lib/features/issuers/domain_check.ts";
import { type IssuerRow, issuerRows } from "../lib/features/issuers/mod.ts";
import { createPng } from "../lib/features/issuers/testing/images.ts";
import { newIssuer } from "../lib/features/issuers/rows.ts";
import { DAY_MS, HOUR_MS } from "../lib/base/time.ts";
import { until } from "../lib/testing/until.ts";
import { statusOf } from "./contact_site.ts";
import { BY, documentFixture } from "./document_site.ts";

const START = Date.parse("2026-11-23T09:00:00Z");

const wordsOf = (html: string) =>
  html.replaceAll(/<script.*?<\/script>/gs, "").replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");

/** A site whose DNS the test controls, with issuers of the commercial organisation. */
async function domainFixture() {
  const records = new Map<string, string[][]>();
  const dns = {
    works: true,
    asked: 0,
    running: 0,
    most: 0,
    /** The wait of each request. */
    hold: Promise.resolve(),
  };
  const network: DomainNetwork = {
    resolve: () => Promise.resolve([]),
    connect: () => {
      throw new Error("No domain has an address.");
    },
    deadline: () => new AbortController().signal,
    async resolveTxt(name) {
      dns.asked++;
      dns.most = Math.max(dns.most, ++dns.running);
      await dns.hold;
      dns.running--;
      const found = dns.works ? records.get(name) : undefined;
      if (found === undefined) throw new Deno.errors.NotFound("no records found");
      return found;
    },
    resolves: () => Promise.resolve(dns.works),
  };
  const fixture = await documentFixture({}, { domainNetwork: network });
  const { site: { services }, clock } = fixture;
  const { issuers, issuerDomains, jobs, alerts } = services;
  clock.now = START;
  const { origin } = new URL(services.surfaces.url("commercial-console", "/")!);
  const organisation = "commercial";
  const read = async (id: string) => (await issuers.read(organisation, id))!;
  /** Publishes the token of an issuer's domain, or removes it. */
  const publish = async (id: string, there = true) => {
    const { domain } = await read(id);
    const name = `_gatehouse.${domain!.name}`;
    if (there) records.set(name, [[`gatehouse-verification=${domain!.token}`]]);
    else records.delete(name);
  };
  const check = (id: string) => issuerDomains.check({ organisation, id, by: BY });
  const page = async (path: string) => wordsOf(await (await fixture.asAdministrator(path)).text());
  return {
    ...fixture,
    records,
    dns,
    read,
    publish,
    check,
    page,
    issuerPage: (id: string) => page(`/console/issuers/${id}/settings`),
    change: (id: string, fields: Record<string, string>) =>
      fixture.asAdministrator(`/console/issuers/${id}/settings`, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { origin },
      }),
    /** Adds an issuer with a domain, which is verified. */
    async college(name = "Harbour College", domain = "harbour.example"): Promise<string> {
      const added = await issuers.add({ organisation, name, by: BY });
      if (!added.ok) throw new Error(added.error);
      const { id } = added.issuer;
      await issuerDomains.set({ organisation, id, by: BY, domain });
      await publish(id);
      await check(id);
      return id;
    },
    /** Moves the clock and runs the job. Returns its summary. */
    async after(ms: number): Promise<string | null | undefined> {
      clock.now += ms;
      return (await jobs.run("issuer-domains"))?.detail;
    },
    /** Returns the subjects of the mails to the contact, oldest first. */
    warnings: async () =>
      (await fixture.mails()).filter(({ to }) => to === "registrar@harbour.example.com")
        .map(({ subject }) => subject).toReversed(),
    alerts: async () =>
      (await alerts.list(organisation, { state: "all", limit: 50 })).alerts
        .filter(({ kind }) => /domain/.test(kind))
        .map(({ kind, state, count }) => [kind, state, count]),
  };
}

Deno.test("an administrator enters a domain and checks it, and then every page of its documents names it", async () => {
  await using fixture = await domainFixture();
  const { site: { services }, change, issuerPage, read, records } = fixture;
  const added = await services.issuers.add({
    organisation: "commercial",
    name: "Harbour College",
    by: BY,
  });
  const id = added.ok ? added.issuer.id : "";
  const document = await fixture.add("one", { issuer: id });
  assertEquals(await statusOf(change(id, { act: "set_domain", domain: "Harbour.Example" })), 303);
  const { token } = (await read(id)).domain!;
  assertMatch(token, /^[0-9a-f]{32}$/);
  const instructions = await issuerPage(id);
  assertStringIncludes(instructions, "_gatehouse.harbour.example");
  assertStringIncludes(instructions, `gatehouse-verification=${token}`);
  assertStringIncludes(
    instructions,
    "https://harbour.example/.well-known/gatehouse-verification.txt",
  );
  assertEquals(await statusOf(change(id, { act: "check_domain" })), 303);
  assertStringIncludes(
    await issuerPage(id),
    "there is no TXT record, and the domain has no address",
  );
  const lockScreen = async () => wordsOf(await (await fixture.fetch(`/d/${document.id}`)).text());
  const plain = "Issued by Harbour College · registered with Attest Systems";
  assertStringIncludes(await lockScreen(), plain);

  records.set("_gatehouse.harbour.example", [["v=spf1 -all"]]);
  await statusOf(change(id, { act: "check_domain" }));
  assertStringIncludes(await issuerPage(id), "there are TXT records, but none with this text");
  await fixture.publish(id);
  const verified = await change(id, { act: "check_domain" });
  assertStringIncludes(
    wordsOf(await (await fixture.asAdministrator(verified.headers.get("location")!)).text()),
    "The domain was checked.",
  );
  await verified.body?.cancel();
  assertStringIncludes(await issuerPage(id), "Verified on 23 Nov 2026.");

  const phrase = "Issued by Harbour College (harbour.example, verified 23 Nov 2026) · registered " +
    "with Attest Systems";
  assertStringIncludes(await lockScreen(), phrase);
  const own = await fixture.signIn([fixture.hash]);
  const shown = async (path: string) =>
    wordsOf(await (await fixture.fetch(path, { cookie: own })).text());
  assertStringIncludes(await shown("/my-record"), phrase);
  assertStringIncludes(await shown(`/d/${document.id}`), phrase);
  assertStringIncludes(
    await fixture.page(`/console/records/${fixture.hash}/documents/${document.id}/view`),
    phrase,
  );
  await services.documents.edit(document.id, { guessable: false }, BY);
  const path = `/check?sha256=${document.versions[0].original.sha256}`;
  assertStringIncludes(await shown(path), phrase);
  const json = await fixture.fetch(path, { headers: { accept: "application/json" } });
  const [match] = (await json.json()).matches;
  assertEquals(
    [match.issuer, match.issuer_domain, match.issuer_domain_verified_at],
    ["Harbour College", "harbour.example", "2026-11-23T09:00:00.000Z"],
  );
  assertEquals("issuer_ended_at" in match, false);
});

Deno.test("a domain whose proof is missing is shown for 14 days with three warnings, then no longer verified until an administrator checks it", async () => {
  await using fixture = await domainFixture();
  const { site: { services }, dns, read, after, warnings, publish } = fixture;
  const id = await fixture.college();
  const change = { organisation: "commercial", id, by: BY } as const;
  await services.issuers.setContact({ ...change, contact: "registrar@harbour.example.com" });
  const document = await fixture.add("one", { issuer: id });
  const shown = async () => wordsOf(await (await fixture.fetch(`/d/${document.id}`)).text());
  const asked = dns.asked;
  assertEquals(await after(6 * DAY_MS), "0 checked, 0 failed, 0 in doubt");
  assertEquals(await after(DAY_MS), "1 checked, 0 failed, 0 in doubt");
  assertEquals(await after(DAY_MS), "0 checked, 0 failed, 0 in doubt");
  assertEquals([dns.asked - asked, await warnings()], [1, []]);

  await publish(id, false);
  assertEquals(await after(6 * DAY_MS), "1 checked, 1 failed, 0 in doubt");
  const since = fixture.clock.now; // 7 Dec 2026, 09:00
  assertEquals(await warnings(), [
    "We could not verify harbour.example: please act before 21 Dec 2026",
  ]);
  const [mail] = await fixture.mails();
  const { token } = (await read(id)).domain!;
  assertStringIncludes(
    mail.text,
    `_gatehouse.harbour.example with gatehouse-verification=${token}`,
  );
  assertEquals(await fixture.alerts(), [["issuer_domain", "unread", 1]]);
  assertStringIncludes(
    await fixture.page("/console/alerts"),
    "Pages show the domain as verified until 21 Dec 2026",
  );
  assertStringIncludes(await shown(), "(harbour.example, verified 23 Nov 2026)");
  // An hour later it is too early for another check.
  assertEquals(await after(HOUR_MS), "0 checked, 0 failed, 0 in doubt");
  for (let day = 1; day <= 10; day++) {
    assertEquals(await after(DAY_MS), "1 checked, 1 failed, 0 in doubt");
  }
  assertEquals((await warnings()).length, 1);
  await after(DAY_MS);
  assertEquals((await warnings()).length, 2);
  for (let day = 1; day <= 2; day++) await after(DAY_MS);
  fixture.clock.now = since + 14 * DAY_MS - 1;
  assertStringIncludes(await shown(), "(harbour.example, verified 23 Nov 2026)");
  fixture.clock.now++;
  assertStringIncludes(await shown(), "(harbour.example, domain no longer verified)");

  // Its next owner could publish the same token, so that alone changes nothing.
  await publish(id);
  const before = dns.asked;
  for (let day = 0; day < 10; day++) await after(DAY_MS);
  assertEquals(dns.asked, before);
  assertEquals((await warnings()).slice(2), ["harbour.example is no longer verified"]);
  assertEquals(await fixture.alerts(), [["issuer_domain", "unread", 3]]);
  assertStringIncludes(await shown(), "(harbour.example, domain no longer verified)");
  assertStringIncludes(await fixture.issuerPage(id), "It is not checked any longer");
  await fixture.check(id);
  assertStringIncludes(await shown(), "(harbour.example, verified 31 Dec 2026)");
  assertEquals(await fixture.alerts(), [["issuer_domain", "done", 3]]);
  assertEquals(await after(7 * DAY_MS), "1 checked, 0 failed, 0 in doubt");
});

Deno.test("a domain whose proof is there again within 14 days recovers by itself, and keeps its date", async () => {
  await using fixture = await domainFixture();
  const id = await fixture.college();
  await fixture.publish(id, false);
  await fixture.after(7 * DAY_MS);
  assertEquals(await fixture.alerts(), [["issuer_domain", "unread", 1]]);
  await fixture.publish(id);
  await fixture.after(DAY_MS);
  const { verified_at, failing_since, warnings } = (await fixture.read(id)).domain!;
  assertEquals([verified_at, failing_since, warnings], ["2026-11-23T09:00:00.000Z", null, 0]);
  assertEquals(await fixture.alerts(), [["issuer_domain", "done", 1]]);
});

Deno.test("if all domains fail at the same time, or nothing resolves, nothing is noted and one alert is raised", async () => {
  await using fixture = await domainFixture();
  const { dns, after } = fixture;
  const first = await fixture.college("First", "first.example");
  dns.works = false;
  // One domain alone, while the resolver answers nothing.
  assertEquals(await after(7 * DAY_MS), "1 checked, 0 failed, 1 in doubt");
  dns.works = true;
  const others = [
    await fixture.college("Second", "second.example"),
    await fixture.college("Third", "third.example"),
  ];
  assertEquals(await after(HOUR_MS), "1 checked, 0 failed, 0 in doubt");
  assertEquals(await fixture.alerts(), [["domain_checks", "done", 1]]);
  const all = [first, ...others];
  for (const id of all) await fixture.publish(id, false); // the resolver answers, but not what it should
  for (let i = 0; i < 3; i++) {
    assertEquals(await after(i === 0 ? 7 * DAY_MS : HOUR_MS), "3 checked, 0 failed, 3 in doubt");
  }
  for (const id of all) assertEquals((await fixture.read(id)).domain!.failing_since, null);
  assertEquals((await fixture.alerts())[0], ["domain_checks", "unread", 1]);
  assertStringIncludes(await fixture.page("/console/alerts"), "Check this site’s DNS resolver");
  // One of them is found, so the others are missing.
  await fixture.publish(first);
  assertEquals(await after(HOUR_MS), "3 checked, 2 failed, 0 in doubt");
  assertEquals((await fixture.read(others[0])).domain!.failing_since === null, false);
});

Deno.test("an administrator who checks a verified domain notes that it fails, and the job warns within an hour", async () => {
  await using fixture = await domainFixture();
  const id = await fixture.college();
  await fixture.publish(id, false);
  await fixture.check(id);
  assertStringIncludes(await fixture.issuerPage(id), "Checks fail");
  assertEquals(await fixture.alerts(), []);
  await fixture.after(HOUR_MS);
  assertEquals(await fixture.alerts(), [["issuer_domain", "unread", 1]]);
});

Deno.test("a run checks at most 100 domains, eight at a time, and the next run continues with the others", async () => {
  await using fixture = await domainFixture();
  const { site: { services: { kv } }, dns, records, clock } = fixture;
  for (let i = 0; i < 120; i++) {
    const name = `college-${i}.example`;
    const at = new Date(clock.now).toISOString();
    const row: IssuerRow = {
      ...newIssuer({ id: `id-${i}`, organisation: "commercial", name }, clock.now),
      domain: {
        name,
        token: `${i}`,
        added_at: at,
        verified_at: at,
        method: "dns",
        checked_at: at,
        failing_since: null,
        warnings: 0,
        outcome: null,
      },
    };
    records.set(`_gatehouse.${name}`, [[`gatehouse-verification=${i}`]]);
    const commit = kv.atomic();
    issuerRows.set(commit, row);
    await commit.commit();
  }
  assertEquals(await fixture.after(7 * DAY_MS), "100 checked, 0 failed, 0 in doubt");
  assertEquals(dns.most, 8);
  assertEquals(await fixture.after(HOUR_MS), "20 checked, 0 failed, 0 in doubt");
  assertEquals(await fixture.after(HOUR_MS), "0 checked, 0 failed, 0 in doubt");
});

Deno.test("one issuer of an organisation can have a domain, which is none of this site", async () => {
  await using fixture = await domainFixture();
  const { site: { services: { issuers, issuerDomains } }, change } = fixture;
  const id = await fixture.college();
  const names = ["Quay School", "Pier School"];
  const ids: string[] = [];
  for (const name of names) {
    const added = await issuers.add({ organisation: "commercial", name, by: BY });
    if (added.ok) ids.push(added.issuer.id);
  }
  const refusal = async (id: string, domain: string) => {
    const response = await change(id, { act: "set_domain", domain });
    return [response.status, wordsOf(await response.text())] as const;
  };
  for (
    const [domain, problem] of [
      ["HARBOUR.example", "Another issuer has this domain."],
      ["not a domain", "Enter a host name in the public DNS"],
      ["192.0.2.1", "Enter a host name in the public DNS"],
      ["trust.localhost", "Enter a host name in the public DNS"],
    ]
  ) {
    const [status, html] = await refusal(ids[0], domain);
    assertEquals(status, 400);
    assertStringIncludes(html, problem);
  }
  const of = (id: string, domain: string) =>
    issuerDomains.set({ organisation: "commercial", id, by: BY, domain });
  const both = await Promise.all(ids.map((id) => of(id, "quay.example")));
  assertEquals(both.map(({ ok }) => ok).toSorted(), [false, true]);
  const foreign = await issuers.add({ organisation: "foundation", name: "Elsewhere", by: BY });
  const other = { organisation: "foundation", id: foreign.ok ? foreign.issuer.id : "" } as const;
  const theirs = await issuerDomains.set({ ...other, by: BY, domain: "harbour.example" });
  assertEquals(theirs.ok, true);
  assertFalse((await of("commercial", "attest.example")).ok);

  // A new domain has a new token and is not verified; its old one is free.
  const before = (await fixture.read(id)).domain!;
  await of(id, "harbour-college.example");
  const after = (await fixture.read(id)).domain!;
  assertEquals([after.verified_at, after.token === before.token], [null, false]);
  assertEquals((await of(ids[1], "harbour.example")).ok, true);
  await of(id, "harbour-college.example"); // the same once more changes nothing
  assertEquals((await fixture.read(id)).domain!.token, after.token);
});

Deno.test("a check that was under way when the domain was changed notes nothing", async () => {
  await using fixture = await domainFixture();
  const id = await fixture.college();
  const change = { organisation: "commercial", id, by: BY } as const;
  const { issuerDomains } = fixture.site.services;
  const seen = await fixture.read(id);
  await issuerDomains.set({ ...change, domain: "other.example" });
  await issuerDomains.note(seen, { dns: "found", file: null });
  const { verified_at, checked_at } = (await fixture.read(id)).domain!;
  assertEquals([verified_at, checked_at], [null, null]);

  await fixture.publish(id);
  const { promise, resolve } = Promise.withResolvers<void>();
  fixture.dns.hold = promise;
  const checking = fixture.check(id); // of a domain that has its token
  const asked = fixture.dns.asked;
  await until(() => fixture.dns.asked > asked, "the DNS is asked");
  await issuerDomains.set({ ...change, domain: "third.example" });
  resolve();
  assertFalse((await checking).ok);
  assertEquals((await fixture.read(id)).domain!.verified_at, null);
});

Deno.test("an issuer is suspended and ended with a reason; pages say that it has ended, not that it is suspended", async () => {
  await using fixture = await domainFixture();
  const { change, issuerPage, read } = fixture;
  const id = await fixture.college();
  const document = await fixture.add("one", { issuer: id });
  await fixture.site.services.documents.edit(document.id, { guessable: false }, BY);
  const lockScreen = async () => wordsOf(await (await fixture.fetch(`/d/${document.id}`)).text());
  const setState = (state: string, reason = "They asked us to") =>
    change(id, { act: "set_state", state, reason });
  const verified = "Issued by Harbour College (harbour.example, verified 23 Nov 2026)";
  assertEquals(await statusOf(setState("ended")), 409); // only a suspended one can end
  assertEquals(await statusOf(setState("suspended", " ")), 400);
  assertEquals(await statusOf(setState("suspended", "Invoices are not paid")), 303);
  assertStringIncludes(await issuerPage(id), "The reason: Invoices are not paid");
  const suspended = await lockScreen();
  assertStringIncludes(suspended, verified);
  assertFalse(/suspended|Invoices/.test(suspended));

  // Nobody can add a document for it, and its name is not in the form.
  const { documents } = fixture.site.services;
  const add = async () => {
    const details = { record: fixture.hash, organisation: "commercial", issuer: id } as const;
    const about = { title: "A", kind: "B", public: false, file_name: "a.txt", by: BY };
    const added = await documents.add({ ...details, ...about }, new Blob(["a"]).stream());
    return added.ok || added.error;
  };
  assertEquals(await add(), "issuer_suspended");
  const form = await (await fixture.asAdministrator(`/console/records/${fixture.hash}`)).text();
  assertFalse(form.includes(`value="${id}"`));

  fixture.clock.now += 2 * DAY_MS;
  assertEquals(await statusOf(setState("ended")), 303);
  assertEquals(await add(), "issuer_ended");
  const ended = await lockScreen();
  const text =
    "Harbour College no longer issues documents with Attest Systems (since 25 Nov 2026). " +
    "Documents it issued before remain registered.";
  assertStringIncludes(ended, text);
  assertStringIncludes(ended, "Issued by Harbour College · registered with Attest Systems");
  assertStringIncludes(ended, "Current version");
  const path = `/check?sha256=${document.versions[0].original.sha256}`;
  assertStringIncludes(wordsOf(await (await fixture.fetch(path)).text()), text);
  const json = await fixture.fetch(path, { headers: { accept: "application/json" } });
  const { state, matches: [match] } = await json.json();
  assertEquals(
    [state, match.issuer_ended_at, match.issuer_domain],
    ["current", "2026-11-25T09:00:00.000Z", undefined],
  );
  assertEquals(await fixture.after(8 * DAY_MS), "0 checked, 0 failed, 0 in doubt");

  assertEquals(await statusOf(setState("active")), 409); // its keys are looked at first
  assertEquals(await statusOf(setState("suspended")), 303);
  assertEquals(await statusOf(setState("active")), 303);
  assertEquals((await read(id)).state, "active");
  assertEquals(await add(), true);
  const own = { act: "set_state", state: "suspended", reason: "x" };
  assertEquals(await statusOf(change("commercial", own)), 409);
  const audit = await fixture.page("/console/audit");
  for (const action of ["Suspended an issuer", "Ended an issuer", "Made an issuer active again"]) {
    assertStringIncludes(audit, action);
  }
  assertFalse(audit.includes("Invoices"));
});

Deno.test("an administrator sets the logo, the signature and the contact of an issuer, and removes them", async () => {
  await using fixture = await domainFixture();
  const { site: { services: { issuers } }, change, read } = fixture;
  const { origin } = new URL(fixture.site.services.surfaces.url("commercial-console", "/")!);
  const id = await fixture.college();
  const path = `/console/issuers/${id}/pictures/logo`;
  const upload = (file: File) => {
    const body = new FormData();
    body.set("file", file);
    return fixture.asAdministrator(path, { method: "POST", body, headers: { origin } });
  };
  assertEquals(await statusOf(fixture.asAdministrator(path)), 404);
  const png = createPng(300, 100);
  const saved = await upload(new File([png], "logo.png"));
  assertEquals(saved.status, 303);
  const page = await (await fixture.asAdministrator(saved.headers.get("location")!)).text();
  assertStringIncludes(page, "The logo is saved");
  assertMatch(
    page,
    new RegExp(`<img class="[^"]*" src="${path}\\?v=[0-9a-f]{8}" width="300" height="100"`),
  );
  const image = await fixture.asAdministrator(path);
  assertEquals(new Uint8Array(await image.arrayBuffer()), png);
  assertEquals(
    ["content-type", "x-content-type-options", "cache-control"].map((name) =>
      image.headers.get(name)
    ),
    ["image/png", "nosniff", "private, no-store"],
  );
  assertStringIncludes(
    image.headers.get("content-security-policy")!,
    "default-src 'none'; sandbox",
  );
  const logo = await issuers.readPicture("commercial", id, "logo");
  assertEquals([logo?.media_type, logo?.width, logo?.height], ["image/png", 300, 100]);
  for (
    const [file, problem] of [
      [new File(["<svg/>"], "logo.png", { type: "image/png" }), "Choose a PNG or JPEG file."],
      [new File([new Uint8Array(49 * 1024)], "logo.png"), "The file is too large."],
      [new File([], ""), "Choose a file."],
    ] as const
  ) {
    const refused = await upload(file);
    assertEquals(refused.status, 400);
    assertStringIncludes(await refused.text(), problem);
  }
  assertEquals(await statusOf(upload(new File([new Uint8Array(200 * 1024)], "logo.png"))), 413);
  assertEquals((await issuers.readPicture("commercial", id, "logo"))?.bytes, png);
  assertEquals(await statusOf(change(id, { act: "remove_logo" })), 303);
  assertEquals([await issuers.readPicture("commercial", id, "logo"), (await read(id)).logo], [
    null,
    null,
  ]);

  const sign = (signatory: string) => {
    const body = new FormData();
    body.set("signatory", signatory);
    body.set("file", new File([png], "signature.png"));
    const path = `/console/issuers/${id}/pictures/signature`;
    return fixture.asAdministrator(path, { method: "POST", body, headers: { origin } });
  };
  const unnamed = await sign(" ");
  assertEquals(unnamed.status, 400);
  assertStringIncludes(await unnamed.text(), "Write the name of the person.");
  assertEquals(await statusOf(sign("Ruth Harbour")), 303);
  assertEquals((await read(id)).signature?.signatory, "Ruth Harbour");
  assertEquals((await issuers.readPicture("commercial", id, "signature"))?.bytes, png);
  assertEquals(await statusOf(change(id, { act: "remove_signature" })), 303);
  const picture = await issuers.readPicture("commercial", id, "signature");
  assertEquals([picture, (await read(id)).signature], [null, null]);
  assertEquals(
    await statusOf(fixture.asAdministrator(`/console/issuers/${id}/pictures/seal`)),
    404,
  );

  assertEquals(await statusOf(change(id, { act: "set_contact", contact: "no address" })), 400);
  assertEquals(
    await statusOf(change(id, { act: "set_contact", contact: " Desk@Harbour.example.com" })),
    303,
  );
  assertEquals((await read(id)).contact, "desk@harbour.example.com");
  const audit = await fixture.page("/console/audit");
  assertStringIncludes(audit, "Changed the contact of an issuer");
  assertFalse(audit.includes("desk@"));
  assertEquals(await statusOf(change(id, { act: "set_contact", contact: "" })), 303);
  assertEquals((await read(id)).contact, null);
  assertEquals(await statusOf(change(id, { act: "nothing" })), 400);
});

Deno.test("an administrator withdraws a document on its page below its issuer, and none of another issuer", async () => {
  await using fixture = await domainFixture();
  const { documents, surfaces } = fixture.site.services;
  const { origin } = new URL(surfaces.url("commercial-console", "/")!);
  const id = await fixture.college();
  const other = await fixture.college("Quay School", "quay.example");
  const { id: document } = await fixture.add("one", { issuer: id, public: true });
  const listOf = (issuer: string) => fixture.page(`/console/issuers/${issuer}`);
  assertStringIncludes(await listOf(id), "Certificate of Ada");
  assertFalse((await listOf(other)).includes("Certificate of Ada"));
  const withdraw = (issuer: string, reason: string) =>
    fixture.asAdministrator(`/console/issuers/${issuer}/documents/${document}`, {
      method: "POST",
      body: new URLSearchParams({ act: "withdraw", reason }),
      headers: { origin },
    });
  assertEquals(await statusOf(withdraw(other, "A mistake")), 404);
  const refused = await withdraw(id, "");
  assertEquals(refused.status, 400);
  assertStringIncludes(await refused.text(), "The reason is missing.");
  assertEquals((await documents.read(document))!.versions[0].state, "current");
  assertEquals(await statusOf(withdraw(id, "The name is wrong")), 303);
  assertStringIncludes(
    wordsOf(await (await fixture.fetch(`/d/${document}`)).text()),
    "The reason given: The name is wrong",
  );
  assertEquals(await statusOf(withdraw(id, "Again")), 409);
});
