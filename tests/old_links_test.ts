/** Mails that were sent by earlier versions have links with a further parameter, `of`. */
import { assertEquals } from "@std/assert";
import { accessFixture } from "./access_site.ts";
import { PERSON, statusOf } from "./contact_site.ts";

Deno.test("a mailed link with a leftover parameter shows the same page as one without", async () => {
  await using fixture = await accessFixture();
  const linkOf = async (path: string) =>
    new URL((await fixture.mails()).find((mail) => mail.link?.includes(path))!.link!);
  await statusOf(fixture.ask());
  await fixture.register({ ...PERSON, email: "other@example.org" });
  await statusOf(fixture.fetch("/my-record/sign-in", { form: { email: PERSON.email } }));
  const show = async ({ pathname, search }: URL) => {
    const response = await fixture.fetch(pathname + search);
    const text = (await response.text()).replaceAll(/nonce="[^"]*"/g, "");
    return { status: response.status, text };
  };
  for (const path of ["/confirm?", "/my-record/link?", "/d/request?"]) {
    const link = await linkOf(path);
    const page = await show(link);
    assertEquals([page.status, link.searchParams.has("of")], [200, false], path);
    for (const end of ["", fixture.owner.hash, "../x", "a".repeat(2_000)]) {
      link.searchParams.set("of", end);
      assertEquals(await show(link), page, `${path} ${end}`);
    }
  }
});
