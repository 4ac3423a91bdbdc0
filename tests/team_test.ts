import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { operators } from "../lib/features/operators/mod.ts";
import { accounts } from "../lib/features/passkeys/operators/tables.ts";
import { ADMIN, cookiesOf, createSignInSite } from "./sign_in_site.ts";

const CONSOLE = "commercial-console";
const ADA = "ada@example.org";
const BOARD = "board@example.org";

async function createTeamSite() {
  const setup = await createSignInSite();
  const { open } = setup;
  const { audit } = setup.site.services;
  const get = async (path: string, cookie: string) => {
    const response = await open(path, CONSOLE, { headers: { cookie } });
    return { status: response.status, text: await response.text() };
  };
  return {
    ...setup,
    get,
    path: async (email: string) => `/console/team/${await audit.personKey(email)}`,
    send: (path: string, cookie: string, fields: Record<string, string>) =>
      open(path, CONSOLE, {
        method: "POST",
        headers: { cookie },
        body: new URLSearchParams(fields),
      }),
    /** Posts a form and follows the redirect to the page that shows the result. */
    async act(path: string, cookie: string, fields: Record<string, string>) {
      const body = new URLSearchParams(fields);
      const response = await open(path, CONSOLE, { method: "POST", headers: { cookie }, body });
      const location = response.headers.get("location");
      return location === null
        ? { status: response.status, text: await response.text() }
        : await get(location, cookie);
    },
    session: (email: string) => setup.signIn(email, CONSOLE),
    async invitation(email: string): Promise<string> {
      const link = (await setup.links(email)).find(({ pathname }) => pathname.endsWith("/join"))!;
      return link.pathname + link.search;
    },
    /** Invites a person, who accepts with the link of the invitation alone. */
    async join(email: string, admin: string, layer: string): Promise<string> {
      await this.act("/console/team", admin, { act: "invite", email, layer });
      const path = await this.invitation(email);
      const page = await get(path, "");
      for (const text of ["Accept the invitation", ADMIN, email, "signed in at once"]) {
        assertStringIncludes(page.text, text);
      }
      const token = new URL(path, "http://x").searchParams.get("token")!;
      const accepted = await this.send("/console/team/join", "", { token });
      const landing = "/console/team/passkeys?next=%2Fconsole";
      assertEquals([accepted.status, accepted.headers.get("location")], [303, landing]);
      const cookie = cookiesOf(accepted).app_session;
      return cookie;
    },
  };
}

Deno.test("a colleague who is invited signs in with the link, accepts, and uses the console until removed", async () => {
  await using setup = await createTeamSite();
  const { get, act } = setup;
  const admin = await setup.session(ADMIN);
  assertEquals((await setup.request({ email: ADA }, CONSOLE)).status, 200);
  assertEquals(await setup.links(ADA), []); // nobody yet
  const ada = await setup.join(ADA, admin, "L2");
  assertEquals((await get("/console", ada)).status, 200);
  assertEquals((await get("/console/alerts", ada)).status, 403);
  assertStringIncludes((await get("/console/audit", admin)).text, "Signed in<small>invited<");

  const path = await setup.path(ADA);
  const raised = await act(path, admin, { act: "change_layer", layer: "L1" });
  assertStringIncludes(raised.text, "The layer is changed");
  assertEquals((await get("/console/alerts", ada)).status, 200);
  const [again] = await setup.linkFor(ADA, CONSOLE).then((link) => [link]);
  const removed = await act(path, admin, { act: "remove_operator", confirm: "yes" });
  assertStringIncludes(removed.text, "The operator is removed");
  assertEquals((await get("/console", ada)).status, 302);
  // A link from before the removal signs in, and opens nothing.
  const late = cookiesOf(await setup.open(again, CONSOLE)).app_session;
  assertEquals((await get("/console", late)).status, 403);
  assertStringIncludes((await get("/console/audit", admin)).text, "Signed in<small>no access<");
  assertEquals((await get(path, admin)).status, 404);
});

Deno.test("an invitation that somebody else opens says so, and stays for the invited person", async () => {
  await using setup = await createTeamSite();
  const admin = await setup.session(ADMIN);
  await setup.act("/console/team", admin, { act: "invite", email: ADA, layer: "L1" });
  const path = await setup.invitation(ADA);
  const board = await setup.session(BOARD);
  const page = await setup.get(path, board);
  assertEquals(page.status, 400);
  assertStringIncludes(page.text, "for another address than the one you are signed in with");
  assert(!page.text.includes(ADA));
  const token = new URL(path, "http://x").searchParams.get("token")!;
  assertEquals((await setup.send("/console/team/join", board, { token })).status, 400);
  assertStringIncludes((await setup.get("/console/team", admin)).text, `Withdraw<span`);
  // Nor does a token without an invitation sign anybody in.
  for (const wrong of ["A".repeat(43), ""]) {
    const refused = await setup.send("/console/team/join", "", { token: wrong });
    assertEquals([refused.status, refused.headers.get("set-cookie")], [410, null]);
  }
});

Deno.test("the section of invitations, whose form is not printed, is printed once it has an invitation", async () => {
  await using setup = await createTeamSite();
  const admin = await setup.session(ADMIN);
  const section = async () =>
    /<section[^>]*"invitations"/.exec((await setup.get("/console/team", admin)).text)![0];
  assertStringIncludes(await section(), "screen-only");
  await setup.act("/console/team", admin, { act: "invite", email: ADA, layer: "L2" });
  assert(!(await section()).includes("screen-only"));
});

Deno.test("an invitation that is accepted several times at once begins one session", async () => {
  await using setup = await createTeamSite();
  const admin = await setup.session(ADMIN);
  await setup.act("/console/team", admin, { act: "invite", email: ADA, layer: "L2" });
  const token = new URL(await setup.invitation(ADA), "http://x").searchParams.get("token")!;
  const accept = () => setup.send("/console/team/join", "", { token });
  const responses = await Promise.all(Array.from({ length: 4 }, accept));
  const joined = responses.filter(({ status }) => status === 303);
  assertEquals(joined.length, 1);
  const { auth } = setup.site.services;
  const owner = await auth.findUserId(ADA);
  assertEquals((await auth.sessionsOf(owner!, CONSOLE)).length, 1);
  assertEquals((await setup.get("/console", cookiesOf(joined[0]).app_session)).status, 200);
});

Deno.test("a board member sees only their own access, and administrators' forms refuse them", async () => {
  await using setup = await createTeamSite();
  const board = await setup.session(BOARD);
  const page = await setup.get("/console/team", board);
  assertEquals(page.status, 200);
  assertStringIncludes(page.text, "Your sessions");
  assertStringIncludes(page.text, "Full administrators see the rest, such as who did what.");
  for (const hidden of [ADMIN, "Invitations", "Leave this console"]) {
    assert(!page.text.includes(hidden), hidden);
  }
  const person = (await setup.path(ADMIN)).split("/").at(-1)!;
  const forms: Record<string, string>[] = [
    { act: "invite", email: ADA, layer: "L1" },
    { act: "withdraw_invitation", person },
  ];
  for (const fields of forms) {
    assertEquals((await setup.send("/console/team", board, fields)).status, 403);
  }
  const operator = await setup.path(ADMIN);
  assertEquals((await setup.get(operator, board)).status, 403);
  assertEquals((await setup.send(operator, board, { act: "end_sessions" })).status, 403);
  assertEquals((await setup.send("/console/team", "", { act: "leave" })).status, 303);
});

Deno.test("operators end their own sessions, and an administrator those of others", async () => {
  await using setup = await createTeamSite();
  const { get, act } = setup;
  const [admin, other] = [await setup.session(ADMIN), await setup.session(ADMIN)];
  const board = await setup.session(BOARD);
  const text = (await get("/console/team", admin)).text;
  const ids = [...text.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id);
  assertEquals(ids.length, 1); // the own one cannot be ended here
  // Nobody ends a session of somebody else with its id.
  const foreign = await act("/console/team", board, { act: "end_session", session: ids[0] });
  assertStringIncludes(foreign.text, "0 sessions have ended");
  assertEquals((await get("/console", other)).status, 200);
  const ended = await act("/console/team", admin, { act: "end_session", session: ids[0] });
  assertStringIncludes(ended.text, "One session has ended");
  assertEquals((await get("/console", other)).status, 302);
  await act(await setup.path(BOARD), admin, { act: "end_sessions" });
  assertEquals((await get("/console", board)).status, 302);
  assertEquals((await get("/console", admin)).status, 200);
});

Deno.test("an operator whom the environment names as well shows both, and only the own row can be removed", async () => {
  await using setup = await createTeamSite();
  const { kv } = setup.site.services;
  const admin = await setup.session(ADMIN);
  const at = new Date(setup.clock.now).toISOString();
  const row = {
    email: BOARD,
    layer: "L1",
    sessions_from: at,
    added_at: at,
    invited_by: ADMIN,
  } as const;
  const commit = kv.atomic();
  operators.put(commit, ["commercial", BOARD], row);
  await commit.commit();
  const path = await setup.path(BOARD);
  const { text } = await setup.get(path, admin);
  assertStringIncludes(text, "It was also added here as a full administrator (L1)");
  assert(!text.includes("Make full administrator"));
  assertEquals(
    (await setup.act(path, admin, { act: "remove_operator", confirm: "yes" })).status,
    200,
  );
  assert(!(await setup.get(path, admin)).text.includes("Remove the operator"));
});

Deno.test("refused forms show why, and keep what was entered", async () => {
  await using setup = await createTeamSite();
  const admin = await setup.session(ADMIN);
  const invite = (email: string) =>
    setup.act("/console/team", admin, { act: "invite", email, layer: "L2" });
  const malformed = await invite("ada@");
  assertEquals(malformed.status, 400);
  assertStringIncludes(malformed.text, 'value="ada@"');
  const known = await invite(BOARD);
  assertEquals(known.status, 409);
  assertStringIncludes(known.text, "already an operator");
  const sent = await invite(ADA);
  assertStringIncludes(sent.text, `${ADA} is invited`);
  const person = (await setup.path(ADA)).split("/").at(-1)!;
  const undone = await setup.act("/console/team", admin, { act: "withdraw_invitation", person });
  assertStringIncludes(undone.text, "The invitation is withdrawn");
  const off = await setup.act("/console/team", admin, {
    ...{ act: "mail", mail: "digest", wanted: "off" },
  });
  assertStringIncludes(off.text, "You no longer get the digest of the inbox");
  assertEquals((await setup.act("/console/team", admin, { act: "leave" })).status, 400);
});

Deno.test("once an administrator has a passkey, changes of the team need it, and ending one's own sessions does not", async () => {
  await using setup = await createTeamSite();
  const { kv, auth } = setup.site.services;
  const admin = await setup.session(ADMIN);
  await setup.session(ADMIN);
  const { id: user_id } = (await auth.findUser(ADMIN))!;
  const commit = kv.atomic();
  accounts.put(commit, [user_id, CONSOLE], {
    ...{ user_id, surface: CONSOLE, email: ADMIN, user_handle: "h", passkeys: 1, locked: false },
    ...{ used_from: null, permission: null, changed_at: new Date(setup.clock.now).toISOString() },
  });
  await commit.commit();
  const refused: [path: string, fields: Record<string, string>][] = [
    ["/console/team", { act: "invite", email: ADA, layer: "L1" }],
    [await setup.path(BOARD), { act: "end_sessions" }],
  ];
  for (const [path, fields] of refused) {
    const response = await setup.open(path, CONSOLE, {
      method: "POST",
      headers: { cookie: admin, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(fields),
    });
    assertEquals([response.status, (await response.json()).error], [403, "passkey_required"]);
  }
  assertEquals(await setup.links(ADA), []);
  const ended = await setup.act("/console/team", admin, { act: "end_sessions" });
  assertStringIncludes(ended.text, "One session has ended");
});
