/** The HTTP client with which the checklist tests an MCP server. */
import { parseJson } from "../../../base/parse_json.ts";

/** A response from the server under test. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON, from the body or an event stream; undefined if there is none. */
  json: unknown;
}

export interface ProbeOptions {
  fetch: typeof fetch;
  /** Waits before retrying a request that got a 429. */
  sleep: (ms: number) => Promise<void>;
  /** The timeout for one request. */
  timeoutMs: number;
}

/** Sends requests to one MCP server and records failures. */
export class Probe {
  /** One line for each request that failed or returned 5xx. */
  readonly failures: string[] = [];
  /** The server's session id, if it sent one. */
  session: string | undefined;
  #requests = 0;

  constructor(readonly url: URL, readonly options: ProbeOptions) {}

  /** POSTs a JSON-RPC message, a batch or any text to the endpoint. */
  async post(
    message: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply | undefined> {
    const reply = await this.#send("POST", this.url, {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    }, typeof message === "string" ? message : JSON.stringify(message));
    this.session ??= reply?.headers.get("mcp-session-id") ?? undefined;
    return reply;
  }

  async call(
    method: string,
    params?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ id: number; reply: Reply | undefined }> {
    const id = ++this.#requests;
    return { id, reply: await this.post({ jsonrpc: "2.0", id, method, params }, headers) };
  }

  /** Sends `initialize`, a client's first message, requesting a revision. */
  initialize(protocolVersion: string) {
    return this.call("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "gatehouse-checklist", version: "1.0.0" },
    });
  }

  /** GETs the endpoint as legacy clients do. Reads only the first event of a stream. */
  listen(accept = "text/event-stream"): Promise<Reply | undefined> {
    return this.#send("GET", this.url, { accept });
  }

  /** Submits an empty form. */
  submit(url: string): Promise<Reply | undefined> {
    return this.#send("POST", new URL(url), {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
    }, "");
  }

  /** @param path a path of the server, or a URL */
  get(path: string): Promise<Reply | undefined> {
    return this.#send("GET", new URL(path, this.url), { accept: "application/json" });
  }

  async #send(
    method: string,
    url: URL,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Reply | undefined> {
    const { fetch, sleep, timeoutMs } = this.options;
    if (this.session && url.origin === this.url.origin) headers["mcp-session-id"] = this.session;
    const init = { method, headers, body, redirect: "manual" as const };
    try {
      for (let attempt = 0;; attempt++) {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await fetch(url.href, { ...init, signal });
        const seconds = Number(response.headers.get("retry-after") ?? 1);
        if (response.status === 429 && attempt < 2 && seconds <= 120) {
          await response.body?.cancel();
          await sleep(seconds * 1000);
          continue;
        }
        if (response.status >= 500) {
          this.failures.push(`${method} ${url.pathname} → ${response.status}${gateway(response)}`);
        }
        return await read(response, method === "GET");
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.failures.push(`${method} ${url.pathname}: ${reason}`);
      return undefined;
    }
  }
}

function gateway({ status }: Response): string {
  return status === 522 ? " (the gateway cannot reach the server: check its DNS or route)" : "";
}

async function read(response: Response, firstEventOnly: boolean): Promise<Reply> {
  const { status, headers } = response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const text = isStream && firstEventOnly ? await firstEvent(response) : await response.text();
  return { status, headers, text, json: isStream ? lastMessage(text) : parseJson(text) };
}

/** Reads for at most a second, because a stream may stay open without sending an event. */
async function firstEvent(response: Response): Promise<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), 1000);
  let text = "";
  while (!/\r?\n\r?\n/.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  clearTimeout(timer);
  await reader.cancel();
  return text;
}

/**
 * Returns the data of the last event, because the response is the last event in the stream of a
 * POST.
 */
function lastMessage(text: string): unknown {
  const events = text.split(/\r?\n\r?\n/).map((event) =>
    event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart()).join("\n")
  );
  return parseJson(events.findLast(Boolean) ?? "");
}
