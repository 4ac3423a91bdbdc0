import { assertEquals, assertStringIncludes } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { keyFixture } from "./key_site.ts";
import { freePort } from "./site.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const PATH = "/api/documents/webhooks";

/** A receiver of the documentation, to which a site delivers events over TLS. */
async function receiverOf(command: string, args: string[]) {
  const port = freePort();
  const url = `http://127.0.0.1:${port}/`;
  const received: { headers: Record<string, string>; body: string }[] = [];
  const post = async (headers: Record<string, string>, body: string): Promise<Response> =>
    await fetch(url, { method: "POST", headers, body });
  const proxy = openHttpsServer(async (req) => {
    const names = ["content-type", "webhook-id", "webhook-timestamp", "webhook-signature"];
    const headers = Object.fromEntries(names.map((name) => [name, req.headers.get(name)!]));
    const body = await req.text();
    received.push({ headers, body });
    return await post(headers, body);
  });
  const fixture = await keyFixture({}, { network: proxy.network, clock: Date.now });
  const key = await fixture.key("test");
  const call = async (path: string, body?: unknown) => {
    const headers = { "content-type": "application/json" };
    const response = await fixture.call(key, {
      path: PATH + path,
      method: "POST",
      ...body !== undefined && { body: JSON.stringify(body), headers },
    });
    await fixture.site.services.webhooks.flush();
    return await response.json();
  };
  const { id, secret } = await call("", { url: "https://localhost/events" });
  const process = new Deno.Command(command, {
    args,
    cwd: ROOT,
    env: { PORT: String(port), GATEHOUSE_WEBHOOK_SECRET: secret, PYTHONDONTWRITEBYTECODE: "1" },
    stdout: "piped",
  }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    secret,
    received,
    /** Sends a request with headers and a body, and returns the status. */
    async send(headers: Record<string, string>, body: string): Promise<number> {
      const response = await post(headers, body);
      await response.body?.cancel();
      return response.status;
    },
    /** Returns the next line that the receiver prints. */
    async line(): Promise<string> {
      while (!text.includes("\n")) {
        const { value, done } = await output.read();
        if (done) throw new Error(`The receiver ended: ${text}`);
        text += value;
      }
      const [line, ...rest] = text.split("\n");
      text = rest.join("\n");
      return line;
    },
    /** Sends an event through the site, and returns its delivery. */
    async deliver(path = "/test"): Promise<{ id: string; response_status: number }> {
      const { delivery } = await call(`/${id}${path}`);
      const { data } = await (await fixture.call(key, { path: `${PATH}/${id}/deliveries` })).json();
      return data.find((each: { id: string }) => each.id === delivery);
    },
    async [Symbol.asyncDispose]() {
      process.kill();
      await process.status;
      await output.cancel();
      await fixture[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

const python = await new Deno.Command("python3", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);

const flags = ["run", "--allow-env", "--allow-net", "--frozen", "--lock=dev.lock"];
const RECEIVERS: [language: string, command: string, args: string[]][] = [
  ["TypeScript", Deno.execPath(), [...flags, "docs/issuing/receiver.ts"]],
  ["Python", "python3", ["docs/issuing/receiver.py"]],
];

for (const [language, command, args] of RECEIVERS) {
  Deno.test({
    name: `the receiver in ${language} accepts signed events once, and refuses others`,
    ignore: language === "Python" && !python,
    async fn() {
      await using receiver = await receiverOf(command, args);
      assertStringIncludes(await receiver.line(), "Listening");
      const first = await receiver.deliver();
      assertEquals(first.response_status, 204);
      assertStringIncludes(await receiver.line(), "webhook.test");
      const again = await receiver.deliver(`/deliveries/${first.id}/replay`);
      assertEquals([again.id, again.response_status], [first.id, 204]);

      const [{ headers, body }] = receiver.received;
      const sign = (id: string, at: Date, secret = receiver.secret) => ({
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign(id, at, body),
      });
      const now = new Date();
      const other = `whsec_${new Uint8Array(32).fill(7).toBase64()}`;
      const old = new Date(now.getTime() - 6 * 60_000);
      const { "webhook-signature": _, ...unsigned } = headers;
      assertEquals({
        changed: await receiver.send(headers, body.replace("true", "false")),
        otherId: await receiver.send({ ...headers, "webhook-id": "msg_2" }, body),
        otherSecret: await receiver.send(sign("msg_3", now, other), body),
        old: await receiver.send(sign("msg_4", old), body),
        unsigned: await receiver.send(unsigned, body),
      }, { changed: 401, otherId: 401, otherSecret: 401, old: 401, unsigned: 401 });

      // While a secret is being replaced, there are two signatures.
      const both = sign("msg_5", now);
      const { "webhook-signature": own } = both;
      const { "webhook-signature": others } = sign("msg_5", now, other);
      const status = await receiver.send(
        { ...both, "webhook-signature": `${others} ${own}` },
        body,
      );
      assertEquals(status, 204);
      // The repeated and the refused ones printed nothing.
      assertStringIncludes(await receiver.line(), "webhook.test");
    },
  });
}
