import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createSite } from "../../../tests/site.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { actAs, Actor, apart, openKv, rulesOf } from "../../platform/kv/mod.ts";
import { raceKv } from "../../platform/kv/testing/race_kv.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { SignedIn } from "../auth/mod.ts";
import {
  createOperators,
  INVITATIONS_PER_HOUR,
  type Layer,
  MOST_OPERATORS,
  operators as rows,
} from "./mod.ts";

const ROOT = "root@example.org";
const ADA = "ada@example.org";
const BOB = "bob@example.org";
const EVE = "eve@example.org";

/** Two consoles with an administrator from the environment, by default. */
async function teamFixture(l1: string[] = [ROOT]) {
  const clock = { now: Date.parse("2026-03-01T10:00:00.000Z") };
  const kv = raceKv(await openKv(":memory:"));
  const site = await createSite({}, {
    clock: () => clock.now,
    kv,
    configure: (config) => ({ ...config, ops: { l1, l2: [] } }),
  });
  const { team, auth, operators, audit, consoleSessions, mailer, devOutbox } = site.services;
  const surfaceOf = (organisation: OrganisationKey) => `${organisation}-console` as const;

  const fixture = {
    ...{ site, kv, clock, team, auth, operators, consoleSessions },
    actor: (by: string, organisation: OrganisationKey = "commercial") => ({ organisation, by }),
    async mails(to: string) {
      await mailer.flush();
      return devOutbox!.list().filter((mail) => mail.to === to);
    },
    async token(email: string): Promise<string> {
      const [{ link }] = await fixture.mails(email);
      return new URL(link!).searchParams.get("token")!;
    },
    /** Signs in on a console and returns the session. */
    async session(email: string, organisation: OrganisationKey = "commercial"): Promise<SignedIn> {
      const surface = surfaceOf(organisation);
      const { token } = await auth.issueLink({ email, surface });
      const { sessionId, user } = (await auth.verify(token, surface))!;
      const request = new Request("https://x", { headers: { cookie: `app_session=${sessionId}` } });
      return { ...user, ...(await auth.getSession(request, surface))! };
    },
    layer: async (session: SignedIn) =>
      (await operators.layerOfSession(session, "commercial")).layer,
    open: async (email: string) => {
      const id = await auth.findUserId(email);
      return id === null ? 0 : (await consoleSessions.list("commercial", id)).length;
    },
    /** Invites an address, which accepts at once. Returns its session. */
    async join(email: string, layer: Layer, by = ROOT): Promise<SignedIn> {
      assert((await team.invite(fixture.actor(by), { email, layer })).ok);
      const session = await fixture.session(email);
      const accepted = await team.accept("commercial", await fixture.token(email), session);
      assertEquals(accepted, { ok: true, layer });
      return session;
    },
    /** Entries of the same millisecond have no order. */
    actions: async () =>
      (await audit.list("commercial", {})).entries
        .filter(({ action }) => action !== "sign_in")
        .map(({ by, action, object, detail }) =>
          [action, "by", by, object.operator, detail].filter(Boolean).join(" ")
        ).sort(),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
  return fixture;
}

/** Returns the code of a failure, or `ok`. */
const codeOf = (result: { ok: true } | { ok: false; error: string }) =>
  result.ok ? "ok" : result.error;

Deno.test("an invited person joins one console once, and every administrator gets a mail", async () => {
  await using fixture = await teamFixture();
  const { team, clock, operators } = fixture;
  await fixture.join(ADA, "L2");
  assertEquals(await operators.layerOf(ADA, "commercial"), "L2");
  assertEquals(await operators.layerOf(ADA, "foundation"), null);
  const session = await fixture.session(ADA);
  const token = new URL((await fixture.mails(ADA)).at(-1)!.link!).searchParams.get("token")!;
  assertEquals(codeOf(await team.accept("commercial", token, session)), "expired");
  assertEquals((await fixture.mails(ROOT)).map(({ subject }) => subject), [
    `An operator joined the console: ${ADA}`,
  ]);
  assertEquals(await fixture.actions(), [
    `operator_invited by ${ROOT} ${ADA} L2`,
    `operator_joined by ${ADA} ${ADA} L2`,
  ]);
  clock.now += HOUR_MS;
  assertEquals(
    codeOf(await team.invite(fixture.actor(ROOT), { email: ADA, layer: "L1" })),
    "conflict",
  );
});

Deno.test("the invitation of a full administrator is mailed to all of them, who can withdraw it, and that of a board member to nobody else", async () => {
  await using fixture = await teamFixture([ROOT, BOB]);
  const { team } = fixture;
  const subjects = async (to: string) => (await fixture.mails(to)).map(({ subject }) => subject);
  await team.invite(fixture.actor(BOB), { email: ADA, layer: "L2" });
  assertEquals([await subjects(ROOT), await subjects(BOB)], [[], []]);
  await team.invite(fixture.actor(BOB), { email: EVE, layer: "L1" });
  const title = `A full administrator was invited to the console: ${EVE}`;
  assertEquals([await subjects(ROOT), await subjects(BOB)], [[title], [title]]);
  const [{ text, link }] = await fixture.mails(ROOT);
  assertStringIncludes(text, `By: ${BOB}`);
  assertEquals(new URL(link!).pathname, "/console/team");
  assertEquals((await subjects(EVE)).length, 1);
  const token = await fixture.token(EVE);
  assertEquals(codeOf(await team.withdraw(fixture.actor(ROOT), EVE)), "ok");
  const session = await fixture.session(EVE);
  assertEquals(codeOf(await team.accept("commercial", token, session)), "expired");
});

Deno.test("an invitation is refused to other addresses, on the other console and after 72 hours", async () => {
  await using fixture = await teamFixture();
  const { team, clock } = fixture;
  await team.invite(fixture.actor(ROOT), { email: ADA, layer: "L1" });
  const token = await fixture.token(ADA);
  const accept = async (email: string, organisation: OrganisationKey = "commercial") =>
    codeOf(await team.accept(organisation, token, await fixture.session(email, organisation)));
  assertEquals(await accept(EVE), "other_address");
  assertEquals(await accept(ADA, "foundation"), "expired");
  clock.now += 3 * DAY_MS;
  assertEquals(await accept(ADA), "expired");
  assertEquals(await team.invitations("commercial"), []);
  assertEquals(codeOf(await team.sendAgain(fixture.actor(ROOT), ADA)), "not_found");
});

Deno.test("a session from before the invitation does not accept it", async () => {
  await using fixture = await teamFixture();
  const { team, clock } = fixture;
  const before = await fixture.session(ADA);
  clock.now += 1;
  await team.invite(fixture.actor(ROOT), { email: ADA, layer: "L1" });
  const token = await fixture.token(ADA);
  assertEquals(codeOf(await team.accept("commercial", token, before)), "old_session");
  assertEquals(codeOf(await team.accept("commercial", token, await fixture.session(ADA))), "ok");
  assertEquals(await fixture.open(ADA), 1); // the one that accepted
  assertEquals(await fixture.layer(before), null);
});

Deno.test("only the last link of an invitation works, and none once it is withdrawn", async () => {
  await using fixture = await teamFixture();
  const { team } = fixture;
  const actor = fixture.actor(ROOT);
  await team.invite(actor, { email: ADA, layer: "L2" });
  const first = await fixture.token(ADA);
  assertEquals(codeOf(await team.sendAgain(actor, ADA)), "ok");
  const second = await fixture.token(ADA);
  const session = await fixture.session(ADA);
  assertEquals(codeOf(await team.readInvitation("commercial", first, session)), "expired");
  assertEquals(codeOf(await team.readInvitation("commercial", second, session)), "ok");
  assertEquals(codeOf(await team.withdraw(actor, ADA)), "ok");
  assertEquals(codeOf(await team.accept("commercial", second, session)), "expired");
  assertEquals(codeOf(await team.withdraw(actor, ADA)), "not_found");
  assertEquals(await fixture.operators.layerOf(ADA, "commercial"), null);
  assertEquals(await fixture.actions(), [
    `invitation_sent_again by ${ROOT} ${ADA} L2`,
    `invitation_withdrawn by ${ROOT} ${ADA} L2`,
    `operator_invited by ${ROOT} ${ADA} L2`,
  ]);
});

Deno.test("an invitation that is withdrawn while it is being accepted is not accepted", async () => {
  await using fixture = await teamFixture();
  const { team, kv } = fixture;
  await team.invite(fixture.actor(ROOT), { email: ADA, layer: "L1" });
  const session = await fixture.session(ADA);
  const token = await fixture.token(ADA);
  kv.meanwhile("operators", () => team.withdraw(fixture.actor(ROOT), ADA));
  assertEquals(codeOf(await team.accept("commercial", token, session)), "expired");
  assertEquals(await fixture.operators.layerOf(ADA, "commercial"), null);
});

Deno.test("an invitation is void once the person who sent it is no longer an administrator", async () => {
  const named = [ROOT, BOB];
  await using fixture = await teamFixture(named);
  const { team } = fixture;
  await team.invite(fixture.actor(BOB), { email: EVE, layer: "L1" });
  const token = await fixture.token(EVE);
  named.pop();
  const session = await fixture.session(EVE);
  assertEquals(codeOf(await team.accept("commercial", token, session)), "expired");
  assertEquals((await team.invitations("commercial")).map(({ valid }) => valid), [false]);
  assertEquals(codeOf(await team.sendAgain(fixture.actor(ROOT), EVE)), "ok");
  assertEquals(
    codeOf(await team.accept("commercial", await fixture.token(EVE), session)),
    "ok",
  );
});

Deno.test("invitations of an administrator who is lowered or removed stay withdrawn when the layer comes back", async () => {
  await using fixture = await teamFixture();
  const { team, auth } = fixture;
  const root = fixture.actor(ROOT);
  const lower = () => team.changeLayer(root, { email: ADA, layer: "L2" });
  for (const lose of [lower, () => team.remove(root, ADA), () => auth.deleteUser(ADA)]) {
    await fixture.join(ADA, "L1");
    await team.invite(fixture.actor(ADA), { email: EVE, layer: "L1" });
    await team.invite(root, { email: BOB, layer: "L2" });
    const token = await fixture.token(EVE);
    await lose();
    assertEquals((await team.invitations("commercial")).map(({ email }) => email), [BOB]);
    if (lose === lower) await team.changeLayer(root, { email: ADA, layer: "L1" });
    else await fixture.join(ADA, "L1");
    const session = await fixture.session(EVE);
    assertEquals(codeOf(await team.accept("commercial", token, session)), "expired");
    await team.remove(root, ADA);
  }
  assertEquals((await fixture.actions()).filter((action) => action.includes("withdrawn")), [
    `invitation_withdrawn by ${ROOT} ${EVE} L1`,
    `invitation_withdrawn by ${ROOT} ${EVE} L1`,
  ]);
});

Deno.test("an administrator sends ten invitations in an hour, those sent again included", async () => {
  await using fixture = await teamFixture();
  const { team, clock } = fixture;
  const invite = async (i: number, by = ROOT) =>
    codeOf(await team.invite(fixture.actor(by), { email: `p${i}@example.org`, layer: "L2" }));
  await fixture.join(ADA, "L1");
  for (let i = 2; i < INVITATIONS_PER_HOUR; i++) assertEquals(await invite(i), "ok");
  assertEquals(codeOf(await team.sendAgain(fixture.actor(ROOT), "p2@example.org")), "ok");
  assertEquals(await invite(99), "rate_limited");
  assertEquals(await invite(99, ADA), "ok");
  clock.now += HOUR_MS;
  assertEquals(await invite(100), "ok");
});

Deno.test("a console with 100 operators and invitations accepts no other one, and sends a pending one again", async () => {
  await using fixture = await teamFixture();
  const { team, kv } = fixture;
  const invite = async (email: string) =>
    codeOf(await team.invite(fixture.actor(ROOT), { email, layer: "L2" }));
  const at = "2026-02-01T10:00:00.000Z";
  const times = { sessions_from: at, added_at: at };
  const commit = kv.atomic();
  for (let i = 0; i < MOST_OPERATORS - 2; i++) {
    const email = `p${i}@example.org`;
    rows.put(commit, ["commercial", email], { email, layer: "L2", ...times, invited_by: ROOT });
  }
  await commit.commit();
  assertEquals(await invite(ADA), "ok");
  assertEquals([await invite(BOB), await invite(ADA)], ["conflict", "ok"]);
});

Deno.test("lowering a layer ends the operator's sessions, and raising it does not", async () => {
  await using fixture = await teamFixture();
  const { team, clock } = fixture;
  const session = await fixture.join(ADA, "L2");
  clock.now += MINUTE_MS;
  await team.changeLayer(fixture.actor(ROOT), { email: ADA, layer: "L1" });
  assertEquals([await fixture.layer(session), await fixture.open(ADA)], ["L1", 1]);
  await team.changeLayer(fixture.actor(ROOT), { email: ADA, layer: "L2" });
  assertEquals([await fixture.layer(session), await fixture.open(ADA)], [null, 0]);
  assertEquals(await fixture.layer(await fixture.session(ADA)), "L2");
  assertEquals((await fixture.actions()).slice(-2), [
    `operator_layer_changed by ${ROOT} ${ADA} L1 to L2`,
    `operator_layer_changed by ${ROOT} ${ADA} L2 to L1`,
  ]);
});

Deno.test("a session of a removed operator gives no access after another invitation, even if its row was left behind", async () => {
  await using fixture = await teamFixture();
  const { team, clock } = fixture;
  const session = await fixture.join(ADA, "L1");
  assertEquals(codeOf(await team.remove(fixture.actor(ROOT), ADA)), "ok");
  assertEquals([await fixture.layer(session), await fixture.open(ADA)], [null, 0]);
  clock.now += MINUTE_MS;
  await fixture.join(ADA, "L1");
  assertEquals(await fixture.layer(session), null);
  assertEquals((await fixture.mails(ADA)).map(({ subject }) => subject).slice(0, 2), [
    `An operator joined the console: ${ADA}`,
    "Join the console of Attest Systems",
  ]);
});

Deno.test("of two administrators who remove each other at once, one remains", async () => {
  await using fixture = await teamFixture([]);
  const { team, kv, operators } = fixture;
  await seed(fixture, ADA, BOB);
  kv.meanwhile("operator_settings", () => team.remove(fixture.actor(BOB), ADA));
  assertEquals(codeOf(await team.remove(fixture.actor(ADA), BOB)), "forbidden");
  assertEquals((await operators.list("commercial")).map(({ email }) => email), [BOB]);
});

Deno.test("two administrators who leave at once do not leave the console without one", async () => {
  await using fixture = await teamFixture([]);
  const { team, kv, operators } = fixture;
  await seed(fixture, ADA, BOB);
  kv.meanwhile("operators", () => team.remove(fixture.actor(BOB), BOB));
  const lowered = await team.changeLayer(fixture.actor(ADA), { email: ADA, layer: "L2" });
  assertEquals(codeOf(lowered), "conflict");
  assertEquals((await operators.list("commercial")).map(({ email, layer }) => [email, layer]), [
    [ADA, "L1"],
  ]);
  assertEquals(codeOf(await team.remove(fixture.actor(ADA), ADA)), "conflict");
});

Deno.test("the addresses of operators are current in every process after each change", async () => {
  await using fixture = await teamFixture();
  const { team, kv, auth } = fixture;
  const ops = { l1: [ROOT], l2: [] };
  const other = createOperators({ kv, clock: () => fixture.clock.now, ops });
  const emails = async (layer?: Layer) => {
    const both = [fixture.operators, other].map((each) => each.emails("commercial", layer));
    const [own, others] = await Promise.all(both);
    assertEquals(own, others);
    return own;
  };
  assertEquals(await emails(), [ROOT]);
  await fixture.join(ADA, "L1");
  await fixture.join(BOB, "L2");
  assertEquals(await emails(), [ADA, BOB, ROOT]);
  assertEquals(await emails("L1"), [ADA, ROOT]);
  await team.changeLayer(fixture.actor(ROOT), { email: ADA, layer: "L2" });
  assertEquals(await emails("L1"), [ROOT]);
  await team.remove(fixture.actor(ROOT), ADA);
  assertEquals(await emails(), [BOB, ROOT]);
  await auth.deleteUser(BOB);
  assertEquals(await emails(), [ROOT]);
});

Deno.test("the last stored administrator may go while the environment names one, who cannot be changed", async () => {
  await using fixture = await teamFixture();
  const { team } = fixture;
  await fixture.join(ADA, "L1");
  assertEquals(codeOf(await team.remove(fixture.actor(ADA), ROOT)), "not_found");
  const demoted = await team.changeLayer(fixture.actor(ADA), { email: ROOT, layer: "L2" });
  assertEquals(codeOf(demoted), "not_found");
  assertEquals(codeOf(await team.remove(fixture.actor(ADA), ADA)), "ok");
  assertEquals(
    codeOf(await team.invite(fixture.actor(ADA), { email: EVE, layer: "L1" })),
    "forbidden",
  );
});

Deno.test("a board member leaves, and changes nobody else", async () => {
  await using fixture = await teamFixture();
  const { team } = fixture;
  await fixture.join(ADA, "L2");
  await fixture.join(BOB, "L2");
  const actor = fixture.actor(ADA);
  assertEquals(codeOf(await team.remove(actor, BOB)), "forbidden");
  assertEquals(codeOf(await team.changeLayer(actor, { email: ADA, layer: "L1" })), "forbidden");
  assertEquals(codeOf(await team.invite(actor, { email: EVE, layer: "L2" })), "forbidden");
  assertEquals(codeOf(await team.remove(actor, ADA)), "ok");
});

Deno.test("an operator's digest and sessions are theirs on one console, and deleting the account leaves nothing", async () => {
  await using fixture = await teamFixture();
  const { team, kv, operators, auth, consoleSessions } = fixture;
  await fixture.join(ADA, "L1");
  await team.setMail(fixture.actor(ADA), { mail: "digest", wanted: false });
  const digests = async () => (await operators.list("commercial")).map(({ mails }) => mails.digest);
  assertEquals(await digests(), [false, true]);
  await fixture.session(ADA);
  const [{ id }] = await consoleSessions.list("commercial", (await auth.findUserId(ADA))!);
  const own = { organisation: "commercial", email: ADA, by: ADA } as const;
  assertEquals(await consoleSessions.end({ ...own, only: (each) => each === id }), 1);
  assertEquals(await consoleSessions.end({ ...own, by: ROOT }), 1);
  assertEquals((await fixture.actions()).filter((action) => !action.startsWith("operator")), [
    `mails_changed by ${ADA} digest off`,
    `sessions_ended by ${ADA} ${ADA} 1`,
    `sessions_ended by ${ROOT} ${ADA} 1`,
  ]);
  await team.invite(fixture.actor(ADA, "foundation"), { email: ADA, layer: "L1" });
  await team.invite(fixture.actor(ROOT, "foundation"), { email: ADA, layer: "L1" });
  await auth.deleteUser(ADA);
  const left = (await Array.fromAsync(kv.list({ prefix: [] })))
    .filter(({ key: [table] }) => !String(table).startsWith("audit"))
    .filter(({ key, value }) => JSON.stringify([key, value], replacer).includes(ADA));
  assertEquals(left, []);
});

Deno.test("an operator's sessions in all consoles of an organisation are in one list, the last used one first", async () => {
  await using fixture = await teamFixture();
  const { auth, clock, consoleSessions } = fixture;
  const started: string[] = [];
  for (const surface of ["commercial-console", "workbench", "commercial-console"] as const) {
    clock.now += MINUTE_MS;
    const { token } = await auth.issueLink({ email: ROOT, surface });
    await auth.verify(token, surface);
    started.unshift(new Date(clock.now).toISOString());
  }
  await fixture.session(ROOT, "foundation");
  const listed = await consoleSessions.list("commercial", (await auth.findUserId(ROOT))!);
  assertEquals(listed.map(({ created_at }) => created_at), started);
});

Deno.test("the last administrator who gets mails about alerts cannot turn them off, even if two try at once", async () => {
  await using fixture = await teamFixture();
  const { team, kv } = fixture;
  await fixture.join(ADA, "L1");
  const off = { mail: "urgent", wanted: false } as const;
  kv.meanwhile("operator_settings", () => team.setMail(fixture.actor(ADA), off));
  assertEquals(codeOf(await team.setMail(fixture.actor(ROOT), off)), "conflict");
  const [ada, root] = (await fixture.operators.list("commercial")).map(({ mails }) => mails);
  assertEquals([ada.urgent, root.urgent], [false, true]);
  assertEquals(codeOf(await team.setMail(fixture.actor(ROOT), { ...off, mail: "digest" })), "ok");
  assertEquals(codeOf(await team.setMail(fixture.actor(ADA), { ...off, wanted: true })), "ok");
  assertEquals(codeOf(await team.setMail(fixture.actor(ROOT), off)), "ok");
});

const replacer = (_: string, value: unknown) => typeof value === "bigint" ? String(value) : value;

/** Adds administrators to a console without one from the environment. */
async function seed({ kv, clock }: { kv: Deno.Kv; clock: { now: number } }, ...emails: string[]) {
  const at = new Date(clock.now).toISOString();
  for (const email of emails) {
    const row = { email, layer: "L1", sessions_from: at, added_at: at, invited_by: ROOT };
    await kv.set(["operators", "commercial", email], row);
  }
}

Deno.test("a change of the team is completed although its author loses their authority once it is committed", async () => {
  await using fixture = await teamFixture();
  const { team, operators, site: { services: { kv } } } = fixture;
  const root = fixture.actor(ROOT);
  /** Makes a change in a request whose authority ends once something is the case. */
  const change = async (run: () => Promise<{ ok: boolean }>, ends: () => Promise<boolean>) => {
    let ended = false;
    const request = new Actor("1", rulesOf(kv), () => fixture.clock.now);
    request.demand({
      ask() {
        if (ended) throw new Error("It has ended.");
        return { rows: [], until: 0 }; // so that each commit asks
      },
      read: async () => void (ended = await apart("The request reads its authority.", ends)),
    });
    assertEquals((await actAs(request, run)).ok, true);
    assertEquals(await ends(), true);
  };
  const layerOf = (email: string) => operators.layerOf(email, "commercial");
  await fixture.join(ADA, "L1");
  await change(
    () => team.changeLayer(root, { email: ADA, layer: "L2" }),
    async () => await layerOf(ADA) === "L2",
  );
  assertEquals(await fixture.open(ADA), 0);
  await fixture.session(ADA);
  await change(() => team.remove(root, ADA), async () => await layerOf(ADA) === null);
  assertEquals(await fixture.open(ADA), 0);

  const isPending = async () => (await team.invitations("commercial")).length > 0;
  await team.invite(root, { email: BOB, layer: "L2" });
  await fixture.mails(BOB); // so that its delivery is forgotten
  await change(() => team.withdraw(root, BOB), async () => !await isPending());

  await team.invite(root, { email: BOB, layer: "L2" });
  await fixture.session(BOB);
  const session = await fixture.session(BOB);
  const token = await fixture.token(BOB);
  await change(
    () => team.accept("commercial", token, session),
    async () => await layerOf(BOB) === "L2",
  );
  assertEquals(await fixture.open(BOB), 1);
});
