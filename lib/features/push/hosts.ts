/**
 * The hosts of the push services of browsers. We POST to addresses that browsers send us, so only
 * these are accepted.
 *
 * - Chrome and other Chromium browsers: `fcm.googleapis.com`
 *   (https://firebase.google.com/docs/cloud-messaging/concept-options).
 * - Firefox: `updates.push.services.mozilla.com`
 *   (https://mozilla-services.github.io/autopush-rs/, "Push Endpoint").
 * - Safari: `*.push.apple.com`
 *   (https://developer.apple.com/documentation/usernotifications/sending-web-push-notifications-in-web-apps-and-browsers).
 * - Edge: `*.notify.windows.com`
 *   (https://learn.microsoft.com/en-us/windows/apps/develop/notifications/push-notifications/firewall-allowlist-config).
 */
const HOSTS = ["fcm.googleapis.com", "updates.push.services.mozilla.com"];
const PARENTS = [".push.apple.com", ".notify.windows.com"];

/** Returns whether an endpoint of a browser subscription belongs to a known push service. */
export function isPushEndpoint(endpoint: string): boolean {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" && url.port === "" &&
    (HOSTS.includes(url.hostname) || PARENTS.some((parent) => url.hostname.endsWith(parent)));
}
