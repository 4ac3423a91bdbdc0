import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { MINUTE_MS } from "../lib/base/time.ts";
import { ADA, ADMIN, createSignInSite, locationOf } from "./sign_in_site.ts";

Deno.test("a console redirects to its sign-in page, which leads back", async () => {
  await using setup = await createSignInSite();
  const { open } = setup;
  const surface = "commercial-console";
  const response = await open("/console?tab=2", surface);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const redirect = [302, "/auth?next=/console%3Ftab%3D2"];
  assertEquals(await locationOf(Promise.resolve(response)), redirect);
  const html = await (await open("/auth?next=/console%3Ftab%3D2", surface)).text();
  assertStringIncludes(html, `name="next" value="/console?tab=2"`);
  const evil = await (await open("/auth?next=//evil.example", surface)).text();
  assert(!evil.includes('name="next"'));

  const headers = { cookie: await setup.signIn(ADMIN, surface) };
  assertEquals(await locationOf(open("/console", surface, { headers })), [200, null]);
  assertStringIncludes(setup.site.services.devOutbox!.list()[0].subject, "Attest Systems");
});

Deno.test("the sign-in page asks for an address only, and links to the terms and the privacy policy", async () => {
  await using setup = await createSignInSite();
  const html = await (await setup.open("/auth")).text();
  for (
    const part of [
      ">Sign in or create your account</h1>",
      "We email you a link that signs you in. No password needed.",
      "Send link →",
      '<a href="http://trust.localhost:8000/terms">Terms</a>',
      '<a href="http://trust.localhost:8000/privacy">Privacy Policy</a>',
    ]
  ) assertStringIncludes(html, part);
  const types = [...html.matchAll(/<input\b[^>]*\btype="(\w+)"/g)].map(([, type]) => type);
  assertEquals(types, ["email"]);
});

Deno.test("GET /auth with a session redirects, or says after a second click on a link that one is signed in", async () => {
  await using setup = await createSignInSite();
  const cases = [["site", ADA, "/account"], ["commercial-console", ADMIN, "/console"]] as const;
  for (const [surface, email, landing] of cases) {
    const headers = { cookie: await setup.signIn(email, surface) };
    assertEquals(await locationOf(setup.open("/auth", surface, { headers })), [302, landing]);
    const html = await (await setup.open("/auth?error=expired", surface, { headers })).text();
    assertStringIncludes(html, ">You are signed in</h1>");
    assertStringIncludes(html, email);
    assertStringIncludes(html, `href="${landing}">Continue</a>`);
    assertFalse(html.includes("/api/auth/request"), "no form for another link");
  }
});

Deno.test("a browser that keeps no cookie gets a notice of that after a link, for a minute and nowhere else", async () => {
  await using setup = await createSignInSite();
  const NOTE = "did not keep the cookie";
  const firefox = { "user-agent": "Mozilla/5.0 Firefox/153.0" };
  const html = async (path: string, headers: HeadersInit = firefox) =>
    await (await setup.open(path, "site", { headers })).text();
  for (const path of ["/auth", "/auth?error=expired"]) {
    assertFalse((await html(path)).includes(NOTE));
  }

  const link = await setup.linkFor(ADA);
  const signIn = await setup.open(link, "site", { headers: firefox });
  assertEquals(await locationOf(Promise.resolve(signIn)), [302, "/account"]);
  assertEquals(await locationOf(setup.open("/account", "site", { headers: firefox })), [
    302,
    "/auth",
  ]);
  assertStringIncludes(await html("/auth"), NOTE);
  assertEquals(await locationOf(setup.open(link, "site", { headers: firefox })), [
    302,
    "/auth?error=expired",
  ]);
  assertStringIncludes(await html("/auth?error=expired"), NOTE);
  assertStringIncludes(await html("/auth"), "Safari keeps no secure cookies");
  assertFalse((await html("/auth", { "user-agent": "Mozilla/5.0 Chrome/150.0" })).includes(NOTE));
  const elsewhere = await setup.open("/auth", "commercial-console", { headers: firefox });
  assertFalse((await elsewhere.text()).includes(NOTE));

  setup.clock.now += MINUTE_MS;
  assertFalse((await html("/auth")).includes(NOTE));
});

Deno.test("a person who signs out right after a link gets no notice that the browser keeps no cookies", async () => {
  await using setup = await createSignInSite();
  const headers = { cookie: await setup.signIn() };
  const logout = { method: "POST", headers };
  assertEquals(await locationOf(setup.open("/api/auth/logout", "site", logout)), [302, "/"]);
  const html = await (await setup.open("/auth")).text();
  assertFalse(html.includes("did not keep the cookie"));
});

Deno.test("a form post gets a page that shows where the link was sent", async () => {
  await using setup = await createSignInSite();
  const sent = await setup.post({ email: ` ${ADA}` });
  assertEquals(sent.status, 200);
  assertStringIncludes(sent.headers.get("content-security-policy")!, "script-src 'self' 'nonce-");
  const html = await sent.text();
  assertStringIncludes(html, "Check your inbox");
  assertStringIncludes(html, ADA);
  assertEquals((await setup.links(ADA)).map(({ pathname }) => pathname), ["/auth/verify"]);
});

Deno.test("an invalid form post gets a page with the input and the problem", async () => {
  await using setup = await createSignInSite();
  const surface = "foundation-console";
  const wrong = await setup.post({ email: `"><b>oops`, next: "/console" }, surface);
  assertEquals(wrong.status, 400);
  const html = await wrong.text();
  assertStringIncludes(html, `value="&quot;>&lt;b>oops"`);
  assertStringIncludes(html, `aria-invalid="true"`);
  assertStringIncludes(html, `name="next" value="/console"`);
  assertStringIncludes(html, `aria-busy="false"`);
  const evil = await setup.post({ email: "oops", next: "//evil.example" }, surface);
  assert(!(await evil.text()).includes("evil.example"));
});

Deno.test("a form post over the client's limit gets a page with 429 and the time to wait", async () => {
  await using setup = await createSignInSite({ SIGN_IN_CLIENT_LIMIT: "1" });
  assertStringIncludes(await (await setup.post({ email: ADA })).text(), "Check your inbox");
  const refused = await setup.post({ email: ADA });
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
  assertStringIncludes(await refused.text(), "Try again in 60 minutes.");
});

Deno.test("a form post beyond the mailbox's limit gets the same page and mails nothing", async () => {
  await using setup = await createSignInSite();
  const pages = new Set<string>();
  for (let i = 0; i < 4; i++) {
    const html = await (await setup.post({ email: ADA })).text();
    pages.add(html.replaceAll(/nonce="[^"]*"/g, ""));
  }
  assertEquals([pages.size, (await setup.links(ADA)).length], [1, 3]);
  assertStringIncludes([...pages][0], "For this sign-in, a mailbox gets at most 3 links per hour.");
});

Deno.test("a console's page explains that only some addresses get a link, and keeps the return path", async () => {
  await using setup = await createSignInSite();
  const fields = { email: ADA, next: "/console?tab=2" };
  const html = await (await setup.post(fields, "foundation-console")).text();
  const text = html.replaceAll(/<[^>]*>/g, "");
  assertStringIncludes(
    text,
    `Open the latest link that we emailed to ${ADA}, if this address may sign in here.`,
  );
  assertStringIncludes(html, `href="/auth?next=%2Fconsole%3Ftab%3D2"`);
  assertEquals(await setup.links(ADA), []);
  const site = await (await setup.post({ email: ADA })).text();
  assert(!site.includes("if this address may sign in here"));
});

Deno.test("/dev/outbox shows each mail as a page and as JSON", async () => {
  await using setup = await createSignInSite();
  await setup.linkFor(ADA);
  const mails = setup.site.services.devOutbox!.list();
  const headers = { accept: "application/json" };
  const json = await setup.open("/dev/outbox", "workbench", { headers });
  assertEquals(await json.json(), JSON.parse(JSON.stringify(mails)));
  const html = await (await setup.open("/dev/outbox", "workbench")).text();
  assertStringIncludes(html, mails[0].link!);
  assertStringIncludes(html, mails[0].to);
  const [frame] = /<iframe [^>]*>/.exec(html)!;
  assertStringIncludes(frame, `sandbox=""`);
  const shown = await setup.open(`/dev/outbox/${mails[0].id}`, "workbench");
  assertEquals(await shown.text(), mails[0].html);
  assertEquals(
    shown.headers.get("content-security-policy"),
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  );
  assertEquals((await setup.open("/dev/outbox/unknown", "workbench")).status, 404);
  assertEquals(await locationOf(setup.open("/dev/outbox", "site")), [404, null]);
});

Deno.test("/dev/outbox returns 404 if mail is sent by SMTP", async () => {
  const env = { MAIL_TRANSPORT: "smtp", SMTP_URL: "smtp://mail.example" };
  await using setup = await createSignInSite(env);
  assertEquals(await locationOf(setup.open("/dev/outbox", "workbench")), [404, null]);
});

Deno.test("with Save-Data, the sign-in page has no video", async () => {
  await using setup = await createSignInSite();
  const hasVideo = async (headers: HeadersInit) =>
    (await (await setup.open("/auth", "site", { headers })).text()).includes("backdrop.webm");
  assertEquals(await hasVideo({}), true);
  assertEquals(await hasVideo({ "save-data": "on" }), false);
});
