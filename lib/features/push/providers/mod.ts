/** The push services: APNs, FCM and Web Push. */
import type { PushConfig } from "../variables.ts";
import type { PushProviders } from "../provider.ts";
import { createApns } from "./apns.ts";
import { createFcm } from "./fcm.ts";
import { createPushClient, type PushDeps } from "./request.ts";
import { createWebPush } from "./web_push.ts";

/** Creates the push services that are configured. Nothing is sent yet. */
export function createPushServices({ apns, fcm, web }: PushConfig, options: PushDeps) {
  const client = createPushClient(options);
  const deps = { client, clock: options.clock };
  return {
    providers: {
      ...apns && { ios: createApns(apns, deps) },
      ...fcm && { android: createFcm(fcm, deps) },
      ...web && { web: createWebPush(web, deps) },
    } satisfies PushProviders,
    /** Closes idle connections. */
    close: client.close,
  };
}
