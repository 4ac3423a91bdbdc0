import { APP_SCOPE, WORKER_PATH } from "../../../lib/features/push/app/mod.ts";

/**
 * Registers the app's service worker, or looks for a newer one if it is registered already, and waits
 * until it is active. Rejects if the browser does not allow it, for example in a private window.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  const options = { scope: APP_SCOPE, updateViaCache: "none" } as const;
  await navigator.serviceWorker.register(WORKER_PATH, options);
  return await navigator.serviceWorker.ready;
}
