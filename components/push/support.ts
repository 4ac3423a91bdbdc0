import type { AppStorage } from "../../lib/features/push/app/saved.ts";
import type { PushBrowser } from "../../lib/features/push/app/subscription.ts";
import { registerWorker } from "./app/register.ts";

/** The properties of the browser that decide whether it can receive notifications. */
interface BrowserTraits {
  userAgent: string;
  maxTouchPoints: number;
  /** True if the browser has service workers, caches, `PushManager` and `Notification`. */
  hasPush: boolean;
}

/** Returns whether a browser can receive notifications, or could once the app is installed. */
export function supportOf(
  { userAgent, maxTouchPoints, hasPush }: BrowserTraits,
): "ok" | "home_screen" | "unsupported" {
  if (hasPush) return "ok";
  // An iPad calls itself a Mac, but no Mac has a touch screen.
  const isApple = /\b(iPhone|iPad|iPod)\b/.test(userAgent) ||
    /\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1;
  return isApple ? "home_screen" : "unsupported";
}

export const browserSupport = () =>
  supportOf({
    userAgent: navigator.userAgent,
    maxTouchPoints: navigator.maxTouchPoints,
    hasPush: "serviceWorker" in navigator && "caches" in globalThis &&
      "PushManager" in globalThis && "Notification" in globalThis,
  });

/** Returns the browser's functions. */
export const pushBrowser = (storage: AppStorage): PushBrowser => ({
  permission: () => Notification.permission,
  requestPermission: () => Notification.requestPermission(),
  pushManager: async () => (await registerWorker()).pushManager,
  fetch: (...request) => fetch(...request),
  storage,
});
