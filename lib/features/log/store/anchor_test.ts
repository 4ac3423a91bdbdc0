import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "node:path";
import { encodeBase64 } from "../../../base/encoding.ts";
import { ConfigError } from "../../../platform/config/error.ts";
import { configuredAnchor } from "../open.ts";
import { createFileAnchor, fileAnchorProblem } from "./anchor.ts";

const ROOT = encodeBase64(new Uint8Array(32).fill(7));

Deno.test("an anchor in a file is replaced as a whole, and a damaged one is not read as none", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "anchor");
  const anchor = createFileAnchor(path);
  assertEquals(await anchor.read(), null);
  await anchor.write({ size: 5, root: ROOT });
  await anchor.write({ size: 70_000, root: ROOT });
  assertEquals(await anchor.read(), { size: 70_000, root: ROOT });
  assertEquals(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["anchor"]);
  for (const text of ["", "5\n", `05\n${ROOT}\n`, `5\n${ROOT}`, `5\n${ROOT}\nmore`, "5\nAAAA\n"]) {
    await Deno.writeTextFile(path, text);
    await assertRejects(() => anchor.read(), TypeError);
  }
  await Deno.remove(path);
  await Deno.mkdir(join(path, "in use"), { recursive: true });
  await assertRejects(() => anchor.write({ size: 5, root: ROOT }));
  assertEquals(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["anchor"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the file of an anchor that cannot be replaced has a reason, and trying leaves nothing behind", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "anchor");
  assertEquals(await fileAnchorProblem(path), null);
  await createFileAnchor(path).write({ size: 5, root: ROOT });
  assertEquals(await fileAnchorProblem(path), null);
  assertEquals(await createFileAnchor(path).read(), { size: 5, root: ROOT });
  assertEquals(await fileAnchorProblem(folder), "it is a folder");
  assertEquals(await fileAnchorProblem(join(path, "log")), "NotADirectory");
  assertEquals(await fileAnchorProblem(join(folder, "none", "log")), "its folder does not exist");
  assertEquals(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["anchor"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("an anchor in a bucket is read and written with signed requests, and any failure is an error", async () => {
  let stored: string | null = null;
  let status = 200;
  const urls: string[] = [];
  const fetch = (async (input: Request) => {
    const request = new Request(input);
    urls.push(`${request.method} ${request.url}`);
    assertStringIncludes(request.headers.get("authorization")!, "AWS4-HMAC-SHA256");
    if (status !== 200) return new Response("", { status });
    if (request.method === "PUT") stored = await request.text();
    return stored === null ? new Response("", { status: 404 }) : new Response(stored);
  }) as typeof globalThis.fetch;
  const bucket = {
    endpoint: "https://s3.example",
    region: "eu-central-1",
    bucket: "records",
    accessKeyId: "id",
    secretAccessKey: "secret",
  };
  const anchor = configuredAnchor({ anchor: "s3:log/anchor" }, bucket, fetch)!;
  assertEquals(await anchor.read(), null);
  await anchor.write({ size: 5, root: ROOT });
  assertEquals(await anchor.read(), { size: 5, root: ROOT });
  assertEquals(
    new Set(urls),
    new Set(["GET", "PUT"].map((method) => `${method} https://s3.example/records/log/anchor`)),
  );
  status = 503;
  await assertRejects(() => anchor.read());
  await assertRejects(() => anchor.write({ size: 6, root: ROOT }));
  assertThrows(() => configuredAnchor({ anchor: "s3:log" }, undefined, fetch), ConfigError);
});
