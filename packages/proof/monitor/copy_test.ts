import { assertEquals, assertRejects } from "@std/assert";
import { LogCopyError, openCopy } from "./copy.ts";

Deno.test("a copy at an address that does not stop sending, redirects or fails is refused, and a missing file is null", async () => {
  let sent = 0;
  const endless = () =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(sent++)),
    });
  await using server = Deno.serve({ port: 0, onListen: () => {} }, ({ url }) => {
    const path = new URL(url).pathname;
    if (path === "/log/endless") return new Response(endless());
    if (path === "/log/moved") return Response.redirect(new URL("/log/small", url));
    return new Response("ab", { status: path === "/log/small" ? 200 : Number(path.slice(5)) });
  });
  const copy = openCopy(`http://localhost:${server.addr.port}/log/`, fetch);
  await assertRejects(() => copy.read("endless"), LogCopyError);
  await assertRejects(() => copy.read("moved"), TypeError);
  await assertRejects(() => copy.read("500"), LogCopyError);
  assertEquals([await copy.read("404"), (await copy.read("small"))!.length], [null, 2]);
});
