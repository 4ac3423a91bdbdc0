import { assertEquals, assertStringIncludes } from "@std/assert";
import { createPushStandIn } from "../sandbox/push.ts";
import type { PushInbox } from "../lib/features/push/stand_in.ts";
import { recordFixture } from "./record_site.ts";
import { createSite } from "./site.ts";

/** A site that sends its notifications to the stand-in. */
async function setUp() {
  const standIn = createPushStandIn();
  const fixture = await recordFixture({}, {
    configure: (config) => ({ ...config, push: { standIn } }),
  });
  const { hash, cookie } = await fixture.holder();
  const atWorkbench = await fixture.signIn([hash], { on: "workbench" });
  return {
    ...fixture,
    hash,
    cookie,
    inbox: (init: RequestInit & { headers?: Record<string, string> } = {}) =>
      fixture.site.request("workbench", "/dev/push", {
        ...init,
        headers: { cookie: atWorkbench, "sec-fetch-site": "same-origin", ...init.headers },
      }),
    async view(): Promise<PushInbox> {
      const headers = { accept: "application/json" };
      return await (await fixture.site.request("workbench", "/dev/push", { headers })).json();
    },
  };
}

Deno.test("a phone that is added at /dev/push shows the record's next event", async () => {
  await using setup = await setUp();
  const { services } = setup.site;
  const { phones } = await setup.view();
  for (const { platform, token } of phones.slice(0, 2)) {
    const body = new URLSearchParams({ act: "register", platform, token });
    assertEquals((await setup.inbox({ method: "POST", body })).status, 303);
  }
  await services.chains.append(setup.hash, "record_verified");
  await services.push.flush();
  const { pushes } = await setup.view();
  assertEquals(
    pushes.map(({ service, text }) => `${service}: ${text}`).sort(),
    ["APNs: Your record was just verified", "FCM: Your record was just verified"],
  );
  assertStringIncludes(await (await setup.inbox()).text(), "Your record was just verified");
});

Deno.test("notifications wait while the services are down, and arrive when they are back", async () => {
  await using setup = await setUp();
  const { push, chains } = setup.site.services;
  const [{ platform, token }] = (await setup.view()).phones;
  await setup.fetch("/api/push/register", { cookie: setup.cookie, json: { platform, token } });
  const outage = (on: boolean) =>
    setup.inbox({
      method: "POST",
      body: new URLSearchParams({ act: `outage-${on ? "on" : "off"}` }),
    });
  await outage(true);
  assertStringIncludes(await (await setup.inbox()).text(), "The services accept no");
  await chains.append(setup.hash, "record_verified");
  await push.flush();
  await outage(false);
  setup.clock.now += 61_000;
  await push.drain();
  const { pushes } = await setup.view();
  assertEquals(pushes.map(({ text }) => text), ["Your record was just verified", null]);
});

Deno.test("without the stand-in there is no /dev/push, and no link to it", async () => {
  await using site = await createSite();
  assertEquals((await site.request("workbench", "/dev/push")).status, 404);
  const workbench = await (await site.request("workbench", "/")).text();
  assertEquals(workbench.includes("/dev/push"), false);
});
