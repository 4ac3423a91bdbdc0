/** A fixture for tests of push notifications, with stored records and stand-ins for the push services. */
import { type ChainEvent, generatePrivateJwk } from "../../../../packages/proof/mod.ts";
import { createChains } from "../../chain/mod.ts";
import { encodeHex } from "../../../base/encoding.ts";
import { isoAfter, openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { type HolderSession, newRow, type RecordRow } from "../../records/mod.ts";
import { createSecrets } from "../../../platform/secrets.ts";
import { DAY_MS } from "../../../base/time.ts";
import { createPush, type Push, type PushOptions, type PushTarget } from "../mod.ts";
import { type FakePush, fakePush } from "./fake_provider.ts";

const signingKey = await generatePrivateJwk();
const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

/** Pushes of records that exist only as rows, without the rest of the site. */
interface PushFixture extends Disposable {
  kv: Deno.Kv;
  clock: { now: number };
  service: FakePush;
  push: Push;
  lost: { hash: string; reason: string }[];
  /** Creates a record at a level, and returns its hash. */
  record(level?: RecordRow["level"]): Promise<string>;
  /** Registers a device, with a new session unless one is given. */
  register(hash: string, target: PushTarget, session?: string): Promise<void>;
  append(hash: string, kind: ChainEvent["kind"]): Promise<void>;
  /** Starts another process on the same store. */
  start(kv?: Deno.Kv): Pick<PushFixture, "push" | "append">;
  received(token: string): string[];
}

export const ios = (token: string): PushTarget => ({
  platform: "ios",
  token: encodeHex(new TextEncoder().encode(token)).padStart(64, "0"),
  environment: "production",
});
export const android = (token: string): PushTarget => ({ platform: "android", token });

/** Creates pushes on a store in memory, with services that accept everything by default. */
export async function pushFixture(): Promise<PushFixture> {
  const kv = limitKv(await openKv(":memory:"));
  const clock = { now: Date.now() };
  const service = fakePush();
  const lost: PushFixture["lost"] = [];
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });

  function start(store = kv) {
    const chains = createChains({
      kv: store,
      clock: () => clock.now,
      publisher: "trust.example",
      signingKey,
      addToEvent: (commit, hash, event) => push.addToEvent(commit, hash, event),
    });
    const options: PushOptions = {
      kv: store,
      clock: () => clock.now,
      secrets,
      chains,
      notices: { add: () => Promise.resolve([]) },
      mailer: { send() {} } as unknown as PushOptions["mailer"],
      providers: { ios: service, android: service, web: service },
      url: "https://trust.example/my-record",
      log: () => {},
      addToLoss: (_, { hash, reason }) => Promise.resolve(void lost.push({ hash, reason })),
    };
    const push = createPush(options);
    return {
      push,
      chains,
      async append(hash: string, kind: ChainEvent["kind"]) {
        await chains.append(hash, kind);
        await push.flush();
      },
    };
  }

  const { chains, ...started } = start();
  return {
    kv,
    clock,
    service,
    lost,
    ...started,
    start,
    async record(level = 3) {
      const hash = encodeHex(crypto.getRandomValues(new Uint8Array(32)));
      const registered_at = new Date(clock.now).toISOString();
      await kv.set(["contacts", hash], { registered_at, record: {} });
      await kv.set(["records", hash], { ...newRow({ registered_at }), level });
      await chains.start(hash);
      return hash;
    },
    async register(hash, target, id = crypto.randomUUID()) {
      const expires_at = isoAfter(clock.now, 30 * DAY_MS);
      await kv.set(["record_sessions", id], { expires_at });
      const session = { id, expires_at } as HolderSession;
      const result = await started.push.register(target, { record: hash, session, reader: READER });
      if (!result.ok) throw new Error(result.error);
    },
    received: (token) =>
      service.sent.filter(({ target }) => "token" in target && target.token === token)
        .map(({ message }) => message.text),
    [Symbol.dispose]: () => kv.close(),
  };
}
