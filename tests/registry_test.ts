import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { countMailFailure } from "../lib/mail/mod.ts";
import { readRegistry, type RegisteredSurface, type RouteState } from "../lib/ops/mod.ts";
import { SURFACE_NAMES, type SurfaceName } from "../lib/surfaces/mod.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const registryOf = ({ site }: BankSite) => readRegistry(site.services);

function routeOf(surfaces: RegisteredSurface[], name: SurfaceName, path: string): RouteState {
  const { path: _, ...state } = surfaces.find((surface) => surface.name === name)!
    .routes.find((route) => route.path === path)!;
  return state;
}

/** The page's text, without its tags. */
async function textOf(world: BankSite, email: string, surface: SurfaceName = "commercial-console") {
  const response = await world.ask(
    surface,
    "/console/surfaces",
    await world.signIn(email, surface),
  );
  assertEquals(response.status, 200);
  return (await response.text()).replaceAll(/<[^>]*>/g, "\n").replaceAll(/\s+/g, " ");
}

Deno.test("every surface is there with its base and its hosts, and every door of it", async () => {
  await using world = await createBankSite();
  const { surfaces } = await registryOf(world);
  assertEquals(surfaces.map(({ name }) => name), [...SURFACE_NAMES]);
  for (const { name, status, baseUrl, hosts, routes } of surfaces) {
    assertEquals([status, baseUrl], ["SERVED", world.site.services.surfaces.url(name)]);
    assertEquals(hosts, world.site.services.config.surfaceHosts[name]);
    const expected = world.site.services.surfaces.get(name)!.routes;
    assertEquals(routes.map(({ path }) => path), expected.map(({ path }) => path));
  }
});

Deno.test("a route of the consoles that is LIVE answers, and one that is OFF is 404", async () => {
  await using world = await createBankSite();
  const id = world.bank.foundationAccountId;
  for (const { name, routes } of (await registryOf(world)).surfaces) {
    if (!name.endsWith("-console")) continue;
    const cookie = await world.signIn(ADMIN, name);
    for (const { path, status } of routes) {
      const query = path.endsWith("/transactions") ? `?account_id=${id}` : "";
      const response = await world.ask(name, path.replace(":id", id) + query, cookie);
      await response.body?.cancel();
      assertEquals(response.status === 404, status === "OFF", `${name} ${path}`);
    }
  }
});

Deno.test("what hangs on the bank says how that stands, and asks nobody for it", async () => {
  await using world = await createBankSite({ FOUNDATION_BANK_API_TOKEN: "" });
  const bank = async (surface: SurfaceName) => {
    const { surfaces } = await registryOf(world);
    const [first, ...others] = [
      "/api/bank/summary",
      "/api/bank/accounts",
      "/api/bank/refresh",
      "/console/finance",
    ].map((path) => routeOf(surfaces, surface, path));
    for (const other of others) assertEquals(other, first);
    return first;
  };
  assertEquals(await bank("foundation-console"), {
    status: "NOT CONNECTED",
    reason: "FOUNDATION_BANK_API_TOKEN is not set.",
  });
  assertEquals(await bank("commercial-console"), { status: "LIVE", lastAnswer: null });
  assertEquals(await bank("workbench"), { status: "LIVE", lastAnswer: null });
  assertEquals(world.asked(), {});

  await (await world.ask("commercial-console", "/api/bank/summary", await world.signIn(BOARD)))
    .body?.cancel();
  world.asked();
  world.time.now += 3_600_000;
  world.bank.set({ response: 500 });
  const lastAnswer = "2026-03-01T20:00:00.000Z";
  assertEquals(await bank("commercial-console"), { status: "LIVE", lastAnswer });
  assertEquals(world.asked(), {});
  const { surfaces } = await registryOf(world);
  const off = { status: "OFF", reason: "On the commercial console alone." };
  assertEquals(routeOf(surfaces, "foundation-console", "/api/bank/transactions"), off);
  assertEquals(routeOf(surfaces, "foundation-console", "/console/finance/:id"), off);

  const text = await textOf(world, BOARD);
  assertStringIncludes(text, "FOUNDATION_BANK_API_TOKEN is not set. NOT CONNECTED");
  assertStringIncludes(text, "The bank’s last answer: Mar 1, 2026, 20:00 UTC .");
});

Deno.test("sign-in is LIVE, with the store's last write, the users, the last sign-up, failed mails", async () => {
  await using world = await createBankSite();
  const none = (await registryOf(world)).signIn;
  assertEquals([none.users, none.last_sign_up, none.sessions_last_write], [0, null, null]);
  const path = [
    "/auth",
    "/auth/verify",
    "/api/auth/request",
    "/api/auth/verify",
    "/api/auth/logout",
  ];
  const on: SurfaceName[] = ["workbench", "site", "foundation-console", "commercial-console"];
  assertEquals(none.routes, path.map((path) => ({ path, on, status: "LIVE" })));

  await world.signIn(ADMIN);
  world.time.now += 60_000;
  await world.signIn(BOARD);
  world.time.now += 60_000;
  const out = { method: "POST" };
  const cookie = await world.signIn(ADMIN);
  const leaving = await world.ask("commercial-console", "/api/auth/logout", cookie, out);
  await leaving.body?.cancel();
  await countMailFailure(world.site.services.kv);
  const { users, last_sign_up, sessions_last_write, mails_failed, mail_transport } =
    (await registryOf(world)).signIn;
  assertEquals([users, mails_failed, mail_transport], [2, 1, "outbox"]);
  assertEquals(last_sign_up, "2026-03-01T20:01:00.000Z");
  assertEquals(sessions_last_write, "2026-03-01T20:02:00.000Z");

  const text = await textOf(world, BOARD);
  assertStringIncludes(text, "Users 2 Last sign-up Mar 1, 2026, 20:01 UTC");
  assertStringIncludes(text, "Session store’s last write Mar 1, 2026, 20:02 UTC");
  assertStringIncludes(text, "Failed mails 1 Transport: outbox");
});

Deno.test("relays are LIVE by name and host, and nothing of their secrets is there", async () => {
  const relay = {
    name: "Standards",
    host: "standards.relay.example",
    slug: "std-0123456789abcdef01234567",
    previousSlug: "std-76543210fedcba9876543210",
    clientId: "id.access",
    clientSecret: "client-secret",
    origin: "https://protected.example",
  };
  await using world = await createBankSite({ RELAYS: JSON.stringify([relay]) });
  const { name, host, ...secrets } = relay;
  const registry = await registryOf(world);
  assertEquals(registry.relays, [{ name, host, status: "LIVE" }]);
  const text = await textOf(world, BOARD);
  assertStringIncludes(text, `Relays The relays Host Status ${host} ${name} LIVE`);
  for (const secret of Object.values(secrets)) {
    assert(!text.includes(secret) && !JSON.stringify(registry).includes(secret), secret);
  }
  await using none = await createBankSite({ RELAYS: "[]" });
  assertStringIncludes(await textOf(none, BOARD), "Relays None is set up.");
});

Deno.test("nobody's address is on it but the reader's own", async () => {
  await using world = await createBankSite();
  for (const email of [ADMIN, BOARD, "person@example.org"]) await world.signIn(email);
  const text = await textOf(world, BOARD);
  assertStringIncludes(text, BOARD);
  assert(!text.includes(ADMIN) && !text.includes("person@example.org"));
});

Deno.test("in production what is not served is OFF with its reason, development's own too", async () => {
  await using world = await createBankSite({
    APP_ENV: "production",
    BANK_API_BASE: "https://bank.example",
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: "smtp://mail.example",
    SURFACE_HOSTS: JSON.stringify({
      "foundation-console": ["ops.example", "console.example"],
      "investor": ["https://investor.example:8443"],
    }),
  });
  const { surfaces, signIn } = await registryOf(world);
  assertEquals(
    surfaces.filter(({ status }) => status === "SERVED").map(({ name, baseUrl, hosts }) => [
      name,
      baseUrl,
      hosts,
    ]),
    [
      ["investor", "https://investor.example:8443", ["https://investor.example:8443"]],
      ["foundation-console", "https://ops.example", ["ops.example", "console.example"]],
    ],
  );
  const off = (reason: string) => ({ status: "OFF", reason });
  assertEquals(routeOf(surfaces, "workbench", "/dev/*"), off("Development only."));
  assertEquals(routeOf(surfaces, "site", "/"), off("SURFACE_HOSTS gives it no host."));
  assertEquals(routeOf(surfaces, "commercial-console", "/console").status, "OFF");
  assertEquals(signIn.routes[0].on, ["foundation-console"]);
  assertEquals(signIn.mail_transport, "smtp");
  const text = await textOf(world, ADMIN, "foundation-console");
  assertStringIncludes(text, "2 of 11 surfaces are served here.");
  assertStringIncludes(text, "Hosts ops.example, console.example");
});
