import { assertEquals } from "@std/assert";
import { createECDH, randomBytes } from "node:crypto";
import { MINUTE_MS, SECOND_MS } from "../lib/base/time.ts";
import { parseConfig, readSecrets } from "../lib/app/config.ts";
import { postMail } from "../lib/platform/mail/testing/post_mail.ts";
import { paymentEvent, signStripe } from "../sandbox/payment_events.ts";
import { CHALLENGE_ENV, contactFixture, PERSON, statusOf } from "./contact_site.ts";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { reloadSecrets } from "../lib/app/secrets.ts";
import { never } from "../lib/testing/held_timers.ts";
import { until } from "../lib/testing/until.ts";
import { createSite, freePort, serve, type Site } from "./site.ts";

type Version = "old" | "new";

const RELAY = {
  name: "docs",
  host: "docs.relay.localhost",
  origin: "https://origin.example",
  clientId: "id.access",
};
const SLUGS = { old: "docs-0123456789abcdef01234567", new: "docs-fedcba9876543210fedcba98" };
const relays = (...all: object[]) =>
  JSON.stringify(all.map((one) => ({ ...RELAY, clientSecret: "relay-secret", ...one })));

const vapidKeys = () => {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys().toString("base64url");
  return { publicKey, privateKey: ecdh.getPrivateKey().toString("base64url") };
};
const VAPID = { old: vapidKeys(), new: vapidKeys() };
const webhook = (organisation: string, version: Version) =>
  `whsec_${btoa(`${organisation} webhook secret ${version}`)}`;

/** All secrets that are sent or checked, in one version. */
const secretsOf = (version: Version) => ({
  FOUNDATION_BANK_API_TOKEN: `foundation-bank-${version}`,
  COMMERCIAL_BANK_API_TOKEN: `commercial-bank-${version}`,
  FOUNDATION_PAYMENT_WEBHOOK_SECRET: webhook("foundation", version),
  COMMERCIAL_PAYMENT_WEBHOOK_SECRET: webhook("commercial", version),
  MAIL_API_KEY: `mail-${version}`,
  CODE_HTTP_KEY: `code-${version}`,
  CHALLENGE_SECRET: `challenge-${version}`,
  HEARTBEAT_URL: `https://monitor.example/ping-${version}`,
  METRICS_TOKEN: `metrics-token-${version}`,
  S3_ACCESS_KEY_ID: `S3ID-${version}`,
  S3_SECRET_ACCESS_KEY: `s3-${version}`,
  PUSH_VAPID_KEY: VAPID[version].privateKey,
  RELAYS: relays({ slug: SLUGS[version], clientSecret: `relay-${version}` }),
});

const SETTINGS = {
  ...CHALLENGE_ENV,
  BANK_API_BASE: "https://bank.example",
  MAIL_TRANSPORT: "http",
  MAIL_API_URL: "https://mail.example/send",
  CODE_PROVIDER: "http",
  CODE_HTTP_URL: "https://codes.example/send",
  DOCUMENT_STORE: "s3",
  S3_ENDPOINT: "https://s3.example",
  S3_BUCKET: "bucket",
  PUSH_VAPID_SUBJECT: "mailto:ops@qualpack.example",
  CONTACT_CLIENT_LIMIT: "0",
};

const MAIL = {
  sender: "product" as const,
  to: "ada@example.org",
  subject: "s",
  text: "t",
  html: "h",
};

const relayRequest = (slug: string, path = "") =>
  new Request(`http://${RELAY.host}:8000/${slug}/${path}`, {
    headers: { host: `${RELAY.host}:8000` },
  });

Deno.test("after the secrets were replaced, every feature uses the new ones at once, and none an old one", async () => {
  let requests: string[] = [];
  await using fixture = await contactFixture({ ...SETTINGS, ...secretsOf("old") }, {
    schedule: never, // so that each probe ends before the secrets are replaced
    async fetch(input, init) {
      const request = new Request(input, init);
      const body = await request.text();
      requests.push(`${request.url} ${JSON.stringify([...request.headers])} ${body}`);
      return Response.json({ error: "unavailable" }, { status: 400 });
    },
  });
  const { site } = fixture;
  const { services } = site;

  /** Uses all secrets, and returns the requests that contain one of them. */
  async function use(version: Version) {
    requests = [];
    const browser = randomBytes(65);
    browser[0] = 4;
    const recipient = createECDH("prime256v1");
    recipient.generateKeys();
    const { alertWatch, treasuries, phone, pushProviders, documents, infra, mailer } = services;
    await Promise.all([
      treasuries.foundation.refresh(),
      treasuries.commercial.refresh(),
      postMail(mailer, services, MAIL).then(mailer.flush),
      phone.provider!.send({
        to: "+61412345678",
        channel: "sms",
        text: "code",
        idempotencyKey: version,
      }),
      fixture.send({ ...PERSON, challenge: "response" }).then(statusOf),
      new Response(documents.open({ store: "s3", blob: "b", size: 1 } as never)).bytes()
        .catch(() => {}),
      pushProviders.web!.send({
        platform: "web",
        endpoint: "https://fcm.googleapis.com/push",
        p256dh: recipient.getPublicKey().toString("base64url"),
        auth: randomBytes(16).toString("base64url"),
        vapid: VAPID[version].publicKey,
      }, {
        id: crypto.randomUUID(),
        text: "t",
        seq: 1,
        event: "e",
        collapse: "c",
        expiresAt: Date.now() + 60_000,
        url: "https://trust.example/",
      }),
      infra.checks(),
      alertWatch.tick(),
      statusOf(site.handler(relayRequest(SLUGS[version]))),
    ]);
    return requests.filter((text) => /(old|new)\W/.test(text) || text.includes("k="));
  }

  const before = await use("old");
  services.replaceConfig(parseConfig({ ...SETTINGS, ...secretsOf("new") }));
  fixture.clock.now += MINUTE_MS; // so that the services are probed again
  const after = await use("new");

  for (const [version, other, sent] of [["old", "new", before], ["new", "old", after]] as const) {
    const { COMMERCIAL_BANK_API_TOKEN, FOUNDATION_BANK_API_TOKEN, ...values } = secretsOf(version);
    const { MAIL_API_KEY, CODE_HTTP_KEY, CHALLENGE_SECRET, S3_ACCESS_KEY_ID } = values;
    const expected = [
      `Bearer ${COMMERCIAL_BANK_API_TOKEN}"`,
      `Bearer ${FOUNDATION_BANK_API_TOKEN}"`,
      `Bearer ${MAIL_API_KEY}"`,
      `Bearer ${CODE_HTTP_KEY}"`,
      `secret=${CHALLENGE_SECRET}&`,
      `Credential=${S3_ACCESS_KEY_ID}/`,
      `"relay-${version}"`,
      `k=${VAPID[version].publicKey}`,
      `/ping-${version}`,
    ];
    assertEquals(expected.filter((text) => !sent.some((one) => one.includes(text))), []);
    assertEquals(sent.filter((text) => text.includes(`-${other}`)), []);
    assertEquals(sent.filter((text) => text.includes(VAPID[other].publicKey)), []);
  }
  assertEquals(await accepted(site, "old"), [403, 401, 400, 400]);
  assertEquals((await accepted(site, "new")).map((status) => status < 300), [
    false, // the relay's origin returns 400
    true,
    true,
    true,
  ]);
});

/** Returns the statuses of a request to the relay, for the metrics, and of both organisations' webhooks. */
async function accepted(site: Site, version: Version): Promise<number[]> {
  const seconds = Math.floor(site.services.clock() / 1000);
  const send = (organisation: "foundation" | "commercial") => {
    const body = JSON.stringify(paymentEvent({ created: seconds }));
    const signed = signStripe(body, webhook(organisation, version), seconds);
    return site.request(`${organisation}-console`, "/api/payments/webhook", {
      method: "POST",
      body: signed.body,
      headers: { "content-type": "application/json", ...signed.headers },
    });
  };
  const authorization = `Bearer metrics-token-${version}`;
  return await Promise.all([
    site.handler(relayRequest(SLUGS[version])),
    site.handler(new Request("http://10.0.0.7/metrics", { headers: { authorization } })),
    send("foundation"),
    send("commercial"),
  ].map(statusOf));
}

Deno.test("a bank's new token never shows what was stored for the old one", async () => {
  const bank = { down: false };
  await using site = await createSite({
    BANK_API_BASE: "https://bank.example",
    COMMERCIAL_BANK_API_TOKEN: "old",
  }, {
    log: () => {},
    pause: () => Promise.resolve(),
    fetch: () =>
      Promise.resolve(
        bank.down
          ? Response.json({}, { status: 400 })
          : Response.json({ accounts: [{ id: "a", nickname: "Old", status: "active" }] }),
      ),
  });
  const { services } = site;
  const names = async () =>
    (await services.treasuries.commercial.accounts()).accounts.map(({ nickname }) => nickname);
  assertEquals(await names(), ["Old"]);
  bank.down = true;
  assertEquals(await names(), ["Old"]); // from the cache
  services.replaceConfig(parseConfig({
    BANK_API_BASE: "https://bank.example",
    COMMERCIAL_BANK_API_TOKEN: "new",
  }));
  assertEquals(await names(), []);
});

/** A relay with an origin whose page never ends, and whose requests are recorded. */
async function relaySite() {
  const used: string[] = [];
  const endless = new Set<ReadableStreamDefaultController>();
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const origin = serve(async ({ url, headers }) => {
    used.push(`${new URL(url).pathname} ${headers.get("edge-access-client-secret")}`);
    if (url.endsWith("/slow")) {
      begun.resolve();
      await held.promise;
    }
    if (!url.endsWith("/endless")) return new Response("page");
    let controller: ReadableStreamDefaultController;
    return new Response(
      new ReadableStream({
        start(given) {
          controller = given;
          controller.enqueue(new TextEncoder().encode("begin"));
          endless.add(controller);
        },
        cancel: () => void endless.delete(controller),
      }),
    );
  });
  const relay = (settings: object) => ({
    RELAYS: relays({ origin: `http://127.0.0.1:${origin.port}`, ...settings }),
  });
  const logged: Record<string, unknown>[] = [];
  const site = await createSite(relay({ slug: SLUGS.old }), { log: (line) => logged.push(line) });
  return {
    logged,
    used,
    begun: begun.promise,
    release: held.resolve,
    replace: (settings: object) => site.services.replaceConfig(parseConfig(relay(settings))),
    request: (slug: string, path?: string) => site.handler(relayRequest(slug, path)),
    async [Symbol.asyncDispose]() {
      held.resolve();
      for (const controller of endless) controller.close();
      await site[Symbol.asyncDispose]();
      await origin[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a new slug stops old URLs at once: responses that are being sent, too", async () => {
  await using site = await relaySite();
  const reader = (await site.request(SLUGS.old, "endless")).body!.getReader();
  assertEquals(new TextDecoder().decode((await reader.read()).value), "begin");
  const waiting = site.request(SLUGS.old, "slow");
  await site.begun;

  // While the old slug is the previous one, both are served.
  site.replace({ slug: SLUGS.new, previousSlug: SLUGS.old });
  const kept = (await site.request(SLUGS.new, "endless")).body!.getReader();
  await kept.read();
  assertEquals(await statusOf(site.request(SLUGS.old)), 200);
  const next = reader.read();

  site.replace({ slug: SLUGS.new });
  assertEquals(
    site.logged.filter(({ event }) => event === "relay_slug_revoked"),
    [{ level: "info", event: "relay_slug_revoked", relay: "docs", cut_off: 1 }],
  );
  assertEquals(await next.then(() => "more", () => "cut off"), "cut off");
  assertEquals(await statusOf(site.request(SLUGS.old)), 403);
  site.release();
  assertEquals(await statusOf(waiting), 403);
  assertEquals(await statusOf(site.request(SLUGS.new)), 200);
  await kept.cancel();
});

Deno.test("while slug and token of a relay are replaced, no request has the slug of one and the token of the other", async () => {
  await using site = await relaySite();
  const versions = Array.from({ length: 20 }, (_, i) => ({
    slug: `docs-${String(i).padStart(24, "0")}`,
    clientSecret: `secret-${i}`,
  }));
  // The requests are sent while the next version is put into use.
  const statuses = await Promise.all(versions.flatMap(({ slug, clientSecret }, i) => {
    site.replace({ slug, clientSecret });
    return Array.from({ length: 3 }, () => statusOf(site.request(slug, `${i}`)));
  }));
  assertEquals(new Set(statuses), new Set([200, 403]));
  assertEquals(
    new Set(site.used),
    new Set(versions.map(({ clientSecret }, i) => `/${i} ${clientSecret}`)),
  );
});

/** A folder with files of secrets. */
async function secretFolder(values: Record<string, string>) {
  const folder = await Deno.makeTempDir();
  /** Replaces a file as editors do. */
  const write = async (name: string, value: string) => {
    await Deno.writeTextFile(`${folder}/.${name}`, `${value}\n`);
    await Deno.rename(`${folder}/.${name}`, `${folder}/${name}`);
  };
  for (const [name, value] of Object.entries(values)) await write(name, value);
  return {
    write,
    env: Object.fromEntries(
      Object.keys(values).map((name) => [`${name}_FILE`, `${folder}/${name}`]),
    ),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

Deno.test("an invalid file keeps the old values and opens an alert in both consoles, until it is valid", async () => {
  const tokens = ["metrics-token-01", "metrics-token-02"];
  await using secrets = await secretFolder({ METRICS_TOKEN: tokens[0], MAIL_API_KEY: "key-1" });
  const { env } = secrets;
  const logged: Record<string, unknown>[] = [];
  await using site = await createSite(env, {
    log: (line) => logged.push(line),
    schedule(run, ms) {
      const timer = setTimeout(run, ms === SECOND_MS ? 10 : ms);
      return () => clearTimeout(timer);
    },
  });
  const { services } = site;
  const stop = reloadSecrets(services, { env, files: readSecrets(env), configure: (one) => one });
  const inUse = () => [services.config.telemetry.metricsToken, services.config.mail.apiKey];
  const states = async () =>
    (await Promise.all(
      (["foundation", "commercial"] as const).map(async (organisation) =>
        (await services.alerts.list(organisation, { state: "all" })).alerts.map(({ kind, state }) =>
          `${kind} ${state}`
        )
      ),
    )).flat();

  const refusals = () => logged.filter(({ event }) => event === "secrets_invalid").length;
  // One after the other: between two writes the process may read the first file alone.
  await secrets.write("METRICS_TOKEN", "short");
  await until(async () => (await states()).length === 2, "both consoles have an alert");
  const refused = refusals();
  await secrets.write("MAIL_API_KEY", "key-2");
  await until(() => Promise.resolve(refusals() > refused), "both files have been read");
  assertEquals(await states(), ["secrets_invalid unread", "secrets_invalid unread"]);
  assertEquals(inUse(), [tokens[0], "key-1"]);

  await secrets.write("METRICS_TOKEN", tokens[1]);
  await until(async () => (await states()).join() === DONE, "the alerts are done");
  assertEquals(inUse(), [tokens[1], "key-2"]);
  stop();
  const events = logged.filter(({ event }) => String(event).startsWith("secrets_"));
  assertEquals(events.at(-1)?.variables, ["MAIL_API_KEY", "METRICS_TOKEN"]);
  const written = JSON.stringify(events);
  assertEquals(["metrics-token", "key-", "short"].filter((text) => written.includes(text)), []);
});

const DONE = "secrets_invalid done,secrets_invalid done";

Deno.test({
  name: "a process in development reads files again on SIGHUP and when they change",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using store = await tempKv();
    await using secrets = await secretFolder({ METRICS_TOKEN: "metrics-token-old" });
    const port = freePort();
    await using process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--quiet",
        "--frozen",
        "--lock=dev.lock",
        "tests/stop_child.ts",
      ],
      cwd: new URL("..", import.meta.url),
      env: { ...secrets.env, KV_PATH: store.path, PORT: String(port), NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    let printed = "";
    const printing = process.stdout.pipeThrough(new TextDecoderStream())
      .pipeTo(new WritableStream({ write: (text) => void (printed += text) }));
    const fetch = createLocalFetch();
    const status = (version: Version) =>
      statusOf(fetch(`http://localhost:${port}/metrics`, {
        headers: { authorization: `Bearer metrics-token-${version}` },
      }));
    await until(() => printed.includes(" is listening on "), "the process listens");
    process.kill("SIGHUP");
    await until(() => printed.includes("secrets_unchanged"), "SIGHUP is logged");
    assertEquals(await status("old"), 200);
    await secrets.write("METRICS_TOKEN", "metrics-token-new");
    await until(async () => await status("new") === 200, "the new token is in use");
    assertEquals(await status("old"), 401);
    process.kill("SIGTERM");
    await printing;
    assertEquals(printed.includes("metrics-token"), false);
  },
});
