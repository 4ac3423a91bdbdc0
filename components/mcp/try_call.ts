/** The request behind the form that tries an MCP tool, and plain explanations of its errors. */
import type { Outcome } from "../Answer.tsx";
import { CALL_HEADERS, callMessage } from "../../lib/features/mcp/tool_guide.ts";

interface RpcBody {
  error?: { code: number; message: string };
  result?: { content: { text: string }[]; isError?: boolean };
}

/** Calls a tool of the page's own server, and explains any error. Never throws. */
export async function tryCall(
  name: string,
  args: Record<string, unknown>,
  { fetch = globalThis.fetch, now = () => performance.now() } = {},
): Promise<Outcome> {
  const start = now();
  let response: Response;
  let body: RpcBody | null;
  try {
    response = await fetch("/mcp", {
      method: "POST",
      headers: CALL_HEADERS,
      body: JSON.stringify(callMessage(name, args)),
      signal: AbortSignal.timeout(20_000),
    });
    body = await response.json().catch(() => null);
  } catch (error) {
    return {
      kind: "refused",
      title: (error as Error).name === "TimeoutError" ? "No response" : "No connection",
      timing: null,
      text: "The server could not be reached. Check your connection, and try again.",
      raw: null,
    };
  }
  const seen = {
    timing: `HTTP ${response.status} · ${Math.round(now() - start)} ms`,
    raw: body === null ? null : JSON.stringify(body, null, 2),
  };
  return { ...explain(response, body), ...seen };
}

function explain(
  { status, headers }: Response,
  body: RpcBody | null,
): Pick<Outcome, "kind" | "title" | "text" | "waitSeconds"> {
  if (status === 429) {
    const waitSeconds = Number(headers.get("retry-after")) || 60;
    const text = "Calls without an account are limited for each network address.";
    return { kind: "refused", title: "Too many requests", text, waitSeconds };
  }
  if (status === 401) {
    const text = "This call reads your own record, so it needs you to sign in. Connect an " +
      "assistant, and ask it to verify your record.";
    return { kind: "refused", title: "Sign-in required", text };
  }
  if (body?.error !== undefined) {
    const { code, message } = body.error;
    return { kind: "failure", title: `Error ${code}`, text: message };
  }
  const text = body?.result?.content?.[0]?.text;
  if (text === undefined) {
    return { kind: "refused", title: "Unexpected response", text: "Try again in a few minutes." };
  }
  return body!.result!.isError
    ? { kind: "failure", title: "The tool reported an error", text: formatted(text) }
    : { kind: "result", title: "Result", text: formatted(text) };
}

/** Formats JSON, and leaves other text as it is. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
