/** The probes of external services: the store, bank, mail, codes, documents and relays. */
import type { BankConfig } from "../bank/variables.ts";
import { type BankErrorCode, createBankProvider } from "../bank/mod.ts";
import { checkCodeProvider, type CodeProviderProblem } from "../codes/providers/mod.ts";
import type { CodesConfig } from "../codes/variables.ts";
import { checkBucket } from "../documents/mod.ts";
import type { DocumentsConfig } from "../documents/variables.ts";
import { checkMailApi } from "../../platform/mail/http.ts";
import type { MailFailure } from "../../platform/mail/mail.ts";
import { checkSmtp, smtpUrl } from "../../platform/mail/smtp.ts";
import { checkOrigin, type OriginProblem } from "../relay/mod.ts";
import type { RelaysConfig } from "../relay/variables.ts";
import type { MailConfig } from "../../platform/mail/variables.ts";
import type { SurfaceHosts } from "../../platform/config/surfaces.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { formatAge, formatDay } from "../../base/time.ts";
import type { ClockWatch } from "./clock_watch.ts";
import type { Finding, Probe } from "./monitor.ts";

export interface ProbedServices {
  bank: BankConfig;
  codes: CodesConfig;
  documents: DocumentsConfig;
  mail: MailConfig;
  relays: RelaysConfig;
  surfaceHosts: SurfaceHosts;
}

export interface ProbeDeps {
  config: ProbedServices;
  kv: Deno.Kv;
  clock: () => number;
  fetch: typeof fetch;
  /** Compares our clock with those of the bank and the mail API. Default: none. */
  clockWatch?: Pick<ClockWatch, "watch">;
  chains: { keyFirstUsed(): Promise<string | null> };
}

/** Returns the name of the probe of an organisation's bank. */
export const bankProbe = ({ tokens }: BankConfig, organisation: OrganisationKey) =>
  // A token that both use is probed once.
  tokens.foundation.value === tokens.commercial.value ? "bank" : `bank:${organisation}`;
/** Returns the name of the check of an organisation's mail: the probe, and whether its sender is accepted. */
export const mailCheck = (organisation: OrganisationKey) => `mail:${organisation}`;
/** Returns the name of the probe of a relay's origin. */
export const originProbe = (relay: string) => `origin:${relay}`;

/**
 * Creates a probe for every external service that is configured. The probes use the credentials
 * that the features use, and neither send nor change anything. Their results name a server by its host at
 * most, and contain no other address and no secret.
 */
export function createProbes(deps: ProbeDeps): Record<string, Probe> {
  const { config, kv, fetch } = deps;
  const watched = (source: string) => deps.clockWatch?.watch(source, fetch) ?? fetch;
  const { bank, codes, documents, relays } = config;
  const probes: Record<string, Probe> = {
    store: () => probeStore(kv),
    sessions: () => probeSessions(kv),
    mail: probeMail(config.mail, watched("Mail API")),
  };
  if (config.surfaceHosts.trust !== undefined) probes["signing-key"] = () => probeKey(deps);
  for (const organisation of ["foundation", "commercial"] as const) {
    const provider = createBankProvider(bank, organisation, { fetch: watched("Bank") });
    if (provider === null) continue;
    probes[bankProbe(bank, organisation)] = async (signal) =>
      finding(await provider.check(signal), BANK, hostOf(bank.baseUrl));
  }
  const { provider } = codes;
  if (provider !== undefined && (provider.name !== "sandbox" || provider.account !== undefined)) {
    probes.codes = async (signal) =>
      finding(
        await checkCodeProvider(provider, { fetch, signal }),
        CODES,
        hostOf("url" in provider ? provider.url : provider.account?.apiBase),
      );
  }
  const { s3 } = documents;
  if (s3 !== undefined) {
    probes.documents = async (signal) => {
      const status = await checkBucket(s3, { fetch, signal }).catch(() => null);
      return status === null
        ? finding("unreachable", { unreachable: UNREACHABLE }, hostOf(s3.endpoint))
        : bucketFinding(status);
    };
  }
  for (const relay of relays.all) {
    probes[originProbe(relay.name)] = async (signal) =>
      finding(await checkOrigin(relay, { fetch, signal }), ORIGIN);
  }
  return probes;
}

/**
 * Returns what a check found, by its stable code.
 *
 * @param host the server's host name, if people may see it
 */
function finding<Code extends string>(
  code: Code | null,
  texts: Record<Code, string>,
  host?: string,
): Finding {
  if (code === null) return {};
  const problem = texts[code];
  if (problem !== UNREACHABLE || host === undefined) return { problem };
  return { problem: `The connection to ${host} failed.` };
}

const hostOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : URL.parse(url)?.hostname;

async function probeStore(kv: Deno.Kv): Promise<Finding> {
  await kv.get(["stats", "users"]);
  return {};
}

/**
 * Reads the sessions and commits a change that consists only of a condition, because a store that
 * is read-only would still show pages, but start no session.
 */
async function probeSessions(kv: Deno.Kv): Promise<Finding> {
  const { key, versionstamp } = await kv.get(["sessions", "probe"]);
  const { ok } = await kv.atomic().check({ key, versionstamp }).commit();
  return ok ? {} : { problem: "The store did not accept a commit." };
}

function probeMail(mail: MailConfig, fetch: ProbeDeps["fetch"]): Probe {
  switch (mail.transport) {
    case "outbox":
      return () => Promise.resolve({ detail: "Mail is kept in the outbox and not sent." });
    case "smtp": {
      const server = smtpUrl.parse(mail.smtpUrl);
      return async (signal) =>
        finding(await checkSmtp({ server, helo: mail.smtpHelo, signal }), MAIL, server.host);
    }
    case "http": {
      const { apiUrl: url = "" } = mail;
      return async (signal) =>
        finding(await checkMailApi({ url, fetch }, signal), MAIL, hostOf(url));
    }
  }
}

async function probeKey({ chains, clock }: ProbeDeps): Promise<Finding> {
  const at = await chains.keyFirstUsed();
  return at === null ? {} : {
    detail: `In use since ${formatDay(at)} (${formatAge(clock() - Date.parse(at))}).`,
  };
}

function bucketFinding(status: number): Finding {
  if (status >= 200 && status < 300) return {};
  if (status === 403) return { problem: "The bucket refused the credentials." };
  if (status === 404) return { problem: "The bucket does not exist." };
  return {
    problem: status < 400
      ? "The bucket is in another region."
      : "The bucket's server returned an error.",
  };
}

const UNREACHABLE = "The connection failed.";
const SERVER_ERROR = "The server returned an error.";

const BANK: Record<BankErrorCode, string> = {
  auth_failed: "The bank refused the token.",
  rate_limited: "The bank is limiting requests.",
  network_error: UNREACHABLE,
  slow: UNREACHABLE,
  upstream_error: "The bank returned an error.",
  invalid_response: "The bank returned an error.",
  not_found: "The bank returned an error.",
};

const CODES: Record<CodeProviderProblem, string> = {
  unreachable: UNREACHABLE,
  refused: "The provider refused the account or its token.",
  suspended: "The account is not active.",
  server_error: SERVER_ERROR,
};

const ORIGIN: Record<OriginProblem, string> = {
  unreachable: UNREACHABLE,
  refused: "The origin refused the service token.",
  led_out: "The origin redirects to another site, as it does without a valid service token.",
  server_error: SERVER_ERROR,
};

const NOT_READY = "The server is not ready to accept email.";

const MAIL: Record<MailFailure, string> = {
  connection_failed: UNREACHABLE,
  timeout: UNREACHABLE,
  tls_failed: "The server's certificate was not accepted.",
  auth_failed: "The server refused the user or the password.",
  server_error: SERVER_ERROR,
  protocol_error: NOT_READY,
  deferred: NOT_READY,
  rate_limited: NOT_READY,
  redirected: NOT_READY,
  invalid_mail: NOT_READY,
  sender_refused: NOT_READY,
  policy_refused: NOT_READY,
  recipient_refused: NOT_READY,
  recipient_unavailable: NOT_READY,
  message_refused: NOT_READY,
  unexpected: NOT_READY,
};
