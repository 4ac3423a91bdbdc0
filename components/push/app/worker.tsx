/** The service worker of the record app: notifications, and the page without a network. */
import { renderToString } from "preact-render-to-string";
import { APP_SCOPE } from "../../../lib/features/push/app/mod.ts";
import { notificationOf } from "../../../lib/features/push/app/notification.ts";
import { type AppStorage, appStorage } from "../../../lib/features/push/app/saved.ts";
import {
  removeSubscription,
  sendSubscription,
} from "../../../lib/features/push/app/subscription.ts";
import { OfflinePage } from "./OfflinePage.tsx";

interface WindowClient {
  url: string;
  focus(): Promise<unknown>;
}

/** The part of `ServiceWorkerGlobalScope` that the worker uses. Deno's types lack it. */
export interface WorkerScope {
  // deno-lint-ignore no-explicit-any
  addEventListener(type: string, listener: (event: any) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  registration: Pick<ServiceWorkerRegistration, "showNotification" | "navigationPreload"> & {
    pushManager?: PushManager;
  };
  location: { origin: string };
  caches: CacheStorage;
  fetch: typeof fetch;
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends Extendable {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

interface SubscriptionChange extends Extendable {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
}

/**
 * Starts the app's service worker: it shows notifications, keeps the subscription, and replaces pages
 * that cannot be loaded with the offline page. It stores nothing itself.
 *
 * @param styles the styles of the offline page
 */
export function startWorker(scope: WorkerScope, { styles }: { styles: string }): void {
  const storage = appStorage(scope.caches);

  scope.addEventListener("install", (event: Extendable) => {
    event.waitUntil(scope.skipWaiting());
  });
  scope.addEventListener("activate", (event: Extendable) => {
    event.waitUntil(Promise.all([
      scope.clients.claim(),
      storage.removeOld(),
      // Earlier versions enabled it. In Firefox, a preload that fails ends the navigation without the offline page.
      scope.registration.navigationPreload?.disable(),
    ]));
  });
  scope.addEventListener("push", (event: Extendable & { data: PushData }) => {
    event.waitUntil(show(scope, event.data));
  });
  scope.addEventListener("notificationclick", (event: Extendable & NotificationClick) => {
    event.notification.close();
    event.waitUntil(open(scope, event.notification.data?.url ?? APP_SCOPE));
  });
  scope.addEventListener("pushsubscriptionchange", (event: SubscriptionChange) => {
    event.waitUntil(resubscribe(scope, storage, event));
  });
  scope.addEventListener("fetch", (event: FetchEvent) => {
    const { request } = event;
    const { pathname } = new URL(request.url);
    if (request.method === "POST" && pathname === `${APP_SCOPE}/sign-out`) {
      event.waitUntil(signOut(scope, storage));
    }
    if (request.mode !== "navigate" || request.method !== "GET") return;
    event.respondWith(
      scope.fetch(request).catch(async () => {
        const chain = await storage.read("chain").catch(() => null);
        return await offline({ chain, retry: request.url, styles });
      }),
    );
  });
}

type PushData = { json(): unknown } | null;

interface NotificationClick {
  notification: { close(): void; data?: { url?: string } };
}

async function show({ registration, location }: WorkerScope, data: PushData): Promise<void> {
  const { title, tag, url } = notificationOf(parsed(data), location.origin);
  await registration.showNotification(title, {
    tag,
    data: { url },
    icon: "/icons/app-192.png",
    badge: "/icons/badge-96.png",
    lang: "en",
  });
}

function parsed(data: PushData): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}

/** Opens a page of the app, or focuses a window that shows it already. */
async function open({ clients, location }: WorkerScope, url: string): Promise<void> {
  const page = new URL(url, location.origin);
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = windows.find((window) => {
    const { origin, pathname } = new URL(window.url);
    return origin === page.origin && pathname === page.pathname;
  });
  await (same === undefined ? clients.openWindow(page.href) : same.focus());
}

/** Registers the subscription that replaces one that the push service has ended. */
async function resubscribe(
  { registration, fetch }: WorkerScope,
  storage: AppStorage,
  { oldSubscription, newSubscription }: SubscriptionChange,
): Promise<void> {
  const saved = await storage.read("subscription");
  const key = (newSubscription ?? oldSubscription)?.options.applicationServerKey;
  // Without the key, the next visit to the page subscribes again.
  if (saved === null || !key) return;
  const subscription = newSubscription ??
    await registration.pushManager?.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  if (!subscription) return;
  const sent = await sendSubscription(fetch, subscription, { hash: saved.hash });
  if (!sent.ok) return;
  if (saved.endpoint !== subscription.endpoint) await removeSubscription(fetch, saved.endpoint);
  await storage.write("subscription", { hash: saved.hash, endpoint: subscription.endpoint });
}

/** Removes the chain and the subscription. The site itself removes the device. */
async function signOut({ registration }: WorkerScope, storage: AppStorage): Promise<void> {
  await Promise.all([storage.remove("chain"), storage.remove("subscription")]);
  const subscription = await registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

/** Returns the offline page, with a policy that allows its styles and nothing else. */
async function offline(props: Parameters<typeof OfflinePage>[0]): Promise<Response> {
  const html = renderToString(<OfflinePage {...props} />);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(props.styles));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return new Response(`<!doctype html>${html}`, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; ` +
        "frame-ancestors 'none'",
    },
  });
}
