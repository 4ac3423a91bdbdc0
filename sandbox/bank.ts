import { setTimeout } from "node:timers/promises";
import { answer, problem, resourceOf } from "./bank_answers.ts";
import { createBank, type SandboxBank, type SandboxOrganisation } from "./bank_data.ts";
import { answerFault, type BankFault, type BankOperation } from "./bank_faults.ts";

export type { BankFault, BankOperation } from "./bank_faults.ts";

export interface BankSandboxOptions {
  /** 0, as without it: one that is free. */
  port?: number;
  /** The time in milliseconds since 1970; the transactions end there. */
  clock?: () => number;
  /** How many active accounts each organisation has beside its own six. */
  extraAccounts?: number;
  /** The most accounts of one page, and transactions of one answer. */
  pageSize?: number;
}

/** A request that arrived. */
export interface BankRequest {
  /** Undefined for a path that the provider does not have. */
  operation: BankOperation | undefined;
  /** Path and query. */
  path: string;
}

/** The stand-in for the banking provider, running. */
export interface BankSandbox extends AsyncDisposable {
  /** `{bank_api_base}`. */
  baseUrl: string;
  /** A token for each of the two organisations. */
  tokens: { foundation: string; commercial: string };
  /** The account that both organisations list: `FOUNDATION_ACCOUNT_ID` for trying the split. */
  readonly foundationAccountId: string;
  /** Every full account number and routing number: what must be seen nowhere. */
  readonly secretNumbers: string[];
  /** Lets it go wrong from the next request on; null: all is well again. */
  set(fault: BankFault | null): void;
  /** The latest requests, at most a thousand. */
  requests: BankRequest[];
  stop(): Promise<void>;
}

const TOKENS = {
  foundation: "secret-token:sandbox_foundation_4f7c1e",
  commercial: "secret-token:sandbox_commercial_9a20d3",
};
const ORGANISATIONS = ["foundation", "commercial"] as const;
const KEPT_REQUESTS = 1_000;

/**
 * Starts the stand-in for the banking provider: a real HTTP server on the loopback address, for
 * development and tests only. The data comes from fixed seeds.
 *
 * @example
 * ```ts
 * await using bank = startBankSandbox();
 * bank.set({ answer: 429, operation: "accounts", times: 1 });
 * const client = createBankClient({ baseUrl: bank.baseUrl, token: bank.tokens.commercial, fetch });
 * ```
 */
export function startBankSandbox(options: BankSandboxOptions = {}): BankSandbox {
  const { port = 0, clock = Date.now, extraAccounts = 0, pageSize = 1_000 } = options;
  const banks = new Map<SandboxOrganisation, { minute: number; bank: SandboxBank }>();
  /** Adding up two years takes a while: what was made is used for a minute. */
  function bankOf(organisation: SandboxOrganisation): SandboxBank {
    const minute = Math.floor(clock() / 60_000);
    const made = banks.get(organisation);
    if (made?.minute === minute) return made.bank;
    const bank = createBank(organisation, clock(), extraAccounts);
    banks.set(organisation, { minute, bank });
    return bank;
  }
  const requests: BankRequest[] = [];
  const stopping = new AbortController();
  let fault: BankFault | null = null;

  /** The fault that this request meets; one that has its times is used up. */
  function faultFor(operation: BankOperation): BankFault | null {
    const met = fault;
    if (met === null || (met.operation ?? operation) !== operation) return null;
    if (met.times !== undefined) fault = met.times > 1 ? { ...met, times: met.times - 1 } : null;
    return met;
  }

  async function handle(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const resource = resourceOf(pathname);
    requests.push({ operation: resource?.operation, path: pathname + search });
    if (requests.length > KEPT_REQUESTS) requests.shift();
    if (resource === undefined) return problem(404, "Not found.");
    const right = () => {
      const authorization = request.headers.get("authorization");
      const organisation = ORGANISATIONS.find((name) => authorization === `Bearer ${TOKENS[name]}`);
      if (organisation === undefined) return problem(401, "Unknown token.");
      return answer(bankOf(organisation), resource, searchParams, clock(), pageSize);
    };
    const met = faultFor(resource.operation);
    if (met === null) return right();
    if (met.answer === "slow") {
      await wait(met.delayMs ?? 60_000, stopping.signal);
    }
    return await answerFault(met, request, right);
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, handle);
  const stop = async () => {
    stopping.abort();
    await server.shutdown();
  };
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}`,
    tokens: TOKENS,
    get foundationAccountId() {
      return bankOf("foundation").accounts[0].id;
    },
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

/** Waits so long, or until the signal. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {});
