import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parseCheckpoint, parsePolicy, verifyCheckpoint } from "../../../packages/proof/mod.ts";
import { formatAddCheckpoint, MAX_BODY_BYTES } from "./request.ts";
import { originHash } from "./rows.ts";
import { createTestLog } from "./testing/test_log.ts";
import { startTestWitness } from "./testing/test_witness.ts";

/** Sends a body, and returns the status, the type and the text of the response. */
async function post(url: string, body: BodyInit) {
  const response = await fetch(`${url}add-checkpoint`, { method: "POST", body });
  return [response.status, response.headers.get("content-type"), await response.text()] as const;
}

Deno.test("every status of the protocol is sent, with the bodies that it defines", async () => {
  const log = await createTestLog();
  log.append(..."abcdefgh");
  await using server = await startTestWitness({
    logs: [log.signer.key],
    limits: { growth: 2, requests: 8 },
  });
  const { url, witness } = server;
  const codeOf = ([status, type, text]: Awaited<ReturnType<typeof post>>) => [
    status,
    type,
    JSON.parse(text).error,
  ];
  const stranger = await createTestLog("other.example/log");
  const impostor = await createTestLog(log.origin);
  stranger.append("a");
  impostor.append("a");

  const [status, type, cosignature] = await post(url, await log.request(0, 3));
  assertEquals([status, type], [200, "text/plain; charset=utf-8"]);
  assertMatch(cosignature, /^— witness\.example [A-Za-z0-9+/]+={0,2}\n$/);
  assertEquals(await post(url, await log.request(0, 5)), [409, "text/x.tlog.size", "3\n"]);
  const json = "application/json";
  assertEquals(codeOf(await post(url, "old 0\n")), [400, json, "invalid_request"]);
  const long = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(MAX_BODY_BYTES + 1));
      controller.close();
    },
  });
  assertEquals(codeOf(await post(url, long)), [400, json, "invalid_request"]);
  assertEquals(codeOf(await post(url, await stranger.request(0))), [404, json, "unknown_log"]);
  assertEquals(codeOf(await post(url, await impostor.request(0))), [
    403,
    json,
    "bad_log_signature",
  ]);
  const unproven = formatAddCheckpoint({ old: 3, proof: [], note: await log.checkpoint(5) });
  assertEquals(codeOf(await post(url, unproven)), [422, json, "inconsistent"]);
  for (let i = 0; i < 3; i++) await post(url, "");
  assertEquals(codeOf(await post(url, "")), [429, json, "rate_limited"]);

  const checkpoint = await fetch(`${url}monitor/${originHash(log.origin)}/checkpoint`);
  assertEquals(checkpoint.headers.get("access-control-allow-origin"), "*");
  const text = await checkpoint.text();
  assertEquals(text, await log.checkpoint(3) + cosignature);
  const policy = parsePolicy(`log ${log.vkey}\n${server.policyLine}\nquorum ${witness.key.name}`);
  assertEquals((await verifyCheckpoint(text, policy, log.origin)).ok, true);

  const refused = await (await fetch(`${url}monitor/${originHash(log.origin)}/refused`)).json();
  assertEquals([refused.origin, refused.refused.length], [log.origin, 1]);
  assertEquals(parseCheckpoint(refused.refused[0].checkpoint)?.size, 5);
});

Deno.test("the home page lists the logs with keys, sizes and times; other paths and methods fail", async () => {
  const log = await createTestLog();
  log.append(..."abc");
  await using server = await startTestWitness({
    logs: [log.signer.key],
    clock: () => Date.parse("2026-11-28T10:00:00Z"),
  });
  const { url, policyLine } = server;
  const home = async () => await (await fetch(url)).text();
  assertStringIncludes(await home(), "nothing countersigned yet");
  await post(url, await log.request(0));
  for (const part of [policyLine, log.origin, log.vkey, "3, countersigned 2026-11-28T10:00:00"]) {
    assertStringIncludes(await home(), part);
  }
  const statusOf = async (path: string, method = "GET") => {
    const response = await fetch(url + path, { method });
    await response.body?.cancel();
    return response.status;
  };
  const none = originHash("other.example/log");
  assertEquals(
    await Promise.all([
      statusOf("add-checkpoint"),
      statusOf("", "POST"),
      statusOf("nothing"),
      statusOf(`monitor/${none}/checkpoint`),
      statusOf(`monitor/${none}/refused`),
      statusOf(`monitor/${originHash(log.origin).toUpperCase()}/checkpoint`),
      statusOf(`monitor/${originHash(log.origin)}/checkpoint`, "DELETE"),
    ]),
    [405, 405, 404, 404, 404, 404, 405],
  );
});
