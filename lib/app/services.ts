import { type Api, createApi } from "../features/api/mod.ts";
import { type Auth, createAuth, createUnusedAccountsJob } from "../features/auth/mod.ts";
import { createOutageJob, createTreasury, type Treasury } from "../features/bank/mod.ts";
import {
  type Chains,
  createChains,
  createCheckJob,
  headKey,
  publisherOf,
} from "../features/chain/store/mod.ts";
import { createPhone, type Phone } from "../features/codes/providers/mod.ts";
import { codeData, type CodeProvider, type Codes, createCodes } from "../features/codes/mod.ts";
import { type Config } from "./config.ts";
import { VERSION } from "../platform/config/release.ts";
import {
  type Contact,
  contactEntries,
  type ContactIndex,
  createContact,
  createContactIndex,
  ownerOf,
  readContact,
} from "../features/contact/mod.ts";
import type { ContactModule } from "../features/contact/module.ts";
import {
  countMailFailure,
  createMailer,
  createTransport,
  type Mailer,
  type Outbox,
} from "../platform/mail/mod.ts";
import { createJobs, type Jobs } from "../platform/jobs/mod.ts";
import {
  type Access,
  accessData,
  type Checks,
  createAccess,
  createChecks,
  createDocuments,
  createPdfJs,
  createReadings,
  type Documents,
  type IssuePdf,
  issuePdf,
  type PdfJs,
  type Readings,
} from "../features/documents/mod.ts";
import { type StoredPage, storedPageSize } from "../platform/http/feed.ts";
import { createFeedStreams, type FeedStreams } from "../platform/http/feed_streams.ts";
import { type BoundedCache, createBoundedCache } from "../platform/http/bounded_cache.ts";
import { minimalHeaders } from "../platform/http/minimal_headers.ts";
import { createRateLimiter } from "../platform/http/rate_limit.ts";
import { createInFlight, type InFlight } from "../platform/http/in_flight.ts";
import { createBatchedReads, type Schedule, scheduleTimeout } from "../platform/kv/mod.ts";
import { inTime } from "../base/in_time.ts";
import { createInfra, type Infra } from "../features/infra/mod.ts";
import {
  createManifest,
  createMcpServer,
  type Manifest,
  type McpServer,
  mcpTools,
} from "../features/mcp/mod.ts";
import {
  type Catalogue,
  createCatalogue,
  createSaved,
  type Saved,
} from "../features/qualifications/mod.ts";
import {
  addAlert,
  addAudit,
  type Alerts,
  type AuditLog,
  chainAlert,
  createAlerts,
  createAuditLog,
  layerOf,
  mailAlert,
  maySignIn,
} from "../features/console/mod.ts";
import {
  agentData,
  createOAuth,
  createTokens,
  type Network,
  type OAuth,
  RECORD_REQUESTS_PER_MINUTE,
  type Tokens,
} from "../features/oauth/mod.ts";
import { createPasskeys, passkeyData, type Passkeys } from "../features/passkeys/mod.ts";
import { createPayments, type Payments } from "../features/payments/mod.ts";
import {
  createPush,
  createUnseenJob,
  type Push,
  type PushProviders,
} from "../features/push/mod.ts";
import { createPushServices } from "../features/push/providers/mod.ts";
import { createPushInbox, type PushInbox } from "../features/push/stand_in.ts";
import { migrate } from "./migrations/mod.ts";
import { createRecords, keyData, type Records } from "../features/records/mod.ts";
import { createRelay, type Relay } from "../features/relay/mod.ts";
import { createSecrets } from "../base/secrets.ts";
import {
  createReadiness,
  createStoreGuard,
  type ReadinessCheck,
  type StoreGuard,
} from "../features/store/mod.ts";
import { createStandard, type Standard } from "../features/standard/mod.ts";
import {
  countingFetch,
  createGauges,
  createLog,
  createMetrics,
  createRequestScope,
  type GaugeReading,
  type LogOptions,
  type Metrics,
  type RequestScope,
} from "../platform/telemetry/mod.ts";
import { createPages, type Pages, publishedPages } from "../features/trust_pages/mod.ts";
import {
  createSurfaces,
  type OrganisationKey,
  type Surfaces,
  type SurfaceTable,
} from "../platform/surfaces/mod.ts";
import { MINUTE_MS, SECOND_MS } from "../base/time.ts";

/** Everything that the app shares: created once and passed in `ctx.state`. */
export interface Services {
  config: Config;
  /** Returns the time in milliseconds since 1970; injected in tests. */
  clock: () => number;
  /**
   * Logs one structured line, with the time and the request's id. Entries must not contain secrets
   * or email addresses.
   */
  log: (entry: Record<string, unknown>) => void;
  metrics: Metrics;
  /** Reads the values that are not counted, such as the number of waiting mails. */
  readGauges: () => Promise<GaugeReading[]>;
  /** Knows which request the running code belongs to. */
  requestScope: RequestScope;
  kv: Deno.Kv;
  /** The description of the API. */
  api: Api;
  auth: Auth;
  mailer: Mailer;
  /** Background work, which `server.ts` starts. */
  jobs: Jobs;
  /** Stored mail in development; null if mail is sent. */
  outbox: Outbox | null;
  surfaces: Surfaces;
  standard: Standard;
  /** The published texts of our own pages. */
  pages: Pages;
  catalogue: Catalogue;
  /** The queries and qualifications that users of the site have saved. */
  saved: Saved;
  /** Parts of pages that are the same for everyone. */
  html: BoundedCache<string>;
  /** Serialised pages of chains. */
  feedPages: BoundedCache<StoredPage>;
  manifests: Record<OrganisationKey, Manifest>;
  mcp: Record<OrganisationKey, McpServer>;
  /** The authorization servers of the MCP hosts. */
  oauth: OAuth;
  /** The tokens that these servers issue. */
  tokens: Tokens;
  chains: Chains;
  contact: Contact;
  contactIndex: ContactIndex;
  records: Records;
  documents: Documents;
  /** Requests for access to documents. */
  access: Access;
  /** Checks whether a file is a registered document. */
  checks: Checks;
  /** Documents as their readers see them. */
  readings: Readings;
  pdfJs: PdfJs;
  /** The alerts of the consoles. */
  alerts: Alerts;
  /** The log of what operators do in the consoles. */
  audit: AuditLog;
  /** The provider of codes by SMS and voice. */
  phone: Phone;
  passkeys: Passkeys;
  /** Notifications on the holders' devices. */
  push: Push;
  /** Null unless the stand-in for the push services is running. */
  pushInbox: PushInbox | null;
  payments: Payments;
  /** One-time codes by SMS and voice. */
  codes: Codes;
  /** Returns the contact form script for other pages. */
  contactModule: () => Promise<ContactModule>;
  relays: ReadonlyMap<string, Relay>;
  /** The bank as each console sees it. */
  treasuries: Record<OrganisationKey, Treasury>;
  /** Checks of the services that the deployment depends on. */
  infra: Infra;
  inFlight: InFlight;
  /** Checks whether this process can handle requests. */
  readiness: ReadinessCheck;
  store: StoreGuard;
  /** The open streams of chains and access logs. */
  streams: FeedStreams;
  /** Brings the store to the current format, before the site serves requests. */
  migrate(): Promise<number>;
  /**
   * Ends all streams, waits for in-flight responses, jobs and messages, then closes the store.
   *
   * @param limitMs how long all of this may take together; the rest is cut off. Default: 10 seconds
   */
  close(limitMs?: number): Promise<void>;
}

const CLOSE_LIMIT_MS = 10_000;

/** In characters. */
const HTML_CACHE_LIMIT = 4_000_000;

/** In bytes: a few thousand pages. */
const FEED_CACHE_LIMIT = 16_000_000;

/** Replacements for tests. */
export interface ServiceOverrides {
  table?: SurfaceTable;
  clock?: () => number;
  log?: Services["log"];
  /** Writes log lines somewhere else than to the console. */
  writeLine?: LogOptions["write"];
  fetch?: typeof fetch;
  contactModule?: Services["contactModule"];
  codeProvider?: CodeProvider;
  /** Default: none. */
  pushProviders?: PushProviders;
  /** Null keeps PDFs as they are, without an issued copy. */
  issuePdf?: IssuePdf | null;
  /** The network that the documents of MCP clients are fetched from. */
  network?: Network;
  /** Waits before a request to the bank or to the mail API is retried. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
  print?: (line: string) => void;
  /** Starts the timers of {@linkcode Services.streams} and {@linkcode Services.infra}. */
  schedule?: Schedule;
  /** Returns the monotonic time in milliseconds, for latencies and for reads that are shared. */
  elapsed?: () => number;
}

/**
 * Creates the services of a configuration. Nothing is sent or written yet.
 *
 * @param kv the opened store, which `close` closes
 *
 * @example
 * ```ts
 * const config = parseConfig(Deno.env.toObject());
 * const services = createServices(config, await openKv(config.kvPath));
 * ```
 */
export function createServices(
  config: Config,
  kv: Deno.Kv,
  overrides: ServiceOverrides = {},
): Services {
  const clock = overrides.clock ?? Date.now;
  const metrics = createMetrics();
  const { count } = metrics;
  const requestScope = createRequestScope(config);
  const instance = crypto.randomUUID().slice(0, 8);
  const log = overrides.log ?? createLog({
    clock,
    level: config.telemetry.logLevel,
    instance,
    requestId: requestScope.id,
    onLine: (level) => count("log_lines", { level }),
    write: overrides.writeLine,
  });
  // Timers outlive the request that starts them.
  const schedule: Schedule = (run, ms) =>
    requestScope.outside(() => (overrides.schedule ?? scheduleTimeout)(run, ms));
  const surfaces = createSurfaces(config, overrides.table);
  const store = createStoreGuard({
    kv,
    clock,
    config,
    publisher: publisherOf(surfaces),
    schedule,
    log,
  });
  const readiness = createReadiness(store);
  const transport = createTransport(config.mail, {
    pause: overrides.pause,
    fetch: overrides.fetch ?? fetch,
    print: overrides.print ?? console.log,
    clock,
  });
  const secrets = createSecrets({ kv, given: config.appSecrets });
  const mailer = createMailer({
    kv,
    clock,
    secrets,
    transport,
    senders: config.mail.senders,
    log,
    count,
    onFailure: (sender) => countMailFailure(kv, sender),
    addToLoss: (commit, lost) => addAlert(kv, commit, mailAlert(lost), clock()),
  });
  const jobs = createJobs({ kv, clock, log, paused: () => store.readOnly !== null });
  jobs.register({
    name: "mail",
    everyMs: 15 * SECOND_MS,
    maxMs: MINUTE_MS,
    async run({ signal }) {
      const { sent, failed } = await mailer.drain(signal);
      return `${sent} sent, ${failed} failed`;
    },
  });
  const inFlight = createInFlight();
  const streams = createFeedStreams({
    kv,
    clock,
    schedule,
    clientLimit: config.streamClientLimit,
    log,
  });
  const chains = createChains({
    kv,
    clock,
    publisher: publisherOf(surfaces),
    signingKey: config.chain.signingKey,
    addToEvent: (commit, hash, event) => push.addToEvent(commit, hash, event),
    onAppend(hash, kind) {
      count("appends", { kind });
      streams.changed(headKey(hash));
    },
    elapsed: overrides.elapsed,
  });
  const pushServices = createPushServices(config.push, {
    fetch: overrides.fetch ?? fetch,
    clock,
  });
  const pushProviders = overrides.pushProviders ?? pushServices.providers;
  const { standIn: pushStandIn } = config.push;
  const push = createPush({
    kv,
    clock,
    secrets,
    chains,
    providers: pushProviders,
    standIn: pushStandIn?.url,
    url: surfaces.url("trust", "/my-record") ?? "",
    log,
    count,
    async addToLoss(commit, { hash, reason, ...details }) {
      const contact = await readContact(kv, hash);
      if (contact === null) return;
      const alert = {
        organisation: ownerOf(contact),
        kind: "push_failed",
        problem: `${details.platform ?? "push"}/${reason}`,
        links: { record: hash },
        details: { reason, ...details },
      } as const;
      await addAlert(kv, commit, alert, clock());
    },
  });
  const { onGrantEnd } = push;
  jobs.register({
    name: "push",
    everyMs: 15 * SECOND_MS,
    maxMs: MINUTE_MS,
    async run({ signal }) {
      const { sent, failed } = await push.drain(signal);
      return `${sent} sent, ${failed} failed`;
    },
  });
  jobs.register(createUnseenJob({ kv, clock }));
  jobs.register(createUnusedAccountsJob({ kv, clock }));
  const index = createContactIndex({ kv, secrets });
  const { organisations } = config;
  const contact = createContact({
    kv,
    clock,
    chains,
    index,
    secrets,
    mailer,
    fetch: overrides.fetch ?? fetch,
    config: config.contact,
    isFormHost: (hostname) =>
      surfaces.byHost(hostname) !== undefined ||
      config.contact.origins.some((origin) => new URL(origin).hostname === hostname),
    organisations,
    count,
  });
  const documents = createDocuments({
    kv,
    clock,
    config: config.documents,
    fetch: overrides.fetch ?? fetch,
    log,
    issuers: organisations,
    trustUrl: (path) => surfaces.url("trust", path) ?? path,
    issuePdf: overrides.issuePdf === undefined ? issuePdf : overrides.issuePdf ?? undefined,
  });
  jobs.register(documents.job);
  const reads = createBatchedReads(kv);
  const alerts = createAlerts({ kv, clock, reads });
  jobs.register(createCheckJob({
    kv,
    publisher: chains.publisher,
    keys: chains.keys,
    async report(chain, faults) {
      count("chain_faults", {});
      const stored = await contactEntries(kv, [chain.hash]);
      const organisation = stored.length > 0
        ? ownerOf(stored[0].value)
        : surfaces.get("trust")?.organisation ?? "commercial";
      await alerts.report(chainAlert(organisation, chain, faults));
    },
  }));
  const payments = createPayments({
    kv,
    clock,
    config: config.payments,
    fetch: overrides.fetch ?? fetch,
    log,
  });
  const records = createRecords({
    kv,
    reads,
    clock,
    secrets,
    chains,
    contact,
    index,
    mailer,
    surfaces,
    organisations,
    clientLimit: config.signInClientLimit,
    log,
    count,
    // Every feature that stores something for a record has an entry.
    linked: [
      keyData({ kv, clock }),
      passkeyData({ kv, clock }),
      codeData({ kv, index }),
      documents.recordData,
      accessData({ kv, clock }),
      payments.recordData,
      alerts.recordData,
      push.recordData,
      agentData({ kv, onGrantEnd }),
    ],
  });
  for (const job of records.jobs) jobs.register(job);
  const access = createAccess({
    kv,
    clock,
    secrets,
    mailer,
    readers: records.readers,
    organisations,
    trustUrl: (path) => surfaces.url("trust", path) ?? path,
    clientLimit: config.signInClientLimit,
    log,
  });
  const publisherName = organisations[surfaces.get("trust")?.organisation ?? "commercial"].name;
  const phone = createPhone({
    config: config.codes,
    kv,
    clock,
    secrets,
    fetch: overrides.fetch ?? fetch,
    log,
    baseUrl: surfaces.url("trust"),
    site: publisherName,
  });
  const codes = createCodes({
    kv,
    clock,
    secrets,
    chains,
    index,
    records,
    mailer,
    provider: overrides.codeProvider ?? phone.provider,
    channels: overrides.codeProvider ? ["sms", "voice"] : phone.channels,
    deliveries: phone.deliveries,
    config: config.codes,
    clientLimit: config.signInClientLimit,
    site: {
      host: new URL(surfaces.url("trust") ?? "http://localhost").hostname,
      name: publisherName,
    },
    log,
    count,
  });
  const passkeys = createPasskeys({
    kv,
    clock,
    records,
    mailer,
    config: config.passkeys,
    organisations,
    log,
    count,
  });
  const standard = createStandard();
  const pageContext = { config, surfaces, publisher: chains.publisher };
  const pages = createPages({
    ...pageContext,
    kv,
    clock,
    pages: publishedPages(pageContext, standard),
  });
  const catalogue = createCatalogue();
  const manifests = {
    foundation: manifestOf("foundation", config, surfaces),
    commercial: manifestOf("commercial", config, surfaces),
  };
  const recordLimiter = createRateLimiter({
    limit: config.mcp.rateLimit && Math.max(config.mcp.rateLimit, RECORD_REQUESTS_PER_MINUTE),
    windowMs: MINUTE_MS,
    clock,
    maxClients: 10_000,
  });
  const mcp = (organisation: OrganisationKey) => {
    const { rateLimit, allowedOrigins } = config.mcp;
    return createMcpServer({
      manifest: manifests[organisation],
      tools: mcpTools,
      deps: {
        manifest: manifests[organisation],
        surfaces: () => listSurfaces(surfaces),
        standard,
        catalogue,
        chains,
        recordOf: async (hash) => {
          const record = await records.read(hash);
          return record && { level: record.row.level, documents: await documents.list(hash) };
        },
      },
      allowedOrigins: (origin) => surfaces.isOwnOrigin(origin) || allowedOrigins.includes(origin),
      rateLimiter: createRateLimiter({
        limit: rateLimit,
        windowMs: MINUTE_MS,
        clock,
        maxClients: 10_000,
      }),
      recordLimiter,
      headers: minimalHeaders(config),
      onCall: (tool) => count("mcp_calls", { organisation, tool }),
      log: (event, error) =>
        log({ level: "error", event, stack: error instanceof Error ? error.stack : String(error) }),
    });
  };
  const oauth = createOAuth({
    kv,
    clock,
    surfaces,
    config: config.oauth,
    requestLimit: config.mcp.rateLimit,
    network: overrides.network,
    notices: records.notices,
    mailer,
    onGrantEnd,
  });
  const treasury = (surface: OrganisationKey) => {
    const { baseUrl, tokens, account } = config.bank;
    const { value, variable } = tokens[surface];
    const split = surface === "foundation" && account !== undefined;
    return createTreasury({
      surface,
      baseUrl: baseUrl ?? "",
      token: baseUrl === undefined ? undefined : value,
      tokenSecret: variable,
      ...split ? { accountId: account.id, pendingAccount: account } : {},
      kv,
      reads,
      clock,
      fetch: countingFetch(
        overrides.fetch ?? fetch,
        (outcome) => count("bank_calls", { organisation: surface, outcome }),
      ),
      log,
      ...overrides.pause === undefined ? {} : { pause: overrides.pause },
    });
  };
  const treasuries = { foundation: treasury("foundation"), commercial: treasury("commercial") };
  const infra = createInfra({
    config,
    kv,
    clock,
    surfaces,
    chains,
    fetch: overrides.fetch ?? fetch,
    schedule,
    elapsed: overrides.elapsed,
    pushProviders,
    lastBankResponse: (organisation) => treasuries[organisation].lastResponse(),
  });
  jobs.register(createOutageJob({ kv, clock, treasuries }));
  return {
    config,
    clock,
    log,
    metrics,
    readGauges: createGauges({
      kv,
      clock,
      kvPath: config.kvPath,
      jobs,
      build: { version: VERSION, revision: config.revision ?? "", process: instance },
      inFlight,
      streams,
      readiness: () => readiness.check(),
    }),
    requestScope,
    kv,
    infra,
    api: createApi({ surfaces, organisations: config.organisations }),
    auth: createAuth({
      kv,
      clock,
      clientLimit: config.signInClientLimit,
      secrets,
      mailer,
      permits: (email, surface) => maySignIn(email, surface, config.ops),
      addToSignIn(commit, { email, surface }, now) {
        const { organisation, signIn } = surfaces.get(surface) ?? {};
        if (organisation === undefined || !signIn?.operatorsOnly) return;
        const detail = layerOf(email, config.ops) ?? "no access";
        addAudit(commit, { organisation, by: email, action: "sign_in", detail }, now);
      },
      log,
      count,
    }),
    mailer,
    jobs,
    outbox: transport.name === "outbox" ? transport : null,
    surfaces,
    standard,
    pages,
    catalogue,
    saved: createSaved({ kv, clock, catalogue, log }),
    html: createBoundedCache({ limit: HTML_CACHE_LIMIT, sizeOf: (html) => html.length }),
    feedPages: createBoundedCache({ limit: FEED_CACHE_LIMIT, sizeOf: storedPageSize }),
    manifests,
    mcp: { foundation: mcp("foundation"), commercial: mcp("commercial") },
    oauth,
    tokens: createTokens({
      kv,
      clock,
      elapsed: overrides.elapsed,
      secrets,
      oauth,
      recordLimiter,
      onGrantEnd,
    }),
    chains,
    contact,
    contactIndex: index,
    records,
    documents,
    checks: createChecks({
      clock,
      documents,
      records,
      organisations,
      trustUrl: (path) => surfaces.url("trust", path) ?? path,
      findPage: pages.findPage,
    }),
    readings: createReadings({ kv, clock, secrets, documents, records }),
    pdfJs: createPdfJs(),
    access,
    alerts,
    audit: createAuditLog({ kv, clock, secrets }),
    phone,
    passkeys,
    push,
    pushInbox: pushStandIn === undefined
      ? null
      : createPushInbox(pushStandIn.inbox, overrides.fetch ?? fetch),
    payments,
    codes,
    relays: new Map(config.relays.all.map((relay) => {
      const { timeoutMs } = config.relays;
      const onBytes = (bytes: number) => count("relay_bytes", { relay: relay.name }, bytes);
      const deps = { fetch: overrides.fetch ?? fetch, timeoutMs, log, onBytes };
      return [relay.host, createRelay(relay, deps)];
    })),
    treasuries,
    contactModule: overrides.contactModule ??
      (() => Promise.reject(new Error("The contact module was not built."))),
    inFlight,
    readiness,
    store,
    streams,
    migrate: () => migrate({ kv, index, secrets }),
    async close(limitMs = CLOSE_LIMIT_MS) {
      const end = performance.now() + limitMs;
      const left = () => Math.max(0, end - performance.now());
      readiness.stop();
      store.close();
      const jobsStopped = jobs.stop();
      const infraClosed = infra.close();
      await inTime(streams.close(), left());
      await inFlight.settled(left());
      await inTime(Promise.all([jobsStopped, infraClosed]), left());
      // Responses and jobs may have caused messages. What is not sent in time stays in the store.
      await codes.close(left());
      await push.close(left());
      pushServices.close();
      await mailer.close(left());
      kv.close();
    },
  };
}

function manifestOf(organisation: OrganisationKey, config: Config, surfaces: Surfaces): Manifest {
  const { name, description, contactEmail } = config.organisations[organisation];
  return createManifest({
    organisation,
    organisationName: name,
    description,
    contactEmail,
    requestsPerMinute: config.mcp.rateLimit || null,
    siteBaseUrl: surfaces.url(organisation) ?? "",
    mcpBaseUrl: surfaces.url(`${organisation}-mcp`) ?? "",
  });
}

/** Returns the surfaces with the paths that they serve, for the MCP tool. */
function listSurfaces(surfaces: Surfaces) {
  return surfaces.all.filter(({ servesAll }) => !servesAll).map(
    ({ name, baseUrl, purpose, routes }) => ({
      name,
      url: baseUrl,
      purpose,
      shows: routes.filter(({ off }) => off === undefined).map(({ path }) => path),
    }),
  );
}
