/** Caches a rendered page for all visitors, although each response has its own CSP nonce. */
import {
  type Coding,
  codingFor,
  CODINGS,
  compress,
  compressOnce,
  MIN_COMPRESSED_BYTES,
} from "./compression.ts";
import { eTag, isNotModified } from "./etag.ts";
import { brotliTemplate, fill, newNonce, type Template, templateOf } from "./nonce_template.ts";
import { responseWith } from "./response.ts";
import { hasOtherCookies } from "./theme.ts";

const POLICY = "content-security-policy";

/** The headers of a 304 update those of the client's copy, whose body has the older nonce. */
const NOT_IN_304 = [POLICY, "content-type"];

/** The kinds of sessions that a surface reads. */
interface Sessions {
  signIn: unknown;
  holders: boolean;
}

/**
 * Returns whether a request can get a page that other visitors get too. On surfaces where people sign
 * in, any cookie other than the theme's may be a session.
 */
export function isForEveryone(req: Request, { signIn, holders }: Sessions): boolean {
  if (req.method !== "GET" && req.method !== "HEAD") return false;
  return signIn === null && !holders || !hasOtherCookies(req);
}

/** A rendered page that many visitors get, each with a nonce of their own. */
export class SharedPage {
  /** The size in memory in bytes, with an upper bound for the compressed variants. */
  readonly size: number;
  readonly #etag: string;
  /** All headers except the policy. */
  readonly #headers: [name: string, value: string][];
  /** The policy around the nonces. */
  readonly #policy: string[];
  readonly #plain: Template;
  readonly #compressed = new Map<Coding, Promise<Template | null>>();

  private constructor(
    { etag, headers, policy, parts }: {
      etag: string;
      headers: [string, string][];
      policy: string[];
      parts: string[];
    },
  ) {
    this.#etag = etag;
    this.#headers = headers;
    this.#policy = policy;
    this.#plain = templateOf(parts);
    this.size = 2 * this.#plain.bytes.length + 2_000;
  }

  /** Takes over the body and the headers of a response, whose nonce is the one in its policy. */
  static async from(response: Response): Promise<SharedPage> {
    const html = await response.text();
    const { headers } = response;
    // Neither a shared cache nor another visitor may get the nonce.
    headers.set("cache-control", "private, no-cache");
    const policy = headers.get(POLICY) ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    const split = (text: string) => nonce === undefined ? [text] : text.split(nonce);
    const others = [...headers].filter(([name]) => name !== POLICY && name !== "content-length");
    const etag = await eTag(JSON.stringify([others, split(policy), split(html)]), { weak: true });
    return new SharedPage({
      etag,
      headers: [...others, ["etag", etag]],
      policy: split(policy),
      parts: split(html),
    });
  }

  /** Responds to GET or HEAD, with 304 if the client already has the page. */
  respond(req: Request): Response | Promise<Response> {
    if (req.headers.has("if-none-match") && isNotModified(req, this.#etag)) {
      const headers = this.#headers.filter(([name]) => !NOT_IN_304.includes(name));
      return responseWith(null, headers, 304);
    }
    const nonce = newNonce();
    const headers: [string, string][] = [...this.#headers, [POLICY, this.#policy.join(nonce)]];
    const coding = this.#plain.bytes.length < MIN_COMPRESSED_BYTES ? null : codingFor(req, CODINGS);
    return coding === null
      ? respondTo(req, fill(this.#plain, nonce), headers)
      : this.#respondCompressed(req, coding, nonce, headers);
  }

  async #respondCompressed(
    req: Request,
    coding: Coding,
    nonce: string,
    headers: [string, string][],
  ): Promise<Response> {
    let template = this.#compressed.get(coding);
    if (template === undefined) {
      template = this.#compress(coding);
      this.#compressed.set(coding, template);
    }
    const compressed = await template;
    const body = compressed === null
      ? compressOnce(fill(this.#plain, nonce), coding)
      : fill(compressed, nonce);
    headers.push(["content-encoding", coding], ["content-length", String(body.length)]);
    return respondTo(req, body, headers);
  }

  /** Returns the compressed page, or null if it must be compressed for each nonce. */
  #compress(coding: Coding): Promise<Template | null> {
    const { bytes, places } = this.#plain;
    if (places.length === 0) {
      return Promise.resolve({ bytes: compress(bytes, coding, "fast"), places });
    }
    return coding === "br" ? brotliTemplate(this.#plain) : Promise.resolve(null);
  }
}

function respondTo(
  { method }: Request,
  body: Uint8Array<ArrayBuffer>,
  headers: [string, string][],
): Response {
  if (method !== "HEAD") return responseWith(body, headers);
  const length: [string, string] = ["content-length", String(body.length)];
  const others = headers.filter(([name]) => name !== "content-length");
  return responseWith(null, [...others, length]);
}
