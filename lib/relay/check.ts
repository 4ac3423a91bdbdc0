/** One thing that must hold of a deployed relay. */
export interface Finding {
  title: string;
  passed: boolean;
  /** What was seen instead. */
  seen?: string;
}

/** Headers that must never come out of a relay. */
const KEPT_BACK = /^(?:edge-access-|set-cookie)/;

/**
 * Checks a deployed relay as one is verified after it was added (spec 4.8).
 *
 * @param base where it answers, such as `https://docs.relay.example`
 * @param slug the right one
 * @param options.path what to ask for below the slug
 * @param options.fetch must leave redirects as they are
 * @returns a finding for each point; a relay that does not answer fails it
 *
 * @example
 * ```ts
 * const findings = await checkRelay("https://docs.relay.example", slug, { fetch });
 * const isRight = findings.every(({ passed }) => passed);
 * ```
 */
export async function checkRelay(
  base: string,
  slug: string,
  { path = "/", fetch, timeoutMs = 30_000 }: {
    path?: string;
    fetch: typeof globalThis.fetch;
    timeoutMs?: number;
  },
): Promise<Finding[]> {
  const { origin } = new URL(base);
  const ask = (segment: string, method = "GET") =>
    look(fetch, `${origin}/${segment}${path}`, method, timeoutMs);
  const right = await ask(slug);
  const wrong = await ask(`${slug.slice(0, -1)}${slug.endsWith("0") ? "1" : "0"}`);
  const none = await look(fetch, `${origin}/`, "GET", timeoutMs);
  const post = await ask(slug, "POST");
  const answers = { "right slug": right, "wrong slug": wrong, "no slug": none, POST: post };
  const everywhere = (title: string, holds: (answer: Answer) => boolean): Finding => {
    const failing = Object.entries(answers).filter(([, answer]) => !holds(answer));
    const seen = `not so for: ${failing.map(([name]) => name).join(", ")}`;
    return failing.length === 0 ? { title, passed: true } : { title, passed: false, seen };
  };
  return [
    status("the right slug is answered with 200", right, 200),
    {
      title: "the right slug is answered with content",
      passed: right.bytes > 0,
      seen: right.bytes > 0 ? undefined : "an empty body",
    },
    status("a wrong slug is answered with 403", wrong, 403),
    status("a path without a slug is answered with 403", none, 403),
    status("POST is answered with 405", post, 405),
    everywhere(
      "every answer is Cache-Control: no-store",
      ({ headers }) => headers.get("cache-control") === "no-store",
    ),
    everywhere(
      "no answer carries access headers or cookies",
      ({ status, headers }) =>
        status > 0 && ![...headers.keys()].some((name) => KEPT_BACK.test(name)),
    ),
  ];
}

/** Status 0: there was none. */
interface Answer {
  status: number;
  headers: Headers;
  /** Of the body: whether there is any, not how much. */
  bytes: number;
}

async function look(
  fetch: typeof globalThis.fetch,
  url: string,
  method: string,
  timeoutMs: number,
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method, redirect: "manual", signal });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    const bytes = first?.value?.length ?? 0;
    return { status: response.status, headers: response.headers, bytes };
  } catch {
    return { status: 0, headers: new Headers(), bytes: 0 };
  }
}

function status(title: string, answer: Answer, expected: number): Finding {
  if (answer.status === expected) return { title, passed: true };
  return { title, passed: false, seen: answer.status === 0 ? "no answer" : `${answer.status}` };
}
