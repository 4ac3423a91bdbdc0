import type { App } from "fresh";

/** Sends requests to an app without a socket. */
export type Client = (path: string, init?: RequestInit) => Promise<Response>;

// deno-lint-ignore no-explicit-any
export function clientOf(app: App<any>): Client {
  const handler = app.handler();
  return (path, init) => handler(new Request(`http://localhost${path}`, init));
}

/** `fn` while errors are not printed; what was logged, joined. */
export async function quietly(fn: () => unknown): Promise<string> {
  const log = console.error;
  const logged: string[] = [];
  console.error = (...args: unknown[]) => logged.push(args.map(String).join(" "));
  try {
    await fn();
  } finally {
    console.error = log;
  }
  return logged.join("\n");
}
