import type { PushPlatform } from "./provider.ts";

/** The push services, with their names for people. */
export const PUSH_SERVICES: Readonly<Record<PushPlatform, string>> = {
  ios: "Apple (APNs)",
  android: "Google (FCM)",
  web: "browsers (Web Push)",
};

/**
 * The reasons for giving up a notification, in words. Other reasons are the push services' own
 * codes.
 */
export const PUSH_FAILURES: Readonly<Record<string, string>> = {
  expired: "It could not be sent within a day of its event.",
  quiet_hours: "It could not be sent within a day of its event, outside of the quiet hours.",
  unexpected: "The site had an internal error for a day.",
  unreachable: "The push service could not be reached, or did not respond in time, for a day.",
  unavailable: "The push service had errors for a day.",
  rate_limited: "The push service accepted no notification for a day.",
  interrupted: "The site stopped during every attempt to send it.",
  not_configured: "The push service is no longer configured.",
  not_decrypted: "The device cannot be decrypted: its APP_SECRET was removed.",
  bad_device_token: "The token belongs to the other environment: the app should register it with " +
    "the right one, sandbox or production.",
  device_token_not_for_topic: "The token belongs to another app. Check PUSH_APNS_TOPIC.",
  expired_provider_token: "Apple does not accept the time of our token. Check the server's clock.",
  invalid_provider_token: "Apple does not accept our key. Check the variables PUSH_APNS_….",
  sender_id_mismatch: "The token belongs to another Firebase project. Check the app and " +
    "PUSH_FCM_SERVICE_ACCOUNT.",
  service_account_rejected: "Google does not accept the service account. Check " +
    "PUSH_FCM_SERVICE_ACCOUNT, and the server's clock.",
  unauthenticated: "Google does not accept the service account. Check PUSH_FCM_SERVICE_ACCOUNT.",
  permission_denied: "The service account lacks the role for sending. Check " +
    "PUSH_FCM_SERVICE_ACCOUNT.",
};
