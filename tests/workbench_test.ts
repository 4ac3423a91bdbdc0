import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { readTour } from "../lib/features/workbench/mod.ts";
import { recordFixture } from "./record_site.ts";
import { ADA, ADMIN, createSignInSite } from "./sign_in_site.ts";
import { createSite, type Site } from "./site.ts";

const doneOf = async ({ services }: Site) =>
  (await readTour(services)).filter(({ done }) => done).map(({ id }) => id);

Deno.test("the tour's steps are done in the order in which the store shows them", async () => {
  await using fixture = await recordFixture();
  const { site } = fixture;
  const { chains } = site.services;
  assertEquals(await doneOf(site), []);
  const hash = await fixture.register();
  assertEquals(await doneOf(site), ["register"]);
  await chains.append(hash, "email_confirmed");
  assertEquals(await doneOf(site), ["register", "confirm"]);
  await chains.append(hash, "document_viewed");
  await chains.append(hash, "k2_delivered");
  await chains.append(hash, "record_verified");
  assertEquals(await doneOf(site), ["register", "confirm", "key", "verify"]);
  const html = await (await site.request("workbench", "/")).text();
  assertStringIncludes(html, "4 of 5 steps done.");
  assertEquals(html.match(/button small primary" href="([^"]+)/)?.[1], linkOf(site));
});

const linkOf = ({ services }: Site) =>
  services.surfaces.url("commercial-console", "/console/records")!;

Deno.test("the tour's last step is done when an administrator has signed in to a console", async () => {
  await using setup = await createSignInSite();
  await setup.signIn(ADA);
  assertEquals(await doneOf(setup.site), []);
  await setup.signIn(ADMIN, "foundation-console");
  assertEquals(await doneOf(setup.site), ["console"]);
});

Deno.test("the start page links to every surface and to each inbox that is running", async () => {
  await using site = await createSite();
  const html = await (await site.request("workbench", "/")).text();
  for (const { baseUrl, examples, servesAll, name } of site.services.surfaces.all) {
    if (servesAll) continue;
    assert(html.includes(`href="${baseUrl}/"`), name);
    for (const { path } of examples) {
      assert(html.includes(`href="${baseUrl}${path.replaceAll("&", "&amp;")}"`), name + path);
    }
  }
  assertStringIncludes(html, `href="/dev/outbox"`);
  assertFalse(html.includes("/dev/phone"));
});

Deno.test("the outbox shows the newest mail open, and a search shows what matches", async () => {
  await using setup = await createSignInSite();
  await setup.linkFor("first@example.org");
  await setup.linkFor("second@example.org");
  const read = async (path: string) => await (await setup.open(path, "workbench")).text();
  const shown = (html: string) => [...html.matchAll(/To (\w+)@/g)].map(([, name]) => name);
  const html = await read("/dev/outbox");
  assertEquals(shown(html), ["second", "first"]);
  assertEquals(html.match(/<details [^>]*open/g)?.length, 1);
  assertEquals(html.match(/>Newest</g)?.length, 1);
  assert(html.indexOf(">Newest<") < html.indexOf("To first@"));
  const found = await read("/dev/outbox?q=FIRST%40");
  assertEquals(shown(found), ["first"]);
  assertStringIncludes(found, "1 of 2 emails");
  assertFalse(found.includes(">Newest<"), "the newest email of all is not shown");
  assertStringIncludes(await read("/dev/outbox?q=%3Cb%3E"), "No email contains “&lt;b>”");
  const headers = { accept: "application/json" };
  const json = await setup.open("/dev/outbox?q=first", "workbench", { headers });
  assertEquals((await json.json()).map(({ to }: { to: string }) => to), ["first@example.org"]);
});

Deno.test("a page's version changes when a message arrives, and only then", async () => {
  await using setup = await createSignInSite();
  const version = async (of: string) => {
    const response = await setup.open(`/dev/version?of=${of}`, "workbench");
    return response.ok ? (await response.json()).version : response.body?.cancel();
  };
  const [mail, tour] = [await version("mail"), await version("tour")];
  assertEquals(await version("mail"), mail);
  await setup.linkFor(ADA);
  assert(await version("mail") !== mail);
  assert(await version("tour") !== tour, "the start page shows the number of emails");
  for (const name of ["phone", "push", "nonsense"]) {
    assertEquals(await version(name), undefined, name);
  }
  const elsewhere = await setup.open("/dev/version?of=mail", "commercial");
  await elsewhere.body?.cancel();
  assertEquals(elsewhere.status, 404);
});
