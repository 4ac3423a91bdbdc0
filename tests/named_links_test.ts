import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { accessFixture } from "./access_site.ts";
import { PERSON } from "./contact_site.ts";

Deno.test("a mailed link shows the same page whatever its URL names, and nothing of what it does not lead to", async () => {
  await using fixture = await accessFixture();
  await fixture.holder(PERSON); // so that the sign-in link opens two records
  const linkOf = async (path: string, to?: string) =>
    new URL(
      (await fixture.mails()).find((mail) =>
        mail.link?.includes(path) && (to === undefined || mail.to === to)
      )!.link!,
    );
  await (await fixture.ask()).body?.cancel();
  await fixture.register({ ...PERSON, email: "other@example.org" });
  await (await fixture.fetch("/my-record/sign-in", { form: { email: PERSON.email } })).body
    ?.cancel();
  const links = [
    await linkOf("/confirm?", "other@example.org"),
    await linkOf("/my-record/link?"),
    await linkOf("/d/request?"),
  ];
  const named = links.map(({ searchParams }) => searchParams.get("of")!);
  assertEquals(new Set(named).size, 3, named.join());
  assertMatch(named[1], /^[0-9a-f]{64},[0-9a-f]{64}$/);

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
    const others = [
      null,
      "",
      "x",
      "../x",
      "a".repeat(2_000),
      named.join(),
      ...named,
      ...named[1].split(","),
    ];
    for (const other of others) {
      assertEquals(await show(link, other), page, `${link.pathname} ${other}`);
    }
    // An unknown token shows nothing of what the URL names.
    const unknown = new URL(link);
    unknown.searchParams.set("token", "A".repeat(43));
    const refused = await show(unknown, null);
    assertNotEquals(refused, page);
    for (const each of named) assertEquals(await show(unknown, each), refused);
  }
});

Deno.test("the link of a corrected address names the correction, and shows the same page whatever its URL names", async () => {
  await using fixture = await accessFixture();
  const { elapsed_ms: _, mobile, ...person } = PERSON;
  const form = {
    ...person,
    email: "corrected@example.org",
    mobile_country: mobile.country,
    mobile_number: mobile.number,
  };
  const { cookie, hash } = fixture.owner;
  await (await fixture.fetch("/my-record/correct", { cookie, form })).body?.cancel();
  const { link } = (await fixture.mails()).find(({ to }) => to === "corrected@example.org")!;
  const url = new URL(link!);
  const show = async (of: string) => {
    url.searchParams.set("of", of);
    const response = await fixture.fetch(url.pathname + url.search);
    return `${response.status} ${(await response.text()).replaceAll(/nonce="[^"]*"/g, "")}`;
  };
  const named = url.searchParams.get("of")!;
  assertMatch(named, /^[0-9a-f]{64}$/);
  assertNotEquals(named, hash);
  const page = await show(named);
  assert(page.startsWith("200 "));
  for (const other of ["", hash]) assertEquals(await show(other), page, other);
});
