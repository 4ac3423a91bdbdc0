/** Limits the memory that request bodies take in a process, in total and per caller. */
import { fail, type Failure, rateLimited } from "../../base/result.ts";
import { SECOND_MS } from "../../base/time.ts";
import { unwrap } from "./errors.ts";

const MIB = 1024 * 1024;

/** How many bytes of bodies a process keeps in memory at a time. */
export interface BodyLimits {
  /** Of all requests. */
  all: number;
  /** Of those bytes that follow the first {@link SMALL} of a body, so that small bodies have room left. */
  large: number;
  /** Of one caller: a network address, or an issuer with all of its keys. */
  caller: number;
}

export const BODY_LIMITS: BodyLimits = { all: 128 * MIB, large: 96 * MIB, caller: 64 * MIB };

/** The part of each body for which room is kept. Only requests with files have longer ones. */
const SMALL = 64 * 1024;

/** When to send a body again. */
const RETRY_MS = SECOND_MS;

/** The bodies of requests that are kept in memory. */
export interface BodyBudget {
  /** The bytes that are kept now. */
  readonly used: number;
  /**
   * Opens the account of a request.
   *
   * @param caller returns who sends it; called before the first byte is counted
   */
  open(req: Request, caller: () => string): BodyAccount;
}

/** The memory that the body of one request takes. */
interface BodyAccount {
  /**
   * Counts bytes that have arrived and are kept until the request has its response. If they are refused, the
   * whole body is given up.
   *
   * @throws {RequestError} 429 if its caller has sent too much, 503 if all callers have
   */
  keep(bytes: number): void;
  /** Counts the body for another caller. It must not have been read. */
  countFor(caller: string): void;
  /** Counts nothing any more, because the request has its response. */
  close(): void;
}

const NO_ACCOUNT: Pick<BodyAccount, "keep" | "countFor"> = { keep() {}, countFor() {} };

/** The accounts of the requests that have one. */
const accounts = new WeakMap<Request, BodyAccount>();

/** Returns the account of a request. Outside of the site, nothing is counted. */
export const accountOf = (req: Request): Pick<BodyAccount, "keep" | "countFor"> =>
  accounts.get(req) ?? NO_ACCOUNT;

/**
 * Creates the budget of a process for bodies that are kept in memory. Bytes are counted when they arrive, not by
 * `Content-Length`: whoever announces a long body and sends nothing uses up nothing.
 */
export function createBodyBudget(limits: BodyLimits = BODY_LIMITS): BodyBudget {
  const callers = new Map<string, number>();
  let [used, large] = [0, 0];

  function open(req: Request, nameOf: () => string): BodyAccount {
    let own = 0;
    let caller: string | undefined;

    function release(): void {
      if (own === 0) return;
      const left = callers.get(caller!)! - own;
      if (left === 0) callers.delete(caller!);
      else callers.set(caller!, left);
      used -= own;
      large -= Math.max(0, own - SMALL);
      own = 0;
    }

    function refuse(failure: Failure): never {
      release(); // at once, so that other bodies, which have the same limit, are not refused as well
      throw unwrap(failure);
    }

    const account: BodyAccount = {
      keep(bytes) {
        caller ??= nameOf();
        const ofCaller = (callers.get(caller) ?? 0) + bytes;
        const more = Math.max(0, own + bytes - SMALL) - Math.max(0, own - SMALL);
        if (ofCaller > limits.caller) refuse({ ...rateLimited(RETRY_MS), message: TOO_MUCH });
        if (used + bytes > limits.all || large + more > limits.large && more > 0) {
          refuse(fail("unavailable", BUSY));
        }
        callers.set(caller, ofCaller);
        own += bytes;
        used += bytes;
        large += more;
      },
      countFor(name) {
        caller = name;
      },
      close() {
        accounts.delete(req);
        release();
      },
    };
    accounts.set(req, account);
    return account;
  }

  return {
    get used() {
      return used;
    },
    open,
  };
}

/**
 * Passes a stream on whose bytes are kept in memory, and counts them. The server reads them into buffers of 64 KiB,
 * however few have arrived, so they are copied: otherwise they would keep several times their size.
 */
export async function* kept(
  req: Request,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const account = accountOf(req);
  for await (const bytes of body) {
    account.keep(bytes.length);
    yield bytes.length < bytes.buffer.byteLength ? bytes.slice() : bytes;
  }
}

const TOO_MUCH =
  "You are sending too many large requests at the same time. Send them one after another.";
const BUSY = {
  message: "Too many large requests are being received. Try again in a moment.",
  retryAfterSeconds: RETRY_MS / SECOND_MS,
};
