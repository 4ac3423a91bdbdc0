/** The banking provider's stand-in for development and tests: a server with its API. */
import { sleep } from "../lib/base/sleep.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import {
  createBank,
  FOUNDATION_ACCOUNT_ID,
  type SandboxBank,
  type SandboxOrganisation,
} from "./bank_data.ts";
import {
  type BankFault,
  type BankOperation,
  faultResponse,
  normalResponse,
  problem,
  resourceOf,
} from "./bank_responses.ts";

export interface BankSandboxOptions {
  /** Returns the time in milliseconds since 1970. The latest transactions are just before it. */
  clock?: () => number;
  /** Number of active accounts that each organisation has in addition to its usual ones. */
  extraAccounts?: number;
  /** Maximum number of accounts or transactions per response. */
  pageSize?: number;
}

interface BankRequest {
  /** Undefined for an unknown path. */
  operation: BankOperation | undefined;
  path: string;
}

/** A running stand-in for the banking provider. */
export interface BankSandbox extends AsyncDisposable {
  /** `{bank_api_base}`. */
  baseUrl: string;
  tokens: { foundation: string; commercial: string };
  /** The account that both organisations list. Set `FOUNDATION_ACCOUNT_ID` to it to try the split. */
  foundationAccountId: string;
  /** Every full account and routing number, which no response of the site may contain. */
  readonly secretNumbers: string[];
  /** Sets the fault from the next request on, or clears it with null. */
  set(fault: BankFault | null): void;
  /** The latest requests, at most 1,000. */
  requests: BankRequest[];
  stop(): Promise<void>;
}

const TOKENS = {
  foundation: "secret-token:sandbox_foundation_4f7c1e",
  commercial: "secret-token:sandbox_commercial_9a20d3",
};
const ORGANISATIONS = ["foundation", "commercial"] as const;
const MAX_REQUESTS = 1_000;

/**
 * Starts the stand-in for the banking provider: an HTTP server on the loopback address with seeded
 * data, for development and tests only.
 */
export function startBankSandbox(options: BankSandboxOptions = {}): BankSandbox {
  const { clock = Date.now, extraAccounts = 0, pageSize = 1_000 } = options;
  const banks = new Map<SandboxOrganisation, { minute: number; bank: SandboxBank }>();
  /** Generating two years of transactions takes a while, so each bank is reused for a minute. */
  function bankOf(organisation: SandboxOrganisation): SandboxBank {
    const minute = Math.floor(clock() / MINUTE_MS);
    const recent = banks.get(organisation);
    if (recent?.minute === minute) return recent.bank;
    const bank = createBank(organisation, clock(), extraAccounts);
    banks.set(organisation, { minute, bank });
    return bank;
  }
  const requests: BankRequest[] = [];
  const stopping = new AbortController();
  let fault: BankFault | null = null;

  /** Returns the fault that applies to this request, and counts it. */
  function faultFor(operation: BankOperation): BankFault | null {
    const current = fault;
    if (current === null || (current.operation ?? operation) !== operation) return null;
    if (current.times !== undefined) {
      fault = current.times > 1 ? { ...current, times: current.times - 1 } : null;
    }
    return current;
  }

  async function handle(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const resource = resourceOf(pathname);
    requests.push({ operation: resource?.operation, path: pathname + search });
    if (requests.length > MAX_REQUESTS) requests.shift();
    if (resource === undefined) return problem(404, "Not found.");
    const normal = () => {
      const authorization = request.headers.get("authorization");
      const organisation = ORGANISATIONS.find((name) => authorization === `Bearer ${TOKENS[name]}`);
      if (organisation === undefined) return problem(401, "Unknown token.");
      return normalResponse(bankOf(organisation), resource, searchParams, clock(), pageSize);
    };
    const current = faultFor(resource.operation);
    if (current === null) return normal();
    if (current.response === "slow") {
      const ends = [stopping.signal, ...current.until === undefined ? [] : [current.until]];
      await sleep(current.delayMs ?? MINUTE_MS, AbortSignal.any(ends));
    }
    return await faultResponse(current, request, normal);
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handle);
  const stop = async () => {
    stopping.abort();
    await server.shutdown();
  };
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}`,
    tokens: TOKENS,
    foundationAccountId: FOUNDATION_ACCOUNT_ID,
    get secretNumbers() {
      const accounts = ORGANISATIONS.flatMap((organisation) => bankOf(organisation).accounts);
      return [...new Set(accounts.flatMap((each) => [each.accountNumber, each.routingNumber]))];
    },
    set(next) {
      fault = next;
    },
    requests,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
