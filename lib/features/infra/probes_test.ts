import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../app/config.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { startSmtpServer } from "../../platform/mail/testing/smtp_server.ts";
import { DAY_MS } from "../../base/time.ts";
import { createMonitor, SLOW_MS } from "./monitor.ts";
import { createProbes, type ProbeDeps } from "./probes.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");
const SID = `AC${"0".repeat(32)}`;

/** Creates the probes of a configuration in development. */
const probesOf = (env: Record<string, string>, deps: Partial<ProbeDeps> = {}) =>
  createProbes({
    config: parseConfig(env),
    kv: undefined as never,
    clock: () => NOW,
    fetch: createLocalFetch(),
    chains: { keyFirstUsed: () => Promise.resolve(null) },
    ...deps,
  });

/** The settings that send every probe over HTTP to one server. */
const allAt = (base: string) => ({
  BANK_API_BASE: base,
  FOUNDATION_BANK_API_TOKEN: "token-of-the-foundation",
  COMMERCIAL_BANK_API_TOKEN: "token-of-the-company",
  MAIL_TRANSPORT: "http",
  MAIL_API_URL: `${base}/mail`,
  MAIL_API_KEY: "mail-key",
  CODE_PROVIDER: "twilio",
  TWILIO_API_BASE: base,
  TWILIO_ACCOUNT_SID: SID,
  TWILIO_AUTH_TOKEN: "twilio-token",
  TWILIO_FROM: "+61491570006",
  S3_ENDPOINT: base,
  S3_BUCKET: "files",
  S3_ACCESS_KEY_ID: "key-id",
  S3_SECRET_ACCESS_KEY: "secret-key",
  RELAYS: JSON.stringify([{
    name: "docs",
    host: "docs.relay.example",
    slug: "docs-0123456789abcdef01234567",
    clientId: "id.access",
    clientSecret: "client-secret",
    origin: base,
  }]),
});

const PROBES = [
  "bank:foundation",
  "bank:commercial",
  "mail",
  "codes",
  "documents",
  "origin:docs",
] as const;
type Name = typeof PROBES[number];

/** Runs the probes against one server, and returns the problem that each one found. */
async function problems(base: string, signal = new AbortController().signal) {
  const probes = probesOf(allAt(base));
  const found = await Promise.all(PROBES.map(async (name) => {
    const { problem } = await probes[name](signal).catch(() => ({ problem: "thrown" }));
    return [name, problem] as const;
  }));
  return Object.fromEntries(found) as Record<Name, string | undefined>;
}

/** Serves on a free port, and collects the requests. */
function serve(respond: (req: Request) => Response) {
  const requests: [method: string, path: string, credentials: string | null][] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (req) => {
    const authorization = req.headers.get("authorization")?.replace(/^(AWS4\S+) .*/, "$1");
    const credentials = authorization ?? req.headers.get("edge-access-client-id");
    requests.push([req.method, new URL(req.url).pathname, credentials]);
    return respond(req);
  });
  return {
    base: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Listens on a free port, and passes each connection to a function. */
function listen(onConnection: (connection: Deno.TcpConn) => void) {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const open: Deno.TcpConn[] = [];
  const accepted = (async () => {
    for await (const connection of listener) {
      open.push(connection);
      onConnection(connection);
    }
  })();
  return {
    port: listener.addr.port,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepted;
      for (const connection of open) {
        try {
          connection.close();
        } catch { /* it is closed already */ }
      }
    },
  };
}

const respondWith = (status: number, headers: HeadersInit = {}) => (req: Request) =>
  new Response(req.method === "HEAD" || status === 302 ? null : `{"status":"active"}`, {
    status,
    headers,
  });

Deno.test("services that respond have no problem, and only the account's credentials are sent", async () => {
  await using server = serve(respondWith(200));
  for (const problem of Object.values(await problems(server.base))) {
    assertEquals(problem, undefined);
  }
  const sorted = server.requests.toSorted((a, b) =>
    String(a.slice(1)) < String(b.slice(1)) ? -1 : 1
  );
  assertEquals(sorted, [
    ["HEAD", "/", "id.access"],
    ["GET", `/2010-04-01/Accounts/${SID}.json`, `Basic ${btoa(`${SID}:twilio-token`)}`],
    ["GET", "/api/v1/organization", "Bearer token-of-the-company"],
    ["GET", "/api/v1/organization", "Bearer token-of-the-foundation"],
    ["HEAD", "/files", "AWS4-HMAC-SHA256"],
    ["HEAD", "/mail", null],
  ]);
});

Deno.test("a service that refuses its credentials or fails has the problem of its status", async () => {
  const bank = (problem: string) => ({ "bank:foundation": problem, "bank:commercial": problem });
  const cases: [number, HeadersInit, Record<Name, string | undefined>][] = [
    [401, {}, {
      ...bank("The bank refused the token."),
      mail: undefined, // the key was not sent
      codes: "The provider refused the account or its token.",
      documents: "The bucket's server returned an error.",
      "origin:docs": "The origin refused the service token.",
    }],
    [403, {}, {
      ...bank("The bank refused the token."),
      mail: undefined,
      codes: "The provider refused the account or its token.",
      documents: "The bucket refused the credentials.",
      "origin:docs": "The origin refused the service token.",
    }],
    [404, {}, {
      ...bank("The bank returned an error."),
      mail: undefined,
      codes: "The provider refused the account or its token.",
      documents: "The bucket does not exist.",
      "origin:docs": undefined,
    }],
    [429, {}, {
      ...bank("The bank is limiting requests."),
      mail: undefined,
      codes: "The server returned an error.",
      documents: "The bucket's server returned an error.",
      "origin:docs": undefined,
    }],
    [503, {}, {
      ...bank("The bank returned an error."),
      mail: "The server returned an error.",
      codes: "The server returned an error.",
      documents: "The bucket's server returned an error.",
      "origin:docs": "The server returned an error.",
    }],
    [302, { location: "https://signin.example/" }, {
      ...bank("The bank returned an error."),
      mail: undefined,
      codes: "The server returned an error.",
      documents: "The bucket is in another region.",
      "origin:docs":
        "The origin redirects to another site, as it does without a valid service token.",
    }],
  ];
  for (const [status, headers, expected] of cases) {
    await using server = serve(respondWith(status, headers));
    assertEquals(await problems(server.base), expected, String(status));
    assertEquals(server.requests.length, PROBES.length, "no redirect is followed");
  }
});

Deno.test("an account at Twilio that is suspended is a problem", async () => {
  await using server = serve(() => Response.json({ status: "suspended" }));
  assertEquals((await problems(server.base)).codes, "The account is not active.");
});

const NO_CONNECTION = {
  "bank:foundation": "The connection to 127.0.0.1 failed.",
  "bank:commercial": "The connection to 127.0.0.1 failed.",
  mail: "The connection to 127.0.0.1 failed.",
  codes: "The connection to 127.0.0.1 failed.",
  documents: "The connection to 127.0.0.1 failed.",
  "origin:docs": "The connection failed.", // origins are reached through their relay only
};

Deno.test("a refused connection, one that is reset, and one without a response are problems", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  listener.close();
  assertEquals(await problems(`http://127.0.0.1:${listener.addr.port}`), NO_CONNECTION);

  await using resetting = listen((connection) => connection.close());
  assertEquals(await problems(`http://127.0.0.1:${resetting.port}`), NO_CONNECTION);

  const { promise: connected, resolve } = Promise.withResolvers<void>();
  let connections = 0;
  await using hanging = listen(() => ++connections === PROBES.length && resolve());
  const limit = new AbortController();
  const found = problems(`http://127.0.0.1:${hanging.port}`, limit.signal);
  await connected;
  limit.abort();
  assertEquals(await found, NO_CONNECTION);
});

Deno.test("a bank that responds after more than a second is slow", async () => {
  const time = { now: NOW };
  await using bank = serve((req) => {
    if (req.headers.get("authorization") === "Bearer slow") time.now += SLOW_MS + 1;
    return new Response();
  });
  const stateWith = async (token: string) => {
    const { bank: probe } = probesOf({ BANK_API_BASE: bank.base, BANK_API_TOKEN: token });
    const monitor = createMonitor({ probes: { probe }, clock: () => NOW, elapsed: () => time.now });
    const { state, latencyMs } = (await monitor.read()).get("probe")!;
    await monitor.close();
    return [state, latencyMs];
  };
  assertEquals(await stateWith("slow"), ["slow", SLOW_MS + 1]);
  assertEquals(await stateWith("fast"), ["up", 0]);
});

const smtp = (url: string) => probesOf({ MAIL_TRANSPORT: "smtp", SMTP_URL: url }).mail;

Deno.test("the probe of an SMTP server signs in and sends no mail", async () => {
  await using server = await startSmtpServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
  });
  const at = (user: string) => `smtp://${user}127.0.0.1:${server.port}`;
  const { signal } = new AbortController();
  assertEquals(await smtp(at(""))(signal), {});
  assertEquals(await smtp(at("site:s%40cret%3A@"))(signal), {});
  assertEquals(await smtp(at("site:wrong@"))(signal), {
    problem: "The server refused the user or the password.",
  });
  assertEquals(server.received, []);
});

Deno.test("an SMTP server with an untrusted certificate is a problem", async () => {
  await using server = await startSmtpServer({ secure: true });
  const probe = smtp(`smtps://127.0.0.1:${server.port}`);
  assertEquals(await probe(new AbortController().signal), {
    problem: "The server's certificate was not accepted.",
  });
});

Deno.test("an SMTP server that refuses the connection, resets it or sends no greeting is a problem", async () => {
  const problem = "The connection to 127.0.0.1 failed.";
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  listener.close();
  const { signal } = new AbortController();
  assertEquals(await smtp(`smtp://127.0.0.1:${listener.addr.port}`)(signal), { problem });

  await using resetting = listen((connection) => connection.close());
  assertEquals(await smtp(`smtp://127.0.0.1:${resetting.port}`)(signal), { problem });

  const { promise: connected, resolve } = Promise.withResolvers<void>();
  await using hanging = listen(() => resolve());
  const limit = new AbortController();
  const found = smtp(`smtp://127.0.0.1:${hanging.port}`)(limit.signal);
  await connected;
  limit.abort();
  assertEquals(await found, { problem });

  await using busy = listen((connection) =>
    void connection.write(new TextEncoder().encode("421 busy\r\n")).catch(() => {})
  );
  assertEquals(await smtp(`smtp://127.0.0.1:${busy.port}`)(signal), {
    problem: "The server is not ready to accept email.",
  });
});

Deno.test("the probes of the store and the sessions change nothing, and report a closed store", async () => {
  const kv = await openKv(":memory:");
  const { store, sessions } = probesOf({}, { kv });
  const { signal } = new AbortController();
  assertEquals([await store(signal), await sessions(signal)], [{}, {}]);
  assertEquals(await Array.fromAsync(kv.list({ prefix: [] })), []);
  kv.close();
  for (const probe of [store, sessions]) {
    const failed = await probe(signal).then(() => false, () => true);
    assert(failed);
  }
});

Deno.test("the probe of the signing key reports its age", async () => {
  const at = new Date(NOW - 3 * DAY_MS).toISOString();
  const probes = probesOf({}, { chains: { keyFirstUsed: () => Promise.resolve(at) } });
  assertEquals(await probes["signing-key"](new AbortController().signal), {
    detail: "In use since 26 Feb 2026 (3 days ago).",
  });
});

Deno.test("services that are not configured are not probed, and a shared token is probed once", () => {
  const names = (env: Record<string, string>) => Object.keys(probesOf(env));
  assertEquals(names({ RELAYS: "[]" }), ["store", "sessions", "mail", "signing-key"]);
  assertEquals(names({ BANK_API_BASE: "https://bank.example", BANK_API_TOKEN: "both" }), [
    "store",
    "sessions",
    "mail",
    "signing-key",
    "bank",
  ]);
});
