import { assertEquals } from "@std/assert";
import { secretsOf } from "../../base/secrets.ts";
import { acceptLinkSchema, acceptPath, isAcceptLink } from "./accept_link.ts";

Deno.test("the token of a recipient's link leads to no other recipient", async () => {
  const secrets = secretsOf(() => Promise.resolve([new Uint8Array(32).fill(7)]));
  const { searchParams } = new URL(await acceptPath(secrets, "grace"), "https://trust.test");
  const link = acceptLinkSchema.parse(Object.fromEntries(searchParams));
  assertEquals(link.id, "grace");
  assertEquals(await isAcceptLink(secrets, link), true);
  assertEquals(await isAcceptLink(secrets, { ...link, id: "otto" }), false);
  assertEquals(await isAcceptLink(secrets, { ...link, token: "" }), false);
});
