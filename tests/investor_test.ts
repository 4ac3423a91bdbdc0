import {
  assertEquals,
  assertFalse,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { DOCUMENTS } from "../lib/features/marketing/mod.ts";
import { createSite } from "./site.ts";

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

Deno.test("the investor page states the company's facts from the configuration, and no counters", async () => {
  const read = async (env: Record<string, string>) => {
    await using site = await createSite(env);
    return await (await site.request("investor", "/")).text();
  };
  const html = await read({});
  assertMatch(html, /<dd><a href="[^"]*commercial[^"]*">Attest Systems<\/a><\/dd>/);
  const plain = textOf(html);
  for (const text of ["Attest Systems", "Certification infrastructure for the open standard"]) {
    assertStringIncludes(plain, text);
  }
  assertFalse(/Registration|records registered|No records yet/.test(plain));
  const registered = textOf(await read({ COMMERCIAL_REGISTRATION: "ABN 12 345 678 901" }));
  assertStringIncludes(registered, "Registration ABN 12 345 678 901");
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

Deno.test("the configuration says who answers and when; by default, the page promises neither", async () => {
  const answers = async (env: Record<string, string>) => {
    await using site = await createSite(env);
    return textOf(await (await site.request("investor", "/")).text());
  };
  const plain = await answers({});
  assertStringIncludes(plain, "Only administrators can open your enquiry");
  assertFalse(/response time|Our reply: within/.test(plain));
  const configured = await answers({
    INVESTOR_CONTACT_ROLE: "the head of investor relations",
    INVESTOR_REPLY_TIME: "two working days",
  });
  assertStringIncludes(configured, "answer you by email");
  assertStringIncludes(configured, "Then: the head of investor relations");
  assertStringIncludes(configured, "Our reply: within two working days");
});
