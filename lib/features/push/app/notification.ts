import { parseUrl } from "../../../base/urls.ts";
import { APP_SCOPE, isAppPage } from "./mod.ts";

/** The notification that the service worker shows for a push. */
interface ShownNotification {
  title: string;
  /** Notifications with the same tag replace each other. */
  tag: string;
  /** The page to open: always one of the app's. */
  url: string;
}

/** Shown for a push that cannot be read, because every push must show something. */
const FALLBACK = "There is news about your record";
const MAX_TITLE = 200;

/**
 * Reads a push, a declarative push message
 * (https://www.w3.org/TR/push-api/#declarative-push-message).
 *
 * @param origin the app's own origin, to which `navigate` is limited
 */
export function notificationOf(data: unknown, origin: string): ShownNotification {
  const { title, tag, navigate } = Object(Object(data).notification);
  return {
    title: isText(title) ? title.slice(0, MAX_TITLE) : FALLBACK,
    tag: isText(tag) ? tag : "record",
    url: pageOf(navigate, origin),
  };
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "";

function pageOf(navigate: unknown, origin: string): string {
  const url = isText(navigate) ? parseUrl(navigate, origin) : null;
  const own = url !== null && url.origin === origin && isAppPage(url.pathname);
  return own ? url.href : origin + APP_SCOPE;
}
