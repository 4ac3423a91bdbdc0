import {
  assertEquals,
  assertFalse,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { countLevel } from "../lib/features/contact/mod.ts";
import { DOCUMENTS } from "../lib/features/investor/mod.ts";
import { contactFixture, PERSON } from "./contact_site.ts";
import { createSite } from "./site.ts";

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

Deno.test("without records, the investor page says so instead of showing zeros", async () => {
  await using site = await createSite();
  const html = await (await site.request("investor", "/")).text();
  assertStringIncludes(textOf(html), "No records yet.");
  assertFalse(html.includes("<dd>0</dd>"));
});

const RISES = [
  [1, 2, [2, 1, 0, 0]],
  [2, 3, [2, 1, 1, 0]],
  [3, 4, [2, 1, 1, 1]],
] as const;

Deno.test("the investor page counts its own organisation's records by level, as the console does", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "0" });
  const { chains, kv, records, surfaces } = fixture.site.services;
  const figures = async () => {
    const html = await (await fixture.site.request("investor", "/")).text();
    return [...html.matchAll(/<dd>([\d,]+)<\/dd>/g)].map(([, number]) => Number(number));
  };
  const register = async (name: "investor" | "foundation") => {
    const origin = new URL(surfaces.url(name)!).origin;
    return (await (await fixture.send(PERSON, { headers: { origin } })).json()).hash as string;
  };
  const hash = await register("investor");
  await register("investor");
  await register("foundation");
  await chains.append(hash, "record_verified");
  assertEquals(await figures(), [2, 0, 0, 0]);
  for (const [before, after, expected] of RISES) {
    const commit = kv.atomic();
    countLevel(commit, "commercial", before, after);
    countLevel(commit, "foundation", before, after);
    await commit.commit();
    assertEquals(await figures(), expected);
  }
  await records.deletion.deleteRecord(hash);
  assertEquals((await figures())[0], 1);
});

Deno.test("each kind of document fills in a message, and no enquiry type is preselected", async () => {
  await using site = await createSite();
  const read = async (query: string) => await (await site.request("investor", `/${query}`)).text();
  const message = (html: string) => /<textarea[^>]*>([^<]*)</.exec(html)![1];
  const html = await read("");
  const chosen = /<option +value="(Investor|Enterprise Partner|Technical|Other)" selected/;
  assertMatch(html, /<select[^>]*name="enquiry_type"[^>]*><option value="">Not given</);
  assertNotMatch(html, chosen);
  assertEquals(message(html), "");
  for (const { id, title } of DOCUMENTS) {
    assertStringIncludes(html, `href="?request=${id}#contact"`);
    const asked = await read(`?request=${id}`);
    assertStringIncludes(message(asked), title);
    assertNotMatch(asked, chosen);
  }
  assertEquals(message(await read("?request=Send+money")), "", "links cannot write messages");
});

Deno.test("who answers and when comes from the configuration, without promises by default", async () => {
  const answers = async (env: Record<string, string>) => {
    await using site = await createSite(env);
    return textOf(await (await site.request("investor", "/")).text());
  };
  const plain = await answers({});
  assertStringIncludes(plain, "in the inbox of our console, which only administrators can open");
  assertStringIncludes(plain, "We publish no response time.");
  const configured = await answers({
    INVESTOR_CONTACT_ROLE: "the head of investor relations",
    INVESTOR_REPLY_TIME: "two working days",
  });
  assertStringIncludes(configured, "answer you by email");
  assertStringIncludes(configured, "Then: the head of investor relations");
  assertStringIncludes(configured, "Our reply: within two working days");
  assertFalse(configured.includes("We publish no response time."));
});
