/** A site with a chain for tests of feeds and event streams. */
import { HASH } from "../lib/features/chain/testing/fixtures.ts";
import { FakeTimer, readStream } from "../lib/platform/http/testing/streams.ts";
import { createSite, type Site, type SiteOverrides } from "./site.ts";

export const PATH = `/api/chain/${HASH}`;
export const STREAM = { accept: "text/event-stream" };

/** A site whose clock and polls the test controls. */
interface FeedFixture extends AsyncDisposable {
  site: Site;
  get(query?: string, headers?: Record<string, string>): Promise<Response>;
  /** Opens a stream and reads its first message, which only sets the position. */
  stream(query?: string, headers?: Record<string, string>): Promise<ReturnType<typeof readStream>>;
  /** Lets seconds pass, with a poll after each. */
  pass(seconds: number): Promise<void>;
}

/** Creates a site with a chain of `length` events. */
export async function feedFixture(
  length: number,
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<FeedFixture & { timer: FakeTimer }> {
  const timer = new FakeTimer();
  const clock = { now: Date.UTC(2026, 2, 1) };
  const site = await createSite(env, {
    clock: () => clock.now,
    schedule: timer.schedule,
    log: () => {},
    ...overrides,
  });
  const { services: { chains, streams } } = site;
  if (length > 0) await chains.start(HASH);
  for (let i = 1; i < length; i++) await chains.append(HASH, "record_verified");
  const get = (query = "", headers: Record<string, string> = {}) =>
    site.request("api", PATH + query, { headers });
  return {
    site,
    timer,
    get,
    async stream(query, headers) {
      const stream = readStream(await get(query, { ...STREAM, ...headers }));
      await stream.next();
      return stream;
    },
    async pass(seconds) {
      for (let i = 0; i < seconds; i++) {
        clock.now += 1_000;
        await timer.fire(() => streams.watched === 0);
      }
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}
