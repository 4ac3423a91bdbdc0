import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { accessFixture } from "./access_site.ts";
import { PERSON } from "./contact_site.ts";

Deno.test("a mailed link shows the same page whatever its URL names, and nothing of what it does not lead to", async () => {
  await using fixture = await accessFixture();
  const linkOf = async (path: string, to?: string) =>
    new URL(
      (await fixture.mails()).find((mail) =>
        mail.link?.includes(path) && (to === undefined || mail.to === to)
      )!.link!,
    );
  await fixture.approve({ email: "first@example.com" });
  await (await fixture.ask()).body?.cancel();
  await fixture.register({ ...PERSON, email: "other@example.org" });
  await (await fixture.fetch("/my-record/sign-in", { form: { email: PERSON.email } })).body
    ?.cancel();
  const links = [
    await linkOf("/confirm?", "other@example.org"),
    await linkOf("/my-record/link?"),
    await linkOf("/d/request?"),
    await linkOf("/d/grant?"),
  ];
  const named = links.map(({ searchParams }) => searchParams.get("of")!);
  assertEquals(new Set(named).size, 4, named.join());

  const show = async (link: URL, of: string | null) => {
    const url = new URL(link);
    if (of === null) url.searchParams.delete("of");
    else url.searchParams.set("of", of);
    const response = await fixture.fetch(url.pathname + url.search);
    return `${response.status} ${(await response.text()).replaceAll(/nonce="[^"]*"/g, "")}`;
  };
  for (const [i, link] of links.entries()) {
    const page = await show(link, named[i]);
    assert(page.startsWith("200 "), link.pathname);
    const others = [null, "", "x", "../x", "a".repeat(2_000), named.join(), ...named];
    for (const of of others) assertEquals(await show(link, of), page, `${link.pathname} ${of}`);
    // An unknown token shows nothing of what the URL names.
    const unknown = new URL(link);
    unknown.searchParams.set("token", "A".repeat(43));
    const refused = await show(unknown, null);
    assertNotEquals(refused, page);
    for (const of of named) assertEquals(await show(unknown, of), refused);
  }
});
