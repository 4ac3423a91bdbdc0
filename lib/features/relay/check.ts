/**
 * `deno task relay:check <url> <slug> [path]`: verifies a deployed relay. Exits with 0 if all checks
 * pass, 1 if one fails, 2 on incorrect usage.
 *
 * @module
 */
import { createLocalFetch } from "../../platform/http/local_fetch.ts";

interface Finding {
  title: string;
  passed: boolean;
  /** The actual result of a failed check. */
  actual?: string;
}

/** Headers that a relay must never send. */
const FORBIDDEN = /^(?:edge-access-|set-cookie)/;

/**
 * Verifies a deployed relay (spec 4.8).
 *
 * @param base its URL, such as `https://docs.relay.example`
 * @param options.path the path to request below the slug
 * @param options.fetch must not follow redirects
 * @returns one finding per check; a check without a response fails
 */
export async function checkRelay(
  base: string,
  slug: string,
  { path = "/", fetch }: { path?: string; fetch: typeof globalThis.fetch },
): Promise<Finding[]> {
  const { origin } = new URL(base);
  const request = (path: string, method = "GET") => probe(fetch, `${origin}/${path}`, method);
  const valid = await request(slug + path);
  const wrong = await request(slug.slice(0, -1) + (slug.endsWith("0") ? "1" : "0") + path);
  const none = await request("");
  const post = await request(slug + path, "POST");
  const all = { "right slug": valid, "wrong slug": wrong, "no slug": none, POST: post };
  const every = (title: string, passes: (probed: Probed) => boolean): Finding => {
    const failing = Object.entries(all).filter(([, probed]) => !passes(probed));
    if (failing.length === 0) return { title, passed: true };
    return { title, passed: false, actual: `not for: ${failing.map(([name]) => name).join(", ")}` };
  };
  return [
    status("the right slug returns 200", valid, 200),
    {
      title: "the right slug returns content",
      passed: valid.hasBody,
      actual: valid.hasBody ? undefined : "an empty body",
    },
    status("a wrong slug returns 403", wrong, 403),
    status("a path without a slug returns 403", none, 403),
    status("POST returns 405", post, 405),
    every(
      "every response has Cache-Control: no-store",
      ({ headers }) => headers.get("cache-control") === "no-store",
    ),
    every(
      "no response has access headers or cookies",
      ({ status, headers }) =>
        status > 0 && ![...headers.keys()].some((name) => FORBIDDEN.test(name)),
    ),
  ];
}

interface Probed {
  /** 0 if there was no response. */
  status: number;
  headers: Headers;
  hasBody: boolean;
}

async function probe(
  fetch: typeof globalThis.fetch,
  url: string,
  method: string,
): Promise<Probed> {
  try {
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(url, { method, redirect: "manual", signal });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    const hasBody = (first?.value?.length ?? 0) > 0;
    return { status: response.status, headers: response.headers, hasBody };
  } catch {
    return { status: 0, headers: new Headers(), hasBody: false };
  }
}

function status(title: string, probed: Probed, expected: number): Finding {
  if (probed.status === expected) return { title, passed: true };
  return { title, passed: false, actual: probed.status === 0 ? "no response" : `${probed.status}` };
}

if (import.meta.main) {
  const [url = "", slug = "", path = "/"] = Deno.args;
  const isUsable = /^https?:$/.test(URL.parse(url)?.protocol ?? "") && slug !== "" &&
    !slug.includes("/") && path.startsWith("/") && Deno.args.length <= 3;
  if (!isUsable) {
    console.error("Usage: deno task relay:check <url> <slug> [path]");
    console.error(
      "Example: deno task relay:check https://docs.relay.example docs-3f9c… /start.html",
    );
    Deno.exit(2);
  }
  const findings = await checkRelay(url, slug, { path, fetch: createLocalFetch() });
  console.log(`Relay: ${new URL(url).origin}`);
  for (const { title, passed, actual } of findings) {
    const detail = actual === undefined ? "" : ` (${actual})`;
    console.log(`${passed ? "pass" : "FAIL"}  ${title}${detail}`);
  }
  Deno.exit(findings.every(({ passed }) => passed) ? 0 : 1);
}
