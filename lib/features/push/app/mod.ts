/**
 * The holder's web app: `/my-record` can be installed, shows notifications, and has an offline page.
 *
 * @module
 */

import type { PushConfig } from "../variables.ts";

/** The path of the service worker, a static file that the build bundles. */
export const WORKER_PATH = "/workers/record_app.js";

/** The pages that the app consists of, and that the service worker controls. */
export const APP_SCOPE = "/my-record";

/** Returns whether a page belongs to the app. */
export const isAppPage = (pathname: string): boolean =>
  pathname === APP_SCOPE || pathname.startsWith(`${APP_SCOPE}/`);

/** An event of the window: the feed of the open record has received an event, its `detail`. */
export const FEED_EVENT = "record-feed";

/** The colours of the window's frame: the background of the pages' header. */
export const THEME_COLOURS = { light: "#ffffff", dark: "#131c29" } as const;

/** The app's name on a home screen. */
export const APP_NAME = "My record";

/** Returns the VAPID public key with which browsers subscribe; null if they cannot. */
export const browserKeyOf = (
  { recordApp, push }: { recordApp: boolean; push: PushConfig },
): string | null => recordApp ? push.web?.keys[0]?.publicKey ?? null : null;

/**
 * Returns the web app manifest (https://www.w3.org/TR/appmanifest/).
 *
 * @param publisher the name of the organisation that keeps the records
 */
export function manifest(publisher: string) {
  const icon = (file: string, size: number, purpose: "any" | "maskable") => ({
    src: `/icons/${file}-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  return {
    id: APP_SCOPE,
    name: `${APP_NAME} · ${publisher}`,
    short_name: APP_NAME,
    description: `Your record with ${publisher}: its chain, its documents and who accessed it.`,
    lang: "en",
    dir: "ltr",
    start_url: APP_SCOPE,
    scope: APP_SCOPE,
    display: "standalone",
    theme_color: THEME_COLOURS.dark,
    background_color: THEME_COLOURS.dark,
    icons: [
      ...[192, 512].map((size) => icon("app", size, "any")),
      ...[192, 512].map((size) => icon("app-maskable", size, "maskable")),
    ],
  };
}

/**
 * Replaces the service worker when `RECORD_APP=off`. It removes what the app has stored in the
 * browser, and itself. A 404 would leave the old worker in place.
 */
export const REMOVING_WORKER = `
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(remove()));
async function remove() {
  for (const name of await caches.keys()) {
    if (name.startsWith("record-app")) await caches.delete(name);
  }
  const subscription = await registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  await registration.unregister();
}
`;
