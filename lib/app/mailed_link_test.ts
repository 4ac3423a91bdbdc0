import { assertEquals, assertRejects } from "@std/assert";
import type { Context } from "fresh";
import { h } from "preact";
import { fail, rateLimited } from "../base/result.ts";
import { RequestError } from "../platform/http/errors.ts";
import { tokenOf } from "../platform/http/mailed_link.ts";
import { type LinkAnswer, mailedLink } from "./mailed_link.ts";
import type { State } from "./state.ts";

/** Sends a request to the page of a kind of link, whose link and button give the same result. */
async function send(
  { result, cookie }: Omit<LinkAnswer, "page">,
  form?: Record<string, string>,
  query = "?token=a",
) {
  const done: unknown[] = [];
  const answer = (act: string) => (_: unknown, link: string, input?: unknown) => {
    done.push(input === undefined ? [act, link] : [act, link, input]);
    return Promise.resolve({ page: h("p", {}), result, cookie });
  };
  const url = new URL(`https://trust.test/link${query}`);
  const req = new Request(url, form && { method: "POST", body: new URLSearchParams(form) });
  const state = { scripts: true };
  const render = (_: unknown, init: ResponseInit) => new Response("page", init);
  const handler = mailedLink({ link: tokenOf, open: answer("open"), use: answer("use") });
  const { status, headers } = await handler(
    { req, url, state, render } as unknown as Context<State>,
  );
  return { done, status, headers: Object.fromEntries(headers), scripts: state.scripts };
}

const PRIVATE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/** Returns the headers of a page, without its type. */
const named = ({ "content-type": _, ...headers }: Record<string, string>) => headers;

Deno.test("GET opens a link and does not use it, without scripts, caches and referrers", async () => {
  const { done, status, headers, scripts } = await send({ result: { ok: true } });
  assertEquals([done, status, scripts], [[["open", "a"]], 200, false]);
  assertEquals(named(headers), PRIVATE);
});

Deno.test("POST uses the link of the form, not the one of the URL, with the form's other fields", async () => {
  const cookie = "session=1; Secure";
  const form = { token: "b", act: "undo" };
  const { done, status, headers, scripts } = await send({ result: { ok: true }, cookie }, form);
  assertEquals([done, status, scripts], [[["use", "b", form]], 200, false]);
  assertEquals(named(headers), { ...PRIVATE, "set-cookie": cookie });
});

Deno.test("a link that does not work has the status of its failure, and the same headers", async () => {
  for (const [error, expected] of [["not_found", 404], ["expired", 410], ["used", 410]] as const) {
    for (const form of [undefined, { token: "b" }]) {
      const { status, headers } = await send({ result: fail(error), cookie: null }, form);
      assertEquals([status, named(headers)], [expected, PRIVATE], error);
    }
  }
  const { status, headers } = await send({ result: rateLimited(9_000) }, { token: "b" });
  assertEquals([status, named(headers)], [429, { ...PRIVATE, "retry-after": "9" }]);
});

Deno.test("a link without its token is refused with 400 before anything is read", async () => {
  for (const form of [undefined, { act: "undo" }]) {
    const error = await assertRejects(
      () => send({ result: { ok: true } }, form, form ? "?token=a" : ""),
      RequestError,
      "Open the complete link from the email.",
    );
    assertEquals(error.status, 400);
  }
});
