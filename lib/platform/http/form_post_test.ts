import { assertEquals, assertRejects } from "@std/assert";
import { KvBusyError } from "../kv/mod.ts";
import { RequestError } from "./errors.ts";
import { orShowForm } from "./form_post.ts";

const formPost = () =>
  new Request("http://site.test/", { method: "POST", body: new URLSearchParams({ a: "1" }) });
const jsonPost = () =>
  new Request("http://site.test/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });

const post = (req: Request, error: Error) =>
  orShowForm(
    req,
    () => Promise.reject(error),
    ({ status, message }) => new Response(message, { status }),
  );

Deno.test("a form that is refused, or meets a busy store, is shown again with the problem", async () => {
  const refused = await post(formPost(), new RequestError(409, "It has changed."));
  assertEquals([refused.status, await refused.text()], [409, "It has changed."]);
  assertEquals((await post(formPost(), new KvBusyError(3))).status, 503);
});

Deno.test("a form is not shown to somebody who is not signed in", async () => {
  await assertRejects(() => post(formPost(), new RequestError(401)), RequestError);
});

Deno.test("unexpected errors, and the errors of programs, are thrown", async () => {
  await assertRejects(() => post(formPost(), new TypeError("broken")), TypeError);
  await assertRejects(() => post(jsonPost(), new RequestError(409)), RequestError);
});
