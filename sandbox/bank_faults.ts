/** The provider's operations. */
export type BankOperation = "accounts" | "account" | "transactions" | "organization";

/** A way in which the sandbox goes wrong. */
export interface BankFault {
  /** A status, or a way of answering: `slow` waits and then answers rightly. */
  answer: 400 | 401 | 403 | 404 | 429 | 500 | 503 | "slow" | "cut_off" | "garbage" | "redirect";
  /** On this operation alone; missing: on all. */
  operation?: BankOperation;
  /** So many times, then all is well again; missing: always. */
  times?: number;
  /** How long `slow` waits; missing: a minute. */
  delayMs?: number;
  /** `Retry-After`, in seconds. */
  retryAfter?: number;
}

/** The answer of a fault. That of `slow` is the right one: who calls has waited. */
export function answerFault(
  { answer, retryAfter }: BankFault,
  request: Request,
  right: () => Response,
): Promise<Response> | Response {
  switch (answer) {
    case "slow":
      return right();
    case "cut_off":
      return cutOff(right());
    case "garbage":
      return new Response("<html><body>We'll be back soon", {
        headers: { "content-type": "application/json" },
      });
    case "redirect":
      return new Response(null, {
        status: 302,
        headers: { location: new URL("/elsewhere", request.url).href },
      });
    default:
      return Response.json({ errors: { message: `The sandbox answers ${answer}.` } }, {
        status: answer,
        headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
      });
  }
}

/** The first half of an answer that was announced as a whole; then the connection ends. */
async function cutOff(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const half = new Blob([bytes.slice(0, bytes.length / 2)]).stream();
  return new Response(half, {
    headers: { "content-type": "application/json", "content-length": String(bytes.length) },
  });
}
