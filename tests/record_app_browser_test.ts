import { assert, assertEquals, assertFalse } from "@std/assert";
import { createECDH } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { APP_CACHE } from "../lib/features/push/app/saved.ts";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { NARROW } from "./contact_page.ts";
import { recordFixture } from "./record_site.ts";
import { serve } from "./site.ts";
import { stoppedPorts } from "./stopped_ports.ts";
import { withoutMotion } from "./still_pages.ts";

const ecdh = createECDH("prime256v1");
ecdh.generateKeys();
const VAPID = {
  publicKey: ecdh.getPublicKey().toString("base64url"),
  privateKey: ecdh.getPrivateKey().toString("base64url"),
};

/**
 * A proxy between the browser and the site, whose connections a test can cut. On a busy machine, Chromium's own
 * emulation of a lost network can begin too late for a service worker that restarts.
 */
class Network {
  #sockets = new Set<Socket>();
  #server: Server;
  #isCut = false;

  /** @param port the port of the site's server */
  constructor(port: number) {
    this.#server = createServer((client) => {
      if (this.#isCut) return void client.destroy();
      const server = connect(port, "127.0.0.1");
      for (const [one, other] of [[client, server], [server, client]]) {
        this.#sockets.add(one);
        one.pipe(other);
        one.on("error", () => one.destroy());
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroySoon(); // once it has sent the rest
        });
      }
    });
  }

  /** Returns the port for the browser. */
  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.#server.listen(0, "127.0.0.1", () => {
        const { port } = this.#server.address() as { port: number };
        stoppedPorts.delete(String(port));
        resolve(port);
      });
    });
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restore(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose]() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }
}

let fixture: Awaited<ReturnType<typeof recordFixture>>;
const server = serve((req, info) => fixture.site.handler(req, info));
const network = new Network(server.port);
const browser = testBrowser();
const test = withoutMotion(browser);
Deno.test.beforeAll(async () => {
  fixture = await recordFixture({ PORT: String(await network.listen()) }, {
    pushProviders: { web: fakePush() },
    configure: (config) => ({
      ...config,
      push: { web: { keys: [VAPID], subject: "mailto:push@example.org" } },
    }),
  });
});
Deno.test.afterAll(async () => {
  await browser.close();
  await network[Symbol.asyncDispose]();
  await Promise.all([server[Symbol.asyncDispose](), fixture[Symbol.asyncDispose]()]);
});

const urlOf = (path: string) => fixture.site.services.surfaces.url("trust", path)!;

async function signIn(context: BrowserContext): Promise<string> {
  const { hash, cookie } = await fixture.holder();
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url: urlOf("/") }]);
  return hash;
}

/** Returns the paths of everything that the page's caches contain, by cache. */
const cached = (page: Page) =>
  page.evaluate(async () => {
    const found: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const keys = await (await caches.open(name)).keys();
      found[name] = keys.map(({ url }) => new URL(url).pathname);
    }
    return found;
  });

const SAVED = { [APP_CACHE]: ["/my-record/saved/chain"] };
const EMPTY = { [APP_CACHE]: [] };

test(
  "the app is installable, stores only the chain after a visit to every page, and shows it offline",
  {
    context: { viewport: NARROW, serviceWorkers: "allow" },
    expectedErrors: [/ERR_(CONNECTION_(RESET|CLOSED)|EMPTY_RESPONSE)|status of 503/],
  },
  async (page, context) => {
    const hash = await signIn(context);
    await page.goto(urlOf("/my-record"));
    const worker = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return [registration?.scope, registration?.active?.state];
      });
    await becomes(worker, [urlOf("/my-record"), "activated"]);
    const session = await context.newCDPSession(page);
    assertEquals((await session.send("Page.getAppManifest")).errors, []);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    assertEquals(installabilityErrors, []);
    await becomes(() => cached(page), SAVED);

    const saved = async () =>
      JSON.parse(
        await page.evaluate(
          async (name) =>
            await (await (await caches.open(name)).match("/my-record/saved/chain"))!.text(),
          APP_CACHE,
        ),
      );
    assertEquals((await saved()).events.length, 2);
    await page.getByText("watching for new events").waitFor();
    await fixture.site.services.chains.append(hash, "record_verified");
    await becomes(async () => (await saved()).events.length, 3);

    const pages = ["log", "key", "number", "correct", "declaration", "delete", "requests"];
    for (const name of [...pages, "notifications"]) {
      await page.goto(urlOf(`/my-record/${name}`), { waitUntil: "commit" });
    }
    assertEquals(await cached(page), SAVED);
    const { events, verified, ...rest } = await saved();
    assertEquals([Object.keys(rest).sort(), rest.hash], [["at", "hash"], hash]);
    assertEquals(Object.keys(events[0]).sort(), ["at", "hash", "kind", "seq"]);
    const { log, ...result } = verified;
    assertEquals(result, { ok: true, size: 3, signedSize: 3 });
    assertEquals([log.logged, log.fault], [0, null]);

    await page.waitForLoadState();
    network.cut();
    try {
      // The browser stops an idle worker, which then has to start again without a network.
      await session.send("ServiceWorker.enable");
      await session.send("ServiceWorker.stopAllWorkers");
      await page.goto(urlOf("/my-record/log"));
      await page.getByRole("heading", { name: "No connection" }).waitFor();
      await page.getByText("the publisher signed all 3 events.").waitFor();
      await page.getByText("Not in the public log yet.").waitFor();
      assertEquals(await page.locator("tbody tr").count(), 3);
      assertEquals(await axeViolationsInBothSchemes(page), []);
      assertEquals(await sidewaysScroll(page), 0);
    } finally {
      network.restore();
    }
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Access log" }).waitFor();

    await context.clearCookies(); // the session has expired
    await page.goto(urlOf("/my-record"));
    await becomes(() => cached(page), EMPTY);

    await signIn(context);
    await page.goto(urlOf("/my-record"));
    await becomes(() => cached(page), SAVED);
    await page.evaluate(async (name) => {
      await (await caches.open(name)).put("/my-record/saved/subscription", Response.json({}));
    }, APP_CACHE);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await becomes(() => cached(page), EMPTY);
  },
);

/** Replaces the browser's push service, which headless Chromium lacks. It survives a reload. */
function stubPush({ p256dh }: { p256dh: string }) {
  const store = localStorage;
  const subscription = () => {
    const endpoint = store.getItem("endpoint");
    if (endpoint === null) return null;
    const key = store.getItem("key")!;
    const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
    return {
      endpoint,
      options: { applicationServerKey: Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh, auth: "A".repeat(22) } }),
      unsubscribe: () => Promise.resolve(store.removeItem("endpoint")),
    };
  };
  Object.assign(PushManager.prototype, {
    getSubscription: () => Promise.resolve(subscription()),
    subscribe(options: { applicationServerKey: string }) {
      store.setItem("endpoint", `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`);
      store.setItem("key", options.applicationServerKey);
      return Promise.resolve(subscription());
    },
  });
  Object.defineProperty(Notification, "permission", {
    get: () => store.getItem("permission") ?? "default",
  });
  Notification.requestPermission = () => {
    store.setItem("questions", `${Number(store.getItem("questions")) + 1}`);
    store.setItem("permission", "granted");
    return Promise.resolve("granted");
  };
}

test(
  "notifications are turned on by a click, renewed without a question, and turned off",
  { context: { viewport: NARROW, serviceWorkers: "allow" } },
  async (page, context) => {
    await context.addInitScript(stubPush, { p256dh: VAPID.publicKey });
    const hash = await signIn(context);
    const { push } = fixture.site.services;
    const devices = async () => (await push.overview(hash)).devices.map(({ id }) => id);
    const stored = (key: string) => page.evaluate((key) => localStorage.getItem(key), key);
    const section = page.getByRole("main");
    const turnOn = section.getByRole("button", { name: "Turn on notifications" });
    const isOn = section.getByText("This browser receives notifications.");

    await page.goto(urlOf("/my-record/notifications"));
    await turnOn.waitFor();
    assertEquals([await stored("questions"), await stored("endpoint")], [null, null]);
    await turnOn.click();
    await isOn.waitFor();
    await section.locator("li").getByText("this browser").waitFor();
    const [first, ...others] = await devices();
    assert(first !== undefined && others.length === 0);

    await section.getByRole("button", { name: "Send a test" }).waitFor();
    assertEquals(await axeViolationsInBothSchemes(page), []);

    await page.evaluate(() => localStorage.removeItem("endpoint"));
    await page.goto(urlOf("/my-record#notifications"));
    await isOn.waitFor();
    await becomes(async () => (await devices()).length, 1);
    assertFalse((await devices()).includes(first));
    assertEquals(await stored("questions"), "1");

    await section.getByRole("button", { name: "Turn off notifications" }).click();
    await turnOn.waitFor();
    assertEquals([await devices(), await stored("endpoint")], [[], null]);
    await page.evaluate(() => localStorage.setItem("permission", "denied"));
    await page.reload();
    // Browsers open the section only if they scroll to the link's target again.
    await page.locator("details:has(#notifications)").evaluate((fold) =>
      (fold as HTMLDetailsElement).open = true
    );
    await section.getByText("Your browser blocks notifications from this site.").waitFor();
    assertEquals(await sidewaysScroll(page), 0);
  },
);
