/** Fakes of the browser's caches and push manager, and of the site, for tests of the app's push code. */
import type { AppStorage } from "../saved.ts";
import { appStorage } from "../saved.ts";

/** Caches in memory, with the entries' paths. */
export function fakeCaches(): CacheStorage & { entries(): string[] } {
  const caches = new Map<string, Map<string, Response>>();
  const open = (name: string) => {
    const cache = caches.get(name) ?? new Map<string, Response>();
    caches.set(name, cache);
    return {
      match: (path: string) => Promise.resolve(cache.get(path)?.clone()),
      put: (path: string, response: Response) => Promise.resolve(void cache.set(path, response)),
      delete: (path: string) => Promise.resolve(cache.delete(path)),
    };
  };
  return {
    open: (name: string) => Promise.resolve(open(name)),
    keys: () => Promise.resolve([...caches.keys()]),
    delete: (name: string) => Promise.resolve(caches.delete(name)),
    entries: () =>
      [...caches].flatMap(([name, cache]) => [...cache.keys()].map((key) => name + key)),
  } as unknown as ReturnType<typeof fakeCaches>;
}

/** A browser's subscription to its push service. */
export class FakePushManager {
  subscription: PushSubscription | null = null;
  /** True if the push service refuses. */
  refuses = false;
  readonly calls: PushSubscriptionOptionsInit[] = [];
  #count = 0;

  getSubscription = () => Promise.resolve(this.subscription);

  subscribe = (options: PushSubscriptionOptionsInit = {}) => {
    this.calls.push(options);
    if (this.refuses) return Promise.reject(new DOMException("Failed", "AbortError"));
    const { applicationServerKey: key } = options;
    const bytes = typeof key === "string"
      ? Uint8Array.fromBase64(key, { alphabet: "base64url" }).buffer
      : key as ArrayBuffer;
    this.subscription = this.make(`https://fcm.googleapis.com/fcm/send/${++this.#count}`, bytes);
    return Promise.resolve(this.subscription);
  };

  make(endpoint: string, applicationServerKey: ArrayBuffer): PushSubscription {
    return {
      endpoint,
      options: { userVisibleOnly: true, applicationServerKey },
      toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
      unsubscribe: () => {
        if (this.subscription?.endpoint === endpoint) this.subscription = null;
        return Promise.resolve(true);
      },
    } as unknown as PushSubscription;
  }
}

/** The site's `/api/push/subscribe`, which notes requests as `POST <endpoint>`. */
export function fakeSite() {
  const site = {
    requests: [] as string[],
    bodies: [] as Record<string, unknown>[],
    /** Responds to POST; null if the site cannot be reached. */
    answer: (() => Response.json({ device: { id: "device" } }, { status: 201 })) as
      | (() => Response)
      | null,
    fetch: ((_: string, init: RequestInit) => {
      const body = JSON.parse(String(init.body));
      site.requests.push(`${init.method} ${body.endpoint}`);
      site.bodies.push(body);
      if (site.answer === null) return Promise.reject(new TypeError("Failed to fetch"));
      return Promise.resolve(init.method === "POST" ? site.answer() : Response.json({}));
    }) as typeof fetch,
  };
  return site;
}

export const fakeStorage = (): AppStorage => appStorage(fakeCaches());
