import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { REMOVING_WORKER } from "../../../lib/features/push/app/mod.ts";
import { APP_CACHE, appStorage, type SavedView } from "../../../lib/features/push/app/saved.ts";
import {
  fakeCaches,
  FakePushManager,
  fakeSite,
} from "../../../lib/features/push/app/testing/fake_browser.ts";
import { startWorker, type WorkerScope } from "./worker.tsx";

const ORIGIN = "https://trust.example";
const HASH = "0123456789abcdef".repeat(4);
const KEY = new Uint8Array([4, 1, 2]).buffer;

/** A worker in a browser without a network, unless `load` responds. */
function startFakeWorker() {
  // deno-lint-ignore no-explicit-any
  const listeners = new Map<string, (event: any) => void>();
  const caches = fakeCaches();
  const pushManager = new FakePushManager();
  const site = fakeSite();
  const shown: { title: string; options: NotificationOptions }[] = [];
  const opened: string[] = [];
  const windows: { url: string; focus(): Promise<void> }[] = [];
  /** As an earlier version of the worker left it. */
  const preload = { enabled: true };
  const network = { load: null as ((request: Request) => Response) | null };
  const scope = {
    addEventListener: (type: string, listener: () => void) => void listeners.set(type, listener),
    skipWaiting: () => Promise.resolve(),
    clients: {
      claim: () => Promise.resolve(),
      matchAll: () => Promise.resolve(windows),
      openWindow: (url: string) => Promise.resolve(opened.push(url)),
    },
    registration: {
      showNotification: (title: string, options: NotificationOptions = {}) =>
        Promise.resolve(void shown.push({ title, options })),
      pushManager,
      navigationPreload: {
        enable: () => Promise.resolve(void (preload.enabled = true)),
        disable: () => Promise.resolve(void (preload.enabled = false)),
      },
    },
    location: { origin: ORIGIN },
    caches,
    fetch: (request: Request | string, init: RequestInit = {}) => {
      if (!(request instanceof Request)) return site.fetch(request, init);
      if (network.load === null) return Promise.reject(new TypeError("Failed to fetch"));
      return Promise.resolve(network.load(request));
    },
  } as unknown as WorkerScope;
  startWorker(scope, { styles: "body { margin: 0 }" });
  return {
    storage: appStorage(caches),
    caches,
    pushManager,
    site,
    shown,
    opened,
    windows,
    network,
    preload,
    /** Dispatches an event and returns the response, if the worker gives one. */
    async dispatch(type: string, event: object = {}): Promise<Response | undefined> {
      const work: Promise<unknown>[] = [];
      let response: Promise<Response> | undefined;
      listeners.get(type)!({
        ...event,
        waitUntil: (promise: Promise<unknown>) => void work.push(promise),
        respondWith: (promise: Promise<Response>) => void (response = promise),
      });
      await Promise.all(work);
      return await response;
    },
  };
}

const data = (value: unknown) => ({ data: { json: () => JSON.parse(JSON.stringify(value)) } });

/** A request of the browser: `Request` cannot have the mode `navigate`. */
const navigation = (path: string, method = "GET") => {
  const request = new Request(ORIGIN + path, { method });
  Object.defineProperty(request, "mode", { value: "navigate" });
  return { request };
};

const CHAIN: SavedView = {
  hash: HASH,
  events: [
    { seq: 1, kind: "email_confirmed", at: "2026-03-01T20:00:00.000Z", hash: "a".repeat(64) },
    { seq: 2, kind: "record_verified", at: "2026-03-02T20:00:00.000Z", hash: "b".repeat(64) },
  ],
  at: "2026-03-03T10:00:00.000Z",
  verified: { ok: true, size: 3, signedSize: 3, log: null },
};

Deno.test("a push shows its title and tag, and opens the app's page", async () => {
  const worker = startFakeWorker();
  await worker.dispatch(
    "push",
    data({
      web_push: 8030,
      notification: {
        title: "Your record was just verified",
        navigate: `${ORIGIN}/my-record`,
        tag: "t1",
      },
      seq: 4,
      event: HASH,
    }),
  );
  const [{ title, options }] = worker.shown;
  assertEquals(title, "Your record was just verified");
  assertEquals([options.tag, options.data], ["t1", { url: `${ORIGIN}/my-record` }]);
});

Deno.test("every push that cannot be read shows a neutral text", async () => {
  const broken = {
    data: {
      json: () => {
        throw new SyntaxError();
      },
    },
  };
  for (
    const event of [
      { data: null },
      broken,
      data(null),
      data("text"),
      data({}),
      data({ notification: { title: 7, tag: {}, navigate: [] } }),
      data({ notification: { title: " " } }),
    ]
  ) {
    const worker = startFakeWorker();
    await worker.dispatch("push", event);
    assertEquals(worker.shown.length, 1);
    const [{ title, options }] = worker.shown;
    assertEquals(title, "There is news about your record");
    assertEquals([options.tag, options.data.url], ["record", `${ORIGIN}/my-record`]);
  }
});

Deno.test("navigate leads only to pages of the app", async () => {
  const worker = startFakeWorker();
  const targets = [
    ["/my-record/log", "/my-record/log"],
    ["/my-recordings", "/my-record"],
    ["/terms", "/my-record"],
    ["https://evil.example/my-record", "/my-record"],
    ["javascript:alert(1)", "/my-record"],
    ["//evil.example/my-record", "/my-record"],
  ];
  for (const [navigate, page] of targets) {
    await worker.dispatch("push", data({ notification: { title: "a", navigate } }));
    assertEquals(worker.shown.at(-1)?.options.data.url, ORIGIN + page, navigate);
  }
});

Deno.test("a click focuses a window that shows the page, and otherwise opens one", async () => {
  const worker = startFakeWorker();
  const log: string[] = [];
  const notification = { close: () => log.push("close"), data: { url: `${ORIGIN}/my-record` } };
  const focus = (name: string) => () => Promise.resolve(void log.push(name));
  worker.windows.push({ url: `${ORIGIN}/my-record/delete`, focus: focus("form") });
  await worker.dispatch("notificationclick", { notification });
  assertEquals([log, worker.opened], [["close"], [`${ORIGIN}/my-record`]]);
  worker.windows.push({ url: `${ORIGIN}/my-record#chain`, focus: focus("record") });
  await worker.dispatch("notificationclick", { notification });
  assertEquals([log, worker.opened.length], [["close", "close", "record"], 1]);
});

Deno.test("a subscription that the push service ended is replaced and registered", async () => {
  const worker = startFakeWorker();
  const oldSubscription = worker.pushManager.make("https://push.example/old", KEY);
  await worker.storage.write("subscription", { hash: HASH, endpoint: oldSubscription.endpoint });
  await worker.dispatch("pushsubscriptionchange", { oldSubscription });
  const { endpoint } = worker.pushManager.subscription!;
  assertEquals(worker.pushManager.calls, [{ userVisibleOnly: true, applicationServerKey: KEY }]);
  assertEquals(worker.site.requests, [`POST ${endpoint}`, "DELETE https://push.example/old"]);
  assertEquals(worker.site.bodies[0].record, HASH);
  assertEquals(await worker.storage.read("subscription"), { hash: HASH, endpoint });
});

Deno.test("a replacement that the browser made is registered; without a key nothing happens", async () => {
  const worker = startFakeWorker();
  await worker.storage.write("subscription", { hash: HASH, endpoint: "https://push.example/old" });
  await worker.dispatch("pushsubscriptionchange", {});
  assertEquals(worker.site.requests, []);
  const newSubscription = worker.pushManager.make("https://push.example/new", KEY);
  await worker.dispatch("pushsubscriptionchange", { newSubscription });
  assertEquals(worker.pushManager.calls, []);
  assertEquals(worker.site.requests[0], "POST https://push.example/new");
});

Deno.test("pages come from the network and are not stored", async () => {
  const worker = startFakeWorker();
  worker.network.load = () => new Response("<h1>private</h1>");
  const response = await worker.dispatch("fetch", navigation("/my-record"));
  assertEquals(await response?.text(), "<h1>private</h1>");
  assertEquals(worker.caches.entries(), []);
});

Deno.test("activation disables navigation preload, whose failure would end the navigation in Firefox", async () => {
  const worker = startFakeWorker();
  await worker.dispatch("activate");
  assertFalse(worker.preload.enabled);
});

Deno.test("other requests are left to the browser", async () => {
  const worker = startFakeWorker();
  for (const request of [new Request(`${ORIGIN}/my-record/log`), navigation("/", "POST").request]) {
    assertEquals(await worker.dispatch("fetch", { request }), undefined);
  }
});

Deno.test("without a connection, a page shows the offline page with the saved chain and runs no scripts", async () => {
  const worker = startFakeWorker();
  await worker.storage.write("chain", CHAIN);
  const response = await worker.dispatch("fetch", navigation("/my-record/log?a=%22%3E"));
  assertEquals(response?.status, 503);
  const policy = response!.headers.get("content-security-policy")!;
  assert(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}';/.test(policy), policy);
  const html = await response!.text();
  assertStringIncludes(html, `href="${ORIGIN}/my-record/log?a=%22%3E"`);
  assertStringIncludes(html, "the publisher signed all 3 events.");
  assertStringIncludes(html, "The latest 2 of 3 events, newest first.");
  assert(html.indexOf("record_verified") < html.indexOf("email_confirmed"));
  assertFalse(/<script|<img|<link/.test(html));
});

Deno.test("the offline page says when nothing is saved, and when a chain did not verify", async () => {
  const worker = startFakeWorker();
  const page = async () => (await worker.dispatch("fetch", navigation("/my-record")))!.text();
  assertStringIncludes(await page(), "No chain is saved on this device.");
  const message = "prev is not the hash of event 1 <b>";
  await worker.storage.write("chain", { ...CHAIN, verified: { ok: false, message } });
  assertStringIncludes(await page(), "did not verify: prev is not the hash of event 1 &lt;b>");
  await worker.storage.write("chain", { ...CHAIN, verified: null });
  assertStringIncludes(await page(), "Your browser did not verify this chain.");
});

Deno.test("signing out removes the chain and the subscription", async () => {
  const worker = startFakeWorker();
  await worker.storage.write("chain", CHAIN);
  const { endpoint } = await worker.pushManager.subscribe({ applicationServerKey: KEY });
  await worker.storage.write("subscription", { hash: HASH, endpoint });
  await worker.dispatch("fetch", navigation("/my-record/choose", "POST"));
  assertEquals(worker.caches.entries().length, 2);
  assertEquals(
    await worker.dispatch("fetch", navigation("/my-record/sign-out", "POST")),
    undefined,
  );
  assertEquals([worker.caches.entries(), worker.pushManager.subscription], [[], null]);
});

Deno.test("activation deletes the caches of earlier versions, and no others", async () => {
  const worker = startFakeWorker();
  for (const name of ["record-app-0", "other"]) await worker.caches.open(name);
  await worker.storage.write("chain", CHAIN);
  await worker.dispatch("activate");
  assertEquals(await worker.caches.keys(), ["other", APP_CACHE]);
});

Deno.test("the removing worker deletes the app's caches, the subscription and itself", async () => {
  const caches = fakeCaches();
  for (const name of ["record-app-0", APP_CACHE, "other"]) await caches.open(name);
  const pushManager = new FakePushManager();
  await pushManager.subscribe({ applicationServerKey: KEY });
  let removed = 0;
  const registration = { pushManager, unregister: () => Promise.resolve(removed++) };
  const work: Promise<unknown>[] = [];
  const listen = (type: string, listener: (event: object) => void) => {
    if (type === "activate") {
      listener({ waitUntil: (promise: Promise<unknown>) => work.push(promise) });
    }
  };
  new Function("addEventListener", "caches", "registration", "skipWaiting", REMOVING_WORKER)(
    listen,
    caches,
    registration,
    () => {},
  );
  await Promise.all(work);
  assertEquals([await caches.keys(), pushManager.subscription, removed], [["other"], null, 1]);
});
