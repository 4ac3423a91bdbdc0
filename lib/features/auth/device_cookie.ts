import { encodeBase64Url } from "../../base/encoding.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { cookieValues } from "../../platform/http/cookies.ts";
import { DAY_MS, SECOND_MS } from "../../base/time.ts";

/** How long a browser is remembered after its last sign-in: one year. */
export const DEVICE_LIFETIME_MS = 365 * DAY_MS;

const NAME = "app_device";
const VALUE = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/** Our site sets one device cookie per browser; the rest of a longer list is ignored. */
const MAX_COOKIES = 3;

interface DeviceOwner {
  email: string;
  surface: SurfaceName;
}

/** Recognises browsers that have signed in before, so that strangers cannot use up their links. */
export interface Devices {
  /** Returns the device id in the cookies of a browser with which this owner signed in, or null. */
  find(values: string[], owner: DeviceOwner): Promise<string | null>;
  /** Returns the `Set-Cookie` value after a sign-in. A known browser keeps its id. */
  cookie(values: string[], owner: DeviceOwner): Promise<string>;
}

/** Returns whether the value of a cookie may be a device cookie, by its length. */
export const isShort = (value: string): boolean => value.length <= 100;

/** Returns the device cookies of a request, unverified. */
export const deviceCookies = (request: Request): string[] =>
  cookieValues(request, NAME).slice(0, MAX_COOKIES);

/**
 * Creates the device cookies. A cookie holds a random id, its expiry and an HMAC over both and the
 * owner: it identifies nobody, and is useless for another address or surface.
 */
export function createDevices(secrets: Secrets, clock: () => number): Devices {
  async function find(values: string[], owner: DeviceOwner): Promise<string | null> {
    for (const value of values) {
      const [, id, expires, signature] = VALUE.exec(value) ?? [];
      if (id === undefined || clock() >= Number(expires) * SECOND_MS) continue;
      const text = signedText(id, expires, owner);
      if (await secrets.verify("device-cookie", text, signature)) return id;
    }
    return null;
  }

  return {
    find,
    async cookie(values, owner) {
      const id = await find(values, owner) ?? randomId();
      const expires = String(Math.floor((clock() + DEVICE_LIFETIME_MS) / SECOND_MS));
      const signature = await secrets.sign("device-cookie", signedText(id, expires, owner));
      const maxAge = DEVICE_LIFETIME_MS / SECOND_MS;
      const attributes = `HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/`;
      return `${NAME}=${id}.${expires}.${signature}; ${attributes}`;
    },
  };
}

const signedText = (id: string, expires: string, { email, surface }: DeviceOwner): string =>
  JSON.stringify([id, expires, surface, email]);

const randomId = () => encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)));
