import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/yaml";
import { newKey } from "../lib/features/issuers/mod.ts";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { until } from "../lib/testing/until.ts";
import { PERSON } from "./contact_site.ts";
import { NUMBER } from "./codes_site.ts";
import { ADMIN } from "./sign_in_site.ts";
import { freePort, serve } from "./site.ts";

const ROOT = new URL("..", import.meta.url);
const SLUG = `docs-${"5ec2e7".repeat(4)}`;
const METRICS_TOKEN = "metrics-token-a1b2c3";

/** The exports that the collector has received, as text by kind. */
type Exported = Record<"traces" | "metrics" | "logs", string[]>;

/** Stands in for the collector and for every provider, and remembers the secrets in what it gets. */
function standIns() {
  const exported: Exported = { traces: [], metrics: [], logs: [] };
  const secrets = new Set<string>();
  const links: string[] = [];
  const made = { key: "", secret: "", webhook: "" };
  const server = serve(async (req) => {
    const { pathname } = new URL(req.url);
    const text = await req.text();
    const kind = /^\/v1\/(traces|metrics|logs)$/.exec(pathname)?.[1] as keyof Exported | undefined;
    if (kind !== undefined) {
      exported[kind].push(text);
      return Response.json({});
    }
    if (pathname === "/mail") {
      const mail = JSON.parse(text);
      for (const [link, token] of mail.text.matchAll(/http\S+[?&]token=([\w-]+)/g)) {
        links.push(link);
        secrets.add(token);
      }
      // A server that repeats the address in its error.
      return mail.to.startsWith("refused")
        ? new Response(`550 unknown: ${mail.to}`, { status: 422 })
        : new Response();
    }
    if (pathname === "/made") {
      Object.assign(made, JSON.parse(text));
      for (const each of [made.key, made.secret, "webhook-url-5ecret"]) secrets.add(each);
      return new Response();
    }
    if (pathname === "/codes") {
      secrets.add(JSON.parse(text).text);
      return new Response(null, { status: 500 });
    }
    return new Response("<p>An origin's page", { headers: { "content-type": "text/html" } });
  });
  return { exported, secrets, links, made, server, url: `http://127.0.0.1:${server.port}` };
}

/** Starts the site with everything on, uses it, and returns all that left the process. */
async function run() {
  const { exported, secrets, links, made, server, url } = standIns();
  await using _ = server;
  const port = freePort();
  const given = {
    BANK_API_TOKEN: "secret-token:bank-4711",
    CODE_HTTP_KEY: "code-key-4712",
    MAIL_API_KEY: "mail-key-4713",
    METRICS_TOKEN,
    FOUNDATION_PAYMENT_WEBHOOK_SECRET: "whsec_0123456789abcdef",
    APP_SECRET: "Zm9yLXRoZS10ZWxlbWV0cnktdGVzdC1vbmx5LTEyMzQ",
  };
  const relay = {
    name: "docs",
    host: "docs.relay.localhost",
    slug: SLUG,
    clientId: "relay-client-4714",
    clientSecret: "relay-secret-4715",
    origin: url,
  };
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--frozen",
      "--lock=dev.lock",
      "--no-check",
      "--quiet",
      "tests/telemetry_child.ts",
    ],
    cwd: ROOT,
    env: {
      ...given,
      PORT: String(port),
      KV_PATH: ":memory:",
      BANK_API_BASE: `${url}/bank-path-4716`,
      CODE_PROVIDER: "http",
      CODE_HTTP_URL: `${url}/codes`,
      MADE_URL: `${url}/made`,
      MAIL_TRANSPORT: "http",
      MAIL_API_URL: `${url}/mail`,
      RELAYS: JSON.stringify([relay, {
        ...relay,
        name: "gone",
        host: "gone.relay.localhost",
        origin: "http://127.0.0.1:1",
      }]),
      LOG_LEVEL: "debug",
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_METRIC_EXPORT_INTERVAL: "300",
      // Spans are on, so that the rules of the collector can be applied to them.
      OTEL_TRACES_SAMPLER: "always_on",
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = { stdout: "", stderr: "" };
  const ready = Promise.withResolvers<void>();
  const reading = (["stdout", "stderr"] as const).map(async (name) => {
    for await (const text of child[name].pipeThrough(new TextDecoderStream())) {
      output[name] += text;
      if (output.stdout.includes("ready\n")) ready.resolve();
    }
    ready.resolve();
  });
  await ready.promise;
  try {
    await use(port, { secrets, links, made });
    await until(
      () => exported.metrics.at(-1)?.includes("gatehouse_relay_bytes"),
      "metrics arrived",
    );
  } catch (error) {
    child.kill();
    await Promise.all([child.status, ...reading]);
    throw new Error(output.stdout + output.stderr, { cause: error });
  }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })).text();
  await child.stdin.close();
  await Promise.all([child.status, ...reading]);
  for (const secret of [...Object.values(given), SLUG, relay.clientId, relay.clientSecret]) {
    secrets.add(secret);
  }
  return { exported, secrets, ...output, metrics };
}

/** Goes through the site like people and programs, and adds the secrets that they use. */
async function use(
  port: number,
  { secrets, links, made }: Pick<ReturnType<typeof standIns>, "secrets" | "links" | "made">,
) {
  const local = createLocalFetch();
  const cookies: string[] = [];
  async function send(
    host: string,
    path: string,
    { json, form, headers = {} }: {
      json?: unknown;
      form?: Record<string, string>;
      headers?: Record<string, string>;
    } = {},
  ) {
    const url = `http://${host}.localhost:${port}`;
    const body = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json);
    const response = await local(new URL(path, url), {
      method: body === undefined ? "GET" : "POST",
      body,
      headers: {
        origin: url,
        cookie: cookies.join("; "),
        "user-agent": secret("browser"),
        ...json === undefined ? {} : { "content-type": "application/json" },
        ...headers,
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair] = cookie.split(";");
      const value = pair.slice(pair.indexOf("=") + 1);
      cookies.push(pair);
      if (value !== "") secrets.add(value);
    }
    await response.body?.cancel();
    return response.status;
  }
  let count = 0;
  const secret = (name: string) => {
    const value = `${name}-5ecret-${++count}`;
    secrets.add(value);
    return value;
  };
  /** Waits until a mail with a link to a page has arrived, and returns its path and query. */
  async function linkTo(host: string, path: string): Promise<string> {
    const link = await until(
      () =>
        links.map((one) => new URL(one)).find((one) =>
          one.hostname === `${host}.localhost` && one.pathname === path
        ),
      `a link to ${path} arrived`,
    );
    return link.pathname + link.search;
  }
  const tokenOf = (link: string) => new URLSearchParams(link.split("?")[1]).get("token")!;

  // Sign-in of a user whose address is refused, and of an administrator who opens the bank.
  for (const [host, email] of [["site", "refused@example.org"], ["ops.foundation", ADMIN]]) {
    secrets.add(email);
    assertEquals(await send(host, "/api/auth/request", { json: { email } }), 200);
  }
  await send("ops.foundation", `/auth/verify?token=${secret("token")}`);
  const signIn = await linkTo("ops.foundation", "/auth/verify");
  assertEquals(await send("ops.foundation", signIn), 302);
  assertEquals(await send("ops.foundation", "/console/finance"), 200);
  const searched = secret("search");
  await send("ops.foundation", `/console/search?q=${searched}`);

  // Registration, and confirming the address.
  for (const each of [PERSON.name, PERSON.email.toLowerCase(), PERSON.organisation]) {
    secrets.add(each);
  }
  secrets.add("412345678");
  assertEquals(await send("api", "/api/ir/register", { json: PERSON }), 201);
  const confirm = await linkTo("trust", "/confirm");
  assertEquals(await send("trust", confirm), 200);
  const confirmed = await send("trust", "/confirm", { form: { token: tokenOf(confirm) } });
  assert(confirmed < 400, String(confirmed));

  // A code, push subscriptions, passkeys, payments.
  secrets.add(NUMBER);
  secrets.add(NUMBER.slice(3));
  const to = { method: "sms", purpose: "sign_in", to: NUMBER };
  await send("trust", "/api/auth/otp/send", { json: to });
  await send("trust", "/api/auth/otp/verify", { json: { ...to, code: "747723" } });
  const keys = { p256dh: secret("p256dh"), auth: secret("auth") };
  const endpoint = `https://fcm.googleapis.com/fcm/send/${secret("endpoint")}`;
  await send("trust", "/api/push/subscribe", { json: { subscription: { endpoint, keys } } });
  await send("trust", "/api/push/register", { json: { platform: "ios", token: secret("apns") } });
  await send("trust", "/api/auth/verify-passkey", { json: { id: secret("passkey") } });
  await send("ops.foundation", "/api/payments/webhook", {
    json: { type: secret("payment") },
    headers: { "stripe-signature": `t=1,v1=${secret("signature")}` },
  });

  // OAuth: clients, requests, codes and tokens.
  const query = new URLSearchParams({
    response_type: "code",
    client_id: secret("client"),
    redirect_uri: `https://app.example/${secret("redirect")}`,
    state: secret("state"),
    code_challenge: secret("challenge"),
    code_challenge_method: "S256",
  });
  await send("mcp.foundation", `/authorize?${query}`);
  const code = { code: secret("code"), code_verifier: secret("verifier"), client_id: "x" };
  await send("mcp.foundation", "/token", { form: { grant_type: "authorization_code", ...code } });
  await send("mcp.foundation", "/register", { json: { client_name: secret("name") } });
  await send("mcp.foundation", "/revoke", { form: { token: secret("revoked") } });
  await send("mcp.foundation", "/mcp", {
    json: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "verify_chain", arguments: { hash: secret("argument") } },
    },
    headers: {
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${secret("bearer")}`,
    },
  });

  // API keys: in the header, and in the URL, where they are refused.
  const apiKey = newKey("live");
  secrets.add(apiKey);
  const authorization = `Bearer ${apiKey}`;
  assertEquals(await send("api", "/api/documents/issuer", { headers: { authorization } }), 401);
  assertEquals(await send("api", `/api/documents/issuer?key=${apiKey}`), 401);

  // A key that works, and a webhook whose server fails.
  const issuer = { authorization: `Bearer ${made.key}` };
  assertEquals(await send("api", "/api/documents/issuer", { headers: issuer }), 200);
  assertEquals(
    await send("api", `/api/documents/issuer?key=${made.key}`, { headers: issuer }),
    401,
  );
  const webhook = `/api/documents/webhooks/${made.webhook}`;
  const headers = { ...issuer, "idempotency-key": "test-1" };
  assertEquals(await send("api", `${webhook}/test`, { json: {}, headers }), 202);
  assertEquals(await send("api", `${webhook}/deliveries`, { headers: issuer }), 200);

  // Documents and keys.
  await send("trust", `/d/${secret("document")}`);
  await send("trust", `/d/request?token=${secret("grant")}`);
  await send("trust", "/s", { form: { act: "open", code: secret("used") } });
  await send("trust", "/k", { json: { key: secret("key") } });
  await send("trust", `/${secret("unknown")}?access_token=${secret("access")}`);
  await send("nobody", `/${secret("host")}`);

  // Relays: a page, a wrong slug, and an origin that is gone.
  assertEquals(await send("docs.relay", `/${SLUG}/${secret("page")}?key=${secret("query")}`), 200);
  await send("docs.relay", `/docs-${"0".repeat(24)}/${secret("refused")}`);
  assertEquals(await send("gone.relay", `/${SLUG}/${secret("lost")}`), 502);
}

/** The part of the collector's configuration that the test applies. */
interface CollectorConfig {
  processors: {
    "attributes/addresses": { actions: { key: string; action: string }[] };
    "transform/messages": { trace_statements: { context: string; statements: string[] }[] };
  };
  service: { pipelines: { traces: { processors: string[] } } };
}

interface Span {
  attributes?: { key: string }[];
  events?: { attributes?: { key: string }[] }[];
  status?: { message?: string };
}

/** Changes spans as the collector does. */
function applyRules(text: string, { processors }: CollectorConfig): string {
  const { actions } = processors["attributes/addresses"];
  const deleted = new Set(actions.filter(({ action }) => action === "delete").map((a) => a.key));
  const statements = processors["transform/messages"].trace_statements;
  const of = (context: string) =>
    statements.filter((each) => each.context === context).flatMap((each) => each.statements);
  const ofEvents = of("spanevent").map((statement) =>
    /^delete_key\(spanevent\.attributes, "(.+)"\)$/.exec(statement)![1]
  );
  assertEquals(of("span"), ['set(span.status.message, "")']);
  const body = JSON.parse(text);
  const spans: Span[] = body.resourceSpans
    .flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) => scopeSpans)
    .flatMap(({ spans }: { spans: Span[] }) => spans);
  for (const span of spans) {
    span.attributes = span.attributes?.filter(({ key }) => !deleted.has(key));
    for (const event of span.events ?? []) {
      event.attributes = event.attributes?.filter(({ key }) => !ofEvents.includes(key));
    }
    if (span.status) span.status.message = "";
  }
  return JSON.stringify(body);
}

/** Returns the secrets that a text contains, as they are, encoded for URLs, or in lower case. */
function found(text: string, secrets: Iterable<string>): string[] {
  const searched = text.toLowerCase();
  return [...secrets].filter((secret) =>
    [secret, encodeURIComponent(secret)].some((form) => searched.includes(form.toLowerCase()))
  );
}

Deno.test("no secret of a whole run is exported, printed or logged, or left in spans by the collector", async () => {
  const { exported, secrets, stdout, stderr, metrics } = await run();
  assert(secrets.size > 45, String(secrets.size));

  const logs = exported.logs.join("\n");
  for (const [name, text] of Object.entries({ stdout, stderr, metrics, logs })) {
    assert(text.length > 500 || name === "stdout", `${name}: ${text}`);
    assertEquals(found(text, secrets), [], name);
  }
  assertEquals(found(exported.metrics.join("\n"), secrets), []);
  for (const event of ["request", "mail_failed", "relay_unreachable", "spans_contain_secrets"]) {
    assert(stderr.includes(`"event":"${event}"`) || stdout.includes(`"event":"${event}"`), event);
    assert(logs.includes(`\\"event\\":\\"${event}\\"`), event);
  }
  for (const name of ["gatehouse_sign_ins", "gatehouse_registrations", "gatehouse_relay_bytes"]) {
    assert(exported.metrics.some((text) => text.includes(name)), name);
    assert(metrics.includes(name), name);
  }

  // Without the rules, the spans do contain secrets, so the search finds them.
  const spans = exported.traces.join("\n");
  const raw = found(spans, secrets);
  assert(raw.length > 12 && raw.includes(SLUG), raw.join());
  const path = new URL("docs/ops/otel-collector.yaml", ROOT);
  const config = parse(await Deno.readTextFile(path)) as CollectorConfig;
  const { processors } = config.service.pipelines.traces;
  assertEquals(processors, ["attributes/addresses", "transform/messages", "batch"]);
  for (const text of exported.traces) {
    assertEquals(found(applyRules(text, config), secrets), []);
  }
});

Deno.test("telemetry.env switches spans off in the tasks that serve the site, unless they are chosen", async () => {
  const { exported, server, url } = standIns();
  await using _ = server;
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  for (const task of ["start", "serve", "serve:locked"]) {
    assert(tasks[task].includes(" --env-file=telemetry.env "), task);
  }
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--env-file=telemetry.env", `await (await fetch("${url}/x?token=s")).text()`],
    cwd: ROOT,
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
    },
  }).output();
  assert(success);
  assertEquals([exported.traces.length, exported.metrics.length > 0], [0, true]);
});
