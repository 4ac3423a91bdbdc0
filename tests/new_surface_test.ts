import { assertEquals, assertStringIncludes } from "@std/assert";
import { type SurfaceName, type SurfaceRow, SURFACES } from "../lib/platform/surfaces/mod.ts";
import { createSite } from "./site.ts";

const PARTNERS: SurfaceRow = {
  kind: "partners",
  hosts: ["partners.localhost"],
  organisation: "foundation",
  title: () => "Partners",
  purpose: ({ foundation }) => `For partners of ${foundation}.`,
  wordmark: "title",
  routes: [{ path: "/account" }],
  home: "/account",
  navigation: [{ href: "/account", text: "Our account" }],
  examples: [{ path: "/account", text: "account" }],
  signIn: {
    product: () => "Partner pages",
    sender: "commercial",
    headline: "Sign in as a partner",
    lead: ({ foundation }) => `For partners of ${foundation}.`,
    landing: "/account",
    returns: true,
    operatorsOnly: false,
  },
};

Deno.test("a new row in the table becomes a surface with navigation, sign-in and a workbench entry", async () => {
  await using site = await createSite({}, { table: { ...SURFACES, partners: PARTNERS } });
  const partners = "partners" as SurfaceName;
  const auth = await site.request(partners, "/auth");
  const html = await auth.text();
  assertEquals(auth.status, 200);
  assertStringIncludes(html, "Partner pages");
  assertStringIncludes(html, "Sign in as a partner");

  const sent = await site.request(partners, "/api/auth/request", {
    method: "POST",
    body: new URLSearchParams({ email: "ada@example.org" }),
  });
  assertEquals(sent.status, 200);
  await sent.body?.cancel();
  await site.services.mailer.flush();
  const [mail] = site.services.outbox!.list();
  assertEquals(mail.subject, "Sign in to Partner pages");
  const link = new URL(mail.link!);
  assertEquals(link.host, "partners.localhost:8000");

  const verified = await site.request(partners, link.pathname + link.search);
  assertEquals([verified.status, verified.headers.get("location")], [302, "/account"]);
  const cookie = verified.headers.get("set-cookie")!.split(";")[0];
  const account = await site.request(partners, "/account", { headers: { cookie } });
  assertEquals(account.status, 200);
  assertStringIncludes(await account.text(), "ada@example.org");

  const closed = await site.request(partners, "/standard");
  await closed.body?.cancel();
  assertEquals(closed.status, 404);
  const workbench = await site.request("workbench", "/");
  assertStringIncludes(await workbench.text(), "http://partners.localhost:8000/account");
});
