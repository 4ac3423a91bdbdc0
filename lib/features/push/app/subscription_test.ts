import { assertEquals } from "@std/assert";
import { sha256 } from "../../../platform/kv/hash.ts";
import { createBrowserPush } from "./subscription.ts";
import { FakePushManager, fakeSite, fakeStorage } from "./testing/fake_browser.ts";

const VAPID = "BAAA";
const OLD_KEY = "BBBB";
const MINE = "a".repeat(64);
const OTHER = "b".repeat(64);
const idOf = (endpoint: string) => sha256(`web\n${endpoint}`);

function setUp(permission: NotificationPermission = "granted") {
  const browser = { permission, answer: "granted" as NotificationPermission, questions: 0 };
  const manager = new FakePushManager();
  const site = fakeSite();
  const storage = fakeStorage();
  const push = createBrowserPush({
    permission: () => browser.permission,
    requestPermission() {
      browser.questions++;
      browser.permission = browser.answer;
      return Promise.resolve(browser.answer);
    },
    pushManager: () => Promise.resolve(manager),
    fetch: site.fetch,
    storage,
  }, { hash: MINE, vapid: VAPID });
  return {
    browser,
    manager,
    site,
    storage,
    push,
    /** Subscribes as an earlier visit did. */
    async subscribed(hash = MINE, key = VAPID): Promise<string> {
      const { endpoint } = await manager.subscribe({ applicationServerKey: key });
      await storage.write("subscription", { hash, endpoint });
      return endpoint;
    },
  };
}

Deno.test("a visit asks nothing and changes nothing while notifications are off", async () => {
  for (const permission of ["default", "granted"] as const) {
    const { push, browser, manager, site } = setUp(permission);
    assertEquals(await push.compare([]), { state: "off" });
    assertEquals([browser.questions, manager.calls.length, site.requests], [0, 0, []]);
  }
});

Deno.test("turning on asks once, subscribes with the site's key and registers for the open record", async () => {
  const { push, browser, manager, site, storage } = setUp("default");
  assertEquals(await push.turnOn(), { state: "on", device: { id: "device" } });
  assertEquals(browser.questions, 1);
  assertEquals(manager.calls, [{ userVisibleOnly: true, applicationServerKey: VAPID }]);
  const { endpoint } = manager.subscription!;
  const keys = { p256dh: "p", auth: "a" };
  assertEquals(site.bodies, [{ endpoint, keys, vapid: VAPID, record: MINE }]);
  assertEquals(await storage.read("subscription"), { hash: MINE, endpoint });
});

Deno.test("a refused or ignored question subscribes nothing", async () => {
  for (const [answer, state] of [["denied", "denied"], ["default", "off"]] as const) {
    const { push, browser, manager } = setUp("default");
    browser.answer = answer;
    assertEquals(await push.turnOn(), { state });
    assertEquals(manager.calls, []);
  }
});

Deno.test("a push service that refuses, and a site that refuses or is unreachable, leave it off", async () => {
  const refused = setUp();
  refused.manager.refuses = true;
  const { state, problem } = await refused.push.turnOn();
  assertEquals([state, problem?.startsWith("The browser could not subscribe")], ["off", true]);

  const full = setUp();
  full.site.answer = () => Response.json({ error: "x", message: "Too many." }, { status: 409 });
  assertEquals(await full.push.turnOn(), { state: "off", problem: "Too many." });
  assertEquals(await full.storage.read("subscription"), null);

  const offline = setUp();
  offline.site.answer = null;
  assertEquals((await offline.push.turnOn()).state, "off");
});

Deno.test("a visit registers an unchanged subscription again, and keeps it when that fails", async () => {
  const { push, site, subscribed } = setUp();
  const endpoint = await subscribed();
  assertEquals(await push.compare([idOf(endpoint)]), { state: "on", device: { id: "device" } });
  assertEquals(site.requests, [`POST ${endpoint}`]);
  site.answer = null;
  assertEquals(await push.compare([idOf(endpoint)]), { state: "on" });
});

Deno.test("a visit replaces a lost subscription without a question", async () => {
  const { push, browser, manager, site, storage, subscribed } = setUp();
  const lost = await subscribed();
  manager.subscription = null;
  const result = await push.compare([idOf(lost)]);
  const { endpoint } = manager.subscription!;
  assertEquals(result, { state: "on", device: { id: "device" }, removed: idOf(lost) });
  assertEquals(site.requests, [`POST ${endpoint}`, `DELETE ${lost}`]);
  assertEquals(await storage.read("subscription"), { hash: MINE, endpoint });
  assertEquals(browser.questions, 0);
});

Deno.test("a lost subscription whose permission was reset, or that cannot be replaced, is off", async () => {
  const reset = setUp();
  const lost = await reset.subscribed();
  reset.manager.subscription = null;
  reset.browser.permission = "default";
  const result = await reset.push.compare([idOf(lost)]);
  assertEquals([result.state, result.problem?.includes("stopped receiving")], ["off", true]);
  assertEquals([reset.browser.questions, reset.manager.calls.length], [0, 1]);

  const refused = setUp();
  await refused.subscribed();
  refused.manager.subscription = null;
  refused.manager.refuses = true;
  const { state, problem } = await refused.push.compare([]);
  assertEquals([state, problem?.includes("stopped receiving")], ["off", true]);
});

Deno.test("a visit replaces a subscription that was made with an earlier key", async () => {
  // The site removes devices whose key it no longer has.
  for (const known of [true, false]) {
    const { push, manager, site, subscribed } = setUp();
    const before = await subscribed(MINE, OLD_KEY);
    assertEquals((await push.compare(known ? [idOf(before)] : [])).state, "on");
    assertEquals(manager.calls.at(-1)?.applicationServerKey, VAPID);
    assertEquals(site.requests, [`POST ${manager.subscription!.endpoint}`, `DELETE ${before}`]);
  }
});

Deno.test("a visit registers the endpoint that the browser changed by itself", async () => {
  const { push, manager, site, storage, subscribed } = setUp();
  const before = await subscribed();
  await manager.subscribe({ applicationServerKey: VAPID });
  const { endpoint } = manager.subscription!;
  assertEquals((await push.compare([idOf(before)])).state, "on");
  assertEquals(site.requests, [`POST ${endpoint}`, `DELETE ${before}`]);
  assertEquals((await storage.read("subscription"))?.endpoint, endpoint);
});

Deno.test("a device that was removed from the list stays removed, and the browser unsubscribes", async () => {
  const { push, manager, site, storage, subscribed } = setUp();
  await subscribed();
  assertEquals(await push.compare([]), { state: "off" });
  assertEquals([manager.subscription, site.requests], [null, []]);
  assertEquals(await storage.read("subscription"), null);
});

Deno.test("another record's subscription is not touched until the holder turns it on here", async () => {
  const { push, browser, site, storage, subscribed } = setUp();
  const endpoint = await subscribed(OTHER);
  assertEquals(await push.compare([]), { state: "elsewhere" });
  assertEquals(site.requests, []);
  assertEquals((await push.turnOn()).state, "on");
  // The site moves the device to this record, so the same endpoint must not be removed.
  assertEquals(site.requests, [`POST ${endpoint}`]);
  assertEquals((await storage.read("subscription"))?.hash, MINE);
  assertEquals(browser.questions, 0);
});

Deno.test("a known subscription is adopted when the browser's own note is missing", async () => {
  const { push, storage, subscribed } = setUp();
  const endpoint = await subscribed();
  await storage.remove("subscription");
  assertEquals((await push.compare([idOf(endpoint)])).state, "on");
  assertEquals(await storage.read("subscription"), { hash: MINE, endpoint });
});

Deno.test("denied permission is reported and nothing is requested", async () => {
  const { push, site, subscribed } = setUp("denied");
  await subscribed();
  assertEquals(await push.compare([]), { state: "denied" });
  assertEquals(site.requests, []);
});

Deno.test("turning off unsubscribes the browser and removes the device", async () => {
  const { push, manager, site, storage, subscribed } = setUp();
  const endpoint = await subscribed();
  assertEquals(await push.turnOff(), { state: "off", removed: idOf(endpoint) });
  assertEquals(manager.subscription, null);
  assertEquals(site.requests, [`DELETE ${endpoint}`]);
  assertEquals(await storage.read("subscription"), null);
});
