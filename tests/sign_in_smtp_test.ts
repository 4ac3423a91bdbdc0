import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { startSmtpServer, type TestSmtpServer } from "../lib/platform/mail/testing/smtp_server.ts";
import { until } from "../lib/testing/until.ts";
import { serveOnFreePort } from "./served_site.ts";
import { createSite, freePort } from "./site.ts";

const fetch = createLocalFetch();

/** Connects until it succeeds, because the process takes time to start. Requests that fail would take ten times as long. */
async function listening(port: number): Promise<void> {
  const connect = () => Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
  (await until(connect, `port ${port} accepted a connection`)).close();
}

/** Signs in and out over a socket, with the link in the mail that arrived. */
async function signInAndOut(base: string, smtp: TestSmtpServer, arrived: () => Promise<unknown>) {
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(base + path, init);
    await response.body?.cancel();
    return response;
  };
  const response = await send("/api/auth/request", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "Ada@Example.org" }),
  });
  assertEquals(response.status, 200);
  await arrived();
  const [mail] = smtp.received;
  assertEquals(mail.recipients, ["ada@example.org"]);
  assertEquals(mail.headers.subject, "Sign in to Qualpack");
  const link = new URL(/http:\S+/.exec(mail.text)![0]);
  assert(mail.html.includes(link.href));
  assertEquals(link.origin, base);

  const signIn = await send(link.pathname + link.search);
  assertEquals([signIn.status, signIn.headers.get("location")], [302, "/account"]);
  const cookie = signIn.headers.get("set-cookie")!.split(";")[0];
  assertEquals((await send("/account", { headers: { cookie } })).status, 200);
  const out = await send("/api/auth/logout", { method: "POST", headers: { cookie } });
  assertEquals([out.status, out.headers.get("location")], [302, "/"]);
  const again = await send(link.pathname + link.search);
  assertEquals(again.headers.get("location"), "/auth?error=expired");
}

Deno.test("signing in and out works with a mail over plain SMTP", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  await using served = await serveOnFreePort(async ({ PORT }) => {
    const env = { MAIL_TRANSPORT: "smtp", SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
    const site = await createSite({ PORT, ...env });
    return { site, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
  });
  const { site } = served;
  await signInAndOut(site.services.surfaces.url("site")!, smtp, () => site.services.mailer.flush());
  assertEquals(smtp.received[0].secure, false);
});

Deno.test({
  name: "signing in and out works in a separate process, over STARTTLS with a private CA",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const received = Promise.withResolvers<void>();
    await using smtp = await startSmtpServer();
    const folder = await Deno.makeTempDir();
    const port = freePort();
    const process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--frozen", "--lock=deno.lock", "--quiet", "dev.ts"],
      cwd: new URL("..", import.meta.url),
      env: {
        APP_ENV: "development",
        HOST: "127.0.0.1",
        PORT: String(port),
        KV_PATH: join(folder, "site.kv"),
        MAIL_TRANSPORT: "smtp",
        SMTP_URL: `smtp://site:s%40cret%3A@127.0.0.1:${smtp.port}`,
        DENO_CERT: new URL("../lib/platform/mail/testing/ca.pem", import.meta.url).pathname,
      },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const output = process.output();
    const base = `http://site.localhost:${port}`;
    const watching = setInterval(() => smtp.received.length > 0 && received.resolve(), 20);
    try {
      const stopped = output.then(({ stderr }) => {
        throw new Error(new TextDecoder().decode(stderr));
      });
      await Promise.race([listening(port), stopped]);
      await signInAndOut(base, smtp, () => received.promise);
    } finally {
      clearInterval(watching);
      process.kill("SIGTERM");
    }
    const { code, stdout, stderr } = await output;
    const printed = new TextDecoder().decode(stdout);
    assertEquals(new TextDecoder().decode(stderr), "");
    assertEquals(code, 0);
    assertMatch(printed, /site +http:\/\/site\.localhost/);
    assert(!printed.includes("token="), "only the outbox prints links");
    const [{ secure, user }] = smtp.received;
    assertEquals([secure, user], [true, "site"]);
    assert((await Deno.stat(join(folder, "site.kv"))).isFile);
    await Deno.remove(folder, { recursive: true });
  },
});
