import { assertEquals } from "@std/assert";
import { tryCall } from "./try_call.ts";

const call = (respond: () => Response | Promise<Response>) => {
  let time = 0;
  return tryCall("search_standard", { query: "salt" }, {
    fetch: () => Promise.resolve().then(respond),
    now: () => time += 7,
  });
};

const content = (text: string, isError?: true) => ({ result: { content: [{ text }], isError } });

Deno.test("JSON results are formatted, and Markdown is shown as it is", async () => {
  const json = await call(() => Response.json(content('{"ok":true}')));
  assertEquals([json.kind, json.text, json.timing], [
    "result",
    '{\n  "ok": true\n}',
    "HTTP 200 · 7 ms",
  ]);
  assertEquals((await call(() => Response.json(content("# Records")))).text, "# Records");
});

Deno.test("each kind of error has its title, and 429 the seconds to wait", async () => {
  const rpc = await call(() =>
    Response.json({ error: { code: -32602, message: "Invalid arguments" } })
  );
  assertEquals([rpc.kind, rpc.title, rpc.text], [
    "failure",
    "Error -32602",
    "Invalid arguments",
  ]);

  const tool = await call(() => Response.json(content('{"error":"not_found"}', true)));
  assertEquals([tool.kind, tool.title], ["failure", "The tool reported an error"]);

  const refusal = { error: { code: -32000, message: "Too Many Requests" } };
  const headers = { "retry-after": "17" };
  const limited = await call(() => Response.json(refusal, { status: 429, headers }));
  assertEquals([limited.kind, limited.title, limited.waitSeconds], [
    "refused",
    "Too many requests",
    17,
  ]);

  const own = await call(() => Response.json(refusal, { status: 401 }));
  assertEquals(own.title, "Sign-in required");

  const broken = await call(() => new Response("<html>", { status: 502 }));
  assertEquals([broken.title, broken.raw], ["Unexpected response", null]);

  const offline = await call(() => {
    throw new TypeError("Failed to fetch");
  });
  assertEquals([offline.title, offline.timing], ["No connection", null]);
});
