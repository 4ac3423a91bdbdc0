/** A site for tests of shared links to documents. */
import { accessFixture } from "./access_site.ts";
import type { SiteOverrides } from "./site.ts";

/** The access fixture with the actions of a holder who shares, and of somebody with a link. */
export async function shareFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
) {
  const fixture = await accessFixture(env, overrides);
  const { fetch, document, owner } = fixture;
  const path = `/my-record/share?document=${document}`;
  let number = 0;

  /** Posts the holder's form, as a program does. Every form is another one. */
  const post = (fields: Record<string, string>, cookie = owner.cookie) => {
    fixture.clock.now += 1;
    const form = { act: "create", days: "7", openings: "5", form: crypto.randomUUID(), ...fields };
    return fetch(path, { cookie, json: form, headers: { accept: "application/json" } });
  };

  return {
    ...fixture,
    path,
    post,
    /** Creates a link. Returns its code. */
    async share(fields: Record<string, string> = {}, cookie = owner.cookie): Promise<string> {
      const response = await post(fields, cookie);
      const text = await response.text();
      if (response.status !== 201) throw new Error(text);
      return JSON.parse(text).code;
    },
    /** Presses the button of a page that shows a link, in a browser with a cookie. */
    press(code: string, options: { cookie?: string; page?: string; from?: string } = {}) {
      const { page = `page-${number++}`, ...rest } = options;
      return fetch("/s", { form: { act: "open", code, page }, ...rest });
    },
    /** Opens a link. Returns the cookie that it sets; null if it sets none. */
    async open(
      code: string,
      options: { cookie?: string; page?: string; from?: string } = {},
    ): Promise<string | null> {
      const response = await this.press(code, options);
      await response.body?.cancel();
      return response.headers.get("set-cookie")?.split(";")[0] ?? null;
    },
    /** Returns whether a browser can read the document. */
    async reads(cookie: string | null, of = document): Promise<boolean> {
      fixture.clock.now += 1;
      const response = await fetch(`/d/${of}/file`, { cookie: cookie ?? "" });
      return (await response.text()).includes("The certificate.");
    },
    /** Returns the response to a code, as the page's script gets it. */
    async look(code: string, cookie?: string) {
      const headers = { accept: "application/json" };
      const response = await fetch("/s", { json: { code }, cookie, headers });
      return { status: response.status, ...await response.json() };
    },
    list: () => fixture.site.services.shares.list(owner.hash),
    /** Returns the token of the newest notice about a link. */
    async undoToken(): Promise<string> {
      const mails = await fixture.mails();
      const mail = mails.find(({ subject }) => subject.startsWith("A link to your document"))!;
      return new URL(mail.link!).searchParams.get("token")!;
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

export type ShareFixture = Awaited<ReturnType<typeof shareFixture>>;
