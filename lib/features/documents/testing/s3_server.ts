/** A server with the API of S3 for tests, which checks requests and can fail on demand. */
import { createHash, createHmac } from "node:crypto";
import type { S3Config } from "../variables.ts";

/** A bucket that checks the signature, the hash and the length of each request as S3 does. */
export interface TestBucket extends AsyncDisposable {
  config: S3Config;
  objects: Map<string, Uint8Array>;
  /** The method and the status of each request. */
  log: string[];
  /** Makes the next requests fail with a status. */
  fail(status: number, times: number): void;
  /** Responds instead of the bucket. */
  respond: ((req: Request) => Response | Promise<Response>) | null;
}

const hex = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Uint8Array | string, text: string) =>
  createHmac("sha256", key).update(text).digest();

export function startBucket(): TestBucket {
  const objects = new Map<string, Uint8Array>();
  const log: string[] = [];
  let failures = { status: 500, times: 0 };
  const ended = new AbortController();
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {}, signal: ended.signal };
  const server = Deno.serve(options, async (req) => {
    const response = await respond(req);
    log.push(`${req.method} ${response.status}`);
    return response;
  });
  const config: S3Config = {
    endpoint: `http://127.0.0.1:${server.addr.port}`,
    region: "eu-central-1",
    bucket: "files",
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  };

  async function respond(req: Request): Promise<Response> {
    const body = new Uint8Array(await req.arrayBuffer());
    if (bucket.respond !== null) return await bucket.respond(req);
    if (failures.times > 0) {
      failures.times--;
      return new Response("<Error/>", { status: failures.status });
    }
    if (!isSigned(req, body)) return new Response("<Error/>", { status: 403 });
    const { pathname } = new URL(req.url);
    const prefix = `/${config.bucket}/`;
    if (!pathname.startsWith(prefix)) return new Response("<Error/>", { status: 404 });
    const key = pathname.slice(prefix.length);
    switch (req.method) {
      case "PUT":
        if (!req.headers.has("content-length")) return new Response("<Error/>", { status: 411 });
        objects.set(key, body);
        return new Response();
      case "DELETE":
        objects.delete(key);
        return new Response(null, { status: 204 });
      default: {
        const found = objects.get(key);
        if (found === undefined) return new Response("<Error/>", { status: 404 });
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.get("range") ?? "") ?? [];
        if (from === undefined) return new Response(found.slice());
        return new Response(found.slice(Number(from), Number(to) + 1), { status: 206 });
      }
    }
  }

  /** Verifies AWS Signature Version 4. */
  function isSigned(req: Request, body: Uint8Array): boolean {
    const [, date, signedHeaders, signature] = new RegExp(
      `^AWS4-HMAC-SHA256 Credential=${config.accessKeyId}/(\\d{8})/${config.region}/s3/aws4_request, ` +
        "SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$",
    ).exec(req.headers.get("authorization") ?? "") ?? [];
    const time = req.headers.get("x-amz-date") ?? "";
    const payload = req.headers.get("x-amz-content-sha256") ?? "";
    const names = signedHeaders?.split(";") ?? [];
    if (!time.startsWith(date ?? "?") || !names.includes("host")) return false;
    if (!names.includes("x-amz-content-sha256") || !names.includes("x-amz-date")) return false;
    if (req.method === "PUT" ? payload !== hex(body) : payload !== "UNSIGNED-PAYLOAD") return false;
    const { pathname, search } = new URL(req.url);
    const canonical = [
      req.method,
      pathname,
      search.slice(1),
      ...names.map((name) => `${name}:${req.headers.get(name)}`),
      "",
      signedHeaders,
      payload,
    ].join("\n");
    const scope = `${date}/${config.region}/s3/aws4_request`;
    const text = ["AWS4-HMAC-SHA256", time, scope, hex(canonical)].join("\n");
    const key = [config.region, "s3", "aws4_request"].reduce<Uint8Array>(
      (key, part) => hmac(key, part),
      hmac(`AWS4${config.secretAccessKey}`, date!),
    );
    return hmac(key, text).toString("hex") === signature;
  }

  const bucket: TestBucket = {
    config,
    objects,
    log,
    fail: (status, times) => void (failures = { status, times }),
    respond: null,
    // Requests that hang are ended.
    async [Symbol.asyncDispose]() {
      ended.abort();
      await server.finished;
    },
  };
  return bucket;
}
