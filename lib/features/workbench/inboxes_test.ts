import { assertEquals } from "@std/assert";
import { createDevOutbox } from "../../platform/mail/mod.ts";
import { searchMails } from "./inboxes.ts";

Deno.test("a search finds mails that contain every word in any of their parts", async () => {
  const outbox = createDevOutbox({ print: () => {}, clock: Date.now });
  const mail = { from: "Qualpack <no-reply@site.localhost>", html: "" };
  await outbox.send({ ...mail, to: "ada@example.org", subject: "Sign in", text: "The link" });
  await outbox.send({ ...mail, to: "eve@example.org", subject: "Confirm", text: "Your ADDRESS" });
  const found = (query: string) => searchMails(outbox.list(), query).map(({ to }) => to[0]).join();
  const cases: [query: string, found: string][] = [
    ["", "e,a"],
    ["sign", "a"],
    ["EXAMPLE.ORG", "e,a"],
    ["address  eve", "e"],
    ["address ada", ""],
    ["qualpack link", "a"],
    [`${"ada ".repeat(60)}eve`, "a"],
  ];
  for (const [query, expected] of cases) assertEquals(found(query), expected, query.slice(0, 20));
});
