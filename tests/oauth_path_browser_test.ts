import { assertEquals, assertRejects } from "@std/assert";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { readRecord, recordRows } from "../lib/features/records/mod.ts";
import { testBrowser } from "./browser.ts";
import { SdkApp, SDKS } from "./oauth_app.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

let fixture: RecordFixture;
/** Where the app waits for the redirect. */
let listener: Deno.HttpServer<Deno.NetAddr>;
const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
const browser = testBrowser();
const test = withoutMotion(browser);
Deno.test.beforeAll(async () => {
  fixture = await serveOnFreePort((env) => recordFixture(env));
  listener = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (req) => {
    const { pathname, searchParams } = new URL(req.url);
    if (pathname === "/callback") resolve(searchParams);
    return new Response("Connected.");
  });
});
Deno.test.afterAll(async () => {
  await browser.close();
  await listener.shutdown();
  await fixture[Symbol.asyncDispose]();
});

test(
  "a holder at level 3 signs in, approves the official client's request, and disconnects it",
  {},
  async (page, context) => {
    const { services } = fixture.site;
    const { hash } = await fixture.holder();
    const { row } = (await readRecord(services.kv, hash))!;
    await services.kv.set(recordRows.key(hash), { ...row, level: 3 });
    const statuses: number[] = [];
    const local = createLocalFetch();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await local(input, init);
      if (new URL(String(input)).pathname === "/mcp") statuses.push(response.status);
      return response;
    };

    const app = new SdkApp(`http://127.0.0.1:${listener.addr.port}/callback`);
    const url = new URL(services.surfaces.url("foundation-mcp", "/mcp")!);
    const agent = await SDKS["SDK v1"](url, app, fetch);
    await assertRejects(() => agent.verifyMine());

    await page.goto(app.opened!.href);
    await page.getByLabel("Email address").fill("ada.q@mail.example.org");
    await page.getByRole("button", { name: "Send me a link" }).click();
    await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
    const [{ link }] = await fixture.mails();
    const tab = await context.newPage();
    await tab.goto(link!);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByRole("button", { name: "Approve" }).click();
    await tab.getByText("Connected.").waitFor();
    await agent.finish(await answer);
    const { record_hash, level } = await agent.verifyMine();
    assertEquals([record_hash, level], [hash, 3]);

    await page.goto(services.surfaces.url("trust", "/my-record#agents")!);
    const disconnect = page.getByRole("button", { name: "Disconnect SDK app" });
    await disconnect.click();
    await disconnect.waitFor({ state: "detached" });
    statuses.length = 0;
    await assertRejects(() => agent.verifyMine());
    assertEquals(statuses, [401]);
    await agent.close();
  },
);
