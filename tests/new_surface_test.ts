import { assertEquals, assertStringIncludes } from "@std/assert";
import { type SurfaceName, type SurfaceRow, SURFACES } from "../lib/platform/surfaces/mod.ts";
import type { App } from "fresh";
import { h } from "preact";
import type { State } from "../lib/app/state.ts";
import { signInPath } from "../lib/features/auth/mod.ts";
import { createSite } from "./site.ts";

const PARTNERS: SurfaceRow = {
  kind: "partners",
  hosts: ["partners.localhost"],
  organisation: "foundation",
  title: () => "Partners",
  purpose: ({ foundation }) => `For partners of ${foundation}.`,
  wordmark: "title",
  routes: [{ path: "/partners" }],
  home: "/partners",
  navigation: [{ href: "/partners", text: "Our page" }],
  examples: [{ path: "/partners", text: "page" }],
  signIn: {
    product: () => "Partner pages",
    sender: "commercial",
    headline: "Sign in as a partner",
    lead: ({ foundation }) => `For partners of ${foundation}.`,
    landing: "/partners",
    returns: true,
    operatorsOnly: false,
  },
};

/** The page, which on a real surface is a file in `routes/`. */
const addPage = (app: App<State>) =>
  app.get("/partners", (ctx) => {
    const { session } = ctx.state;
    if (session === null) return ctx.redirect(signInPath(ctx.url));
    return ctx.render(h("h1", null, `Partner ${session.email}`));
  });

Deno.test("a new row in the table becomes a surface with navigation, sign-in and a workbench entry", async () => {
  await using site = await createSite({}, {
    table: { ...SURFACES, partners: PARTNERS },
    addRoutes: addPage,
  });
  const partners = "partners" as SurfaceName;
  const anonymous = await site.request(partners, "/partners?of=2026");
  await anonymous.body?.cancel();
  const signIn = anonymous.headers.get("location")!;
  assertEquals([anonymous.status, signIn], [302, "/auth?next=/partners%3Fof%3D2026"]);
  const auth = await site.request(partners, signIn);
  const html = await auth.text();
  assertEquals(auth.status, 200);
  assertStringIncludes(html, "Partner pages");
  assertStringIncludes(html, "Sign in as a partner");

  const sent = await site.request(partners, "/api/auth/request", {
    method: "POST",
    body: new URLSearchParams({ email: "ada@example.org", next: "/partners?of=2026" }),
  });
  assertEquals(sent.status, 200);
  await sent.body?.cancel();
  await site.services.mailer.flush();
  const [mail] = site.services.devOutbox!.list();
  assertEquals(mail.subject, "Sign in to Partner pages");
  const link = new URL(mail.link!);
  assertEquals(link.host, "partners.localhost:8000");

  const verified = await site.request(partners, link.pathname + link.search);
  assertEquals([verified.status, verified.headers.get("location")], [302, "/partners?of=2026"]);
  const cookie = verified.headers.get("set-cookie")!.split(";")[0];
  const own = await site.request(partners, "/partners", { headers: { cookie } });
  assertEquals(own.status, 200);
  assertStringIncludes(await own.text(), "Partner ada@example.org");

  const closed = await site.request(partners, "/standard");
  await closed.body?.cancel();
  assertEquals(closed.status, 404);
  const workbench = await site.request("workbench", "/");
  assertStringIncludes(await workbench.text(), "http://partners.localhost:8000/partners");
});
