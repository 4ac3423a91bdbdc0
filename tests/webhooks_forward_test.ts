import { assert, assertEquals, assertRejects } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { forward } from "../lib/app/commands/webhooks_forward.ts";
import { until } from "../lib/testing/until.ts";
import { addIssuer } from "./key_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { createSite } from "./site.ts";

const PATH = "/api/documents/webhooks";
const ROOT = new URL("..", import.meta.url).pathname;

/** A program on the developer's own machine, which accepts what is signed with its secret. */
function receiver() {
  const received: string[] = [];
  const state = { secret: "", received };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const body = await request.text();
    const { type } = new Webhook(state.secret)
      .verify(body, Object.fromEntries(request.headers)) as { type: string };
    received.push(type);
    return new Response(null, { status: 204 });
  });
  const url = `http://localhost:${server.addr.port}/events`;
  return { ...state, state, url, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function forwardFixture() {
  const { site, ...served } = await serveOnFreePort(async (env) => {
    const site = await createSite(env);
    return { site, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
  });
  const issuer = await addIssuer(site, "Harbour College");
  const key = await issuer.key("test");
  const program = receiver();
  const call = async (path: string, body: unknown = {}) => {
    const response = await issuer.call(key, {
      path: PATH + path,
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    await site.services.webhooks.flush();
    return await response.json();
  };
  return {
    site,
    issuer,
    key,
    program,
    call,
    env: {
      GATEHOUSE_API: site.services.surfaces.url("workbench")!,
      GATEHOUSE_API_KEY: key,
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}

Deno.test("in development, events arrive at http://localhost:<port>, and /dev/webhooks shows them", async () => {
  await using fixture = await forwardFixture();
  const { program, site } = fixture;
  const webhook = await fixture.call("", { url: program.url });
  assertEquals([webhook.url, webhook.state], [program.url, "active"]);
  program.state.secret = webhook.secret;
  await fixture.call(`/${webhook.id}/test`);
  await until(() => program.received.length === 1, "the event arrives");
  await site.services.webhooks.flush();
  const headers = { accept: "application/json" };
  const shown = await (await site.request("workbench", "/dev/webhooks", { headers })).json();
  assertEquals(shown.map(({ url, state }: Record<string, string>) => [url, state]), [
    [program.url, "delivered"],
  ]);
  const page = await (await site.request("workbench", "/dev/webhooks")).text();
  assert(page.includes("webhook.test") && page.includes("delivered, status 204, attempt 1"));
});

for (const language of ["Deno", "Python"]) {
  const command = (url: string) =>
    language === "Deno"
      ? ["run", "-A", "--frozen", `--lock=${ROOT}dev.lock`, `--config=${ROOT}deno.json`].concat(
        `${ROOT}lib/app/commands/webhooks_forward.ts`,
        url,
      )
      : [`${ROOT}docs/issuing/forward.py`, url];
  const program = language === "Deno" ? Deno.execPath() : "python3";
  const ignore = language === "Python" &&
    !await new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" })
      .output().then(({ success }) => success, () => false);
  Deno.test({
    name: `with ${language}, held events of tests are posted with valid signatures, each once`,
    ignore,
    async fn() {
      await using fixture = await forwardFixture();
      const webhook = await fixture.call("", { url: fixture.program.url });
      fixture.program.state.secret = webhook.secret;
      await fixture.call(`/${webhook.id}/pause`);
      const process = new Deno.Command(program, {
        args: command(fixture.program.url),
        env: { ...fixture.env, PYTHONDONTWRITEBYTECODE: "1" },
        stdout: "piped",
      }).spawn();
      const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; !text.includes("Forwarding");) text += (await output.read()).value;
      await hold(fixture, 2);
      await until(() => fixture.program.received.length === 2, "both events arrive", 10_000);
      assertEquals(fixture.program.received, ["document.issued", "document.issued"]);
      process.kill();
      await output.cancel();
      await process.status;
    },
  });
}

/** Causes events, which are held for the paused webhook. */
async function hold(
  { site, issuer }: Awaited<ReturnType<typeof forwardFixture>>,
  count: number,
): Promise<void> {
  const { kv, webhooks, clock } = site.services;
  for (let i = 0; i < count; i++) {
    const data = { id: "k3v9-qxw2-m7rb-t4hd", external_id: `Zoë ${i}`, test: true };
    const commit = kv.atomic();
    const event = { issuer: issuer.issuer.id, test: true, type: "document.issued" } as const;
    const send = await webhooks.add(commit, { ...event, data, now: clock() });
    await commit.commit();
    send();
  }
  await webhooks.flush();
}

Deno.test("without an address or with a live key, the command ends with what to set", async () => {
  const io = { log() {}, env: { GATEHOUSE_API_KEY: "gh_live_x" } };
  await assertRejects(() => forward({ ...io, args: [] }), Error, "http://localhost:3000/events");
  const args = ["http://localhost:3000/"];
  await assertRejects(() => forward({ ...io, args }), Error, "GATEHOUSE_API_KEY");
});
