import { App, csrf, type CsrfOptions } from "fresh";
import { assertEquals } from "@std/assert";
import { clientOf } from "./client.ts";

const OWN = "http://localhost";
const OTHER = "http://other.example";

/** Whether a request passes; `-` stands for an absent header. */
async function passes(
  options: CsrfOptions | undefined,
  method: string,
  site: string,
  origin: string,
): Promise<boolean> {
  const app = new App().use(csrf(options)).all("/", (ctx) => ctx.text("passed"));
  const headers = new Headers();
  if (site !== "-") headers.set("sec-fetch-site", site);
  if (origin !== "-") headers.set("origin", origin);
  const { status } = await clientOf(app)("/", { method, headers });
  assertEquals([200, 403].includes(status), true);
  return status === 200;
}

Deno.test("csrf(): what changes nothing passes from anywhere", async () => {
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    for (const site of ["-", "same-origin", "same-site", "cross-site", "none"]) {
      for (const origin of ["-", OWN, OTHER, "null"]) {
        assertEquals(await passes(undefined, method, site, origin), true, `${method} ${site}`);
      }
    }
  }
});

Deno.test("csrf(): what changes something passes from this origin alone", async () => {
  const table: [site: string, origin: string, passes: boolean][] = [
    ["-", "-", true],
    ["-", OWN, true],
    ["-", OTHER, false],
    ["-", "null", false],
    ["-", `${OWN}:8001`, false],
    ["-", "https://localhost", false],
    ["same-origin", "-", true],
    ["same-origin", OWN, true],
    ["none", "-", true],
    ["same-site", "-", false],
    ["same-site", "http://sub.localhost", false],
    ["cross-site", "-", false],
    ["cross-site", OTHER, false],
    ["cross-site", "null", false],
  ];
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    for (const [site, origin, expected] of table) {
      assertEquals(
        await passes(undefined, method, site, origin),
        expected,
        `${method} ${site} ${origin}`,
      );
    }
  }
});

Deno.test("csrf(): its origin option lets others in", async () => {
  const some: CsrfOptions["origin"][] = [
    OTHER,
    [OTHER, "http://third.example"],
    (origin, ctx) => origin === OTHER && ctx.req.method === "POST",
  ];
  for (const origin of some) {
    assertEquals(await passes({ origin }, "POST", "cross-site", OTHER), true);
    assertEquals(await passes({ origin }, "POST", "-", OTHER), true);
    assertEquals(await passes({ origin }, "POST", "cross-site", "http://fourth.example"), false);
    assertEquals(await passes({ origin }, "POST", "cross-site", "-"), false);
    assertEquals(await passes({ origin }, "POST", "-", OWN), false);
    assertEquals(await passes({ origin }, "POST", "same-origin", OWN), true);
  }
});
