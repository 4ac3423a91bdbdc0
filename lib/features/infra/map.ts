/** The map of the deployment: its surfaces, process, services and relays, with their states. */
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { MailConfig } from "../../platform/mail/variables.ts";
import type { PushPlatform, PushProviders } from "../push/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import type { Check, Checks } from "./monitor.ts";
import { bankProbe, mailCheck, originProbe, type ProbedServices } from "./probes.ts";

/**
 * - `up`, `slow`, `down`: the result of the last probe.
 * - `checking`: the first probe is running.
 * - `configured`: not probed.
 * - `off`: not configured.
 */
export type NodeState = Check["state"] | "checking" | "configured" | "off";

/** The group of nodes that a node is drawn with. */
export type NodeGroup = "surfaces" | "process" | "services" | "relays" | "origins";

/** A part of the deployment. It has no address, except the public host of a surface or a relay. */
export interface InfraNode {
  id: string;
  name: string;
  /** Its purpose, in a few words. */
  role: string;
  group: NodeGroup;
  state: NodeState;
  /** When the last probe ended, ISO 8601 in UTC; null before that and for nodes without a probe. */
  checked_at: string | null;
  /** How long the last probe took; null if it failed. */
  latency_ms: number | null;
  detail?: string;
  host?: string;
}

/** `from` sends requests to `to`. */
interface InfraEdge {
  from: string;
  to: string;
}

/** `GET /api/infra/map` (spec 4.7). */
export interface InfraMap {
  organisation: OrganisationKey;
  nodes: InfraNode[];
  edges: InfraEdge[];
}

export interface MapDeps {
  config: ProbedServices & { organisations: Record<OrganisationKey, OrganisationConfig> };
  surfaces: Surfaces;
  clock: () => number;
  /** The providers, by the platform that they send to. */
  pushProviders: PushProviders;
}

/** Returns the nodes of an organisation's map whose state a probe determines, or the configuration. */
export const dependencies = (
  deps: MapDeps,
  organisation: OrganisationKey,
  checks: Checks,
): InfraNode[] => [...serviceNodes(deps, organisation, checks), ...relayNodes(deps, checks)];

/** Returns the map of an organisation: its own surfaces and bank, and what both organisations use. */
export function drawMap(deps: MapDeps, organisation: OrganisationKey, checks: Checks): InfraMap {
  const surfaces = surfaceNodes(deps, organisation);
  const services = serviceNodes(deps, organisation, checks);
  const relays = relayNodes(deps, checks);
  const inside: InfraNode = {
    id: "process",
    name: "Gatehouse",
    role: "The program that serves this page",
    group: "process",
    state: "up",
    checked_at: new Date(deps.clock()).toISOString(),
    latency_ms: null,
  };
  return {
    organisation,
    nodes: [inside, ...surfaces, ...services, ...relays],
    edges: [
      ...surfaces.filter(({ state }) => state !== "off").map(({ id }) => ({
        from: id,
        to: inside.id,
      })),
      ...services.filter(({ state }) => state !== "off").map(({ id }) => ({
        from: inside.id,
        to: id,
      })),
      ...relays.filter(({ group }) => group === "relays").map(({ id }) => ({
        from: id,
        to: id.replace("relay:", "origin:"),
      })),
    ],
  };
}

export const LOG_NODE = "log";
/** The beginning of the names of nodes and checks of witnesses. */
export const WITNESS_NODE = "witness:";

const fixed = (state: "configured" | "off", detail?: string) => ({
  state,
  checked_at: null,
  latency_ms: null,
  ...detail === undefined ? {} : { detail },
});

/** Returns the state of a node with a probe. */
function probed(checks: Checks, probe: string) {
  const check = checks.get(probe);
  if (check === undefined) {
    return { state: "checking" as const, checked_at: null, latency_ms: null };
  }
  const { state, at, latencyMs, detail } = check;
  return {
    state,
    checked_at: new Date(at).toISOString(),
    latency_ms: state === "down" ? null : latencyMs,
    ...detail === undefined ? {} : { detail },
  };
}

/**
 * Returns the organisation's surfaces and the other organisation. The process knows which hosts it
 * serves, but not whether a browser elsewhere can reach them.
 */
function surfaceNodes({ surfaces, config }: MapDeps, organisation: OrganisationKey): InfraNode[] {
  const group = "surfaces";
  const known = surfaces.known.filter(({ servesAll }) => !servesAll);
  const own = known.filter((surface) => surface.organisation === organisation).map(
    ({ name, title }): InfraNode => {
      const url = surfaces.url(name);
      const node = {
        id: `surface:${name}`,
        name: shortTitle(title, config.organisations[organisation].name),
        role: "Surface",
        group,
      } as const;
      return url === null
        ? { ...node, ...fixed("off", "SURFACE_HOSTS has no host for it.") }
        : { ...node, ...fixed("configured"), host: new URL(url).host };
    },
  );
  const others = known.filter((surface) => surface.organisation !== organisation);
  const served = others.filter(({ name }) => surfaces.get(name) !== undefined).length;
  const other = organisation === "foundation" ? "commercial" : "foundation";
  return [...own, {
    id: "other-organisation",
    name: config.organisations[other].name,
    role: "The other organisation",
    group,
    ...fixed(
      served > 0 ? "configured" : "off",
      `${served} of its ${others.length} surfaces are served here.`,
    ),
  }];
}

/** Returns a surface's title without the name of its organisation, which the page shows already. */
function shortTitle(title: string, organisation: string): string {
  const prefix = `${organisation}: `;
  if (!title.startsWith(prefix)) return title;
  const short = title.slice(prefix.length);
  return short[0].toUpperCase() + short.slice(1);
}

function serviceNodes(
  { config, pushProviders }: MapDeps,
  organisation: OrganisationKey,
  checks: Checks,
): InfraNode[] {
  const { bank, codes, documents, surfaceHosts } = config;
  const { value: token, variable } = bank.tokens[organisation];
  const node = (
    id: string,
    name: string,
    role: string,
    state: ReturnType<typeof probed> | ReturnType<typeof fixed>,
  ) => ({
    id,
    name,
    role,
    group: "services" as const,
    ...state,
  });
  const { provider } = codes;
  return [
    node("store", "Store", "Deno KV: everything that is stored", probed(checks, "store")),
    node(
      "bank",
      "Bank",
      "Accounts and transactions",
      token === undefined
        ? fixed("off", `${variable} is not set.`)
        : bank.baseUrl === undefined
        ? fixed("off", "BANK_API_BASE is not set.")
        : probed(checks, bankProbe(bank, organisation)),
    ),
    node(
      "mail",
      "Mail",
      `Mail by ${MAIL_TRANSPORTS[config.mail.transport]}`,
      probed(checks, mailCheck(organisation)),
    ),
    node(
      "codes",
      "Codes",
      "One-time codes by SMS and call",
      provider === undefined
        ? fixed("off", "CODE_PROVIDER is off.")
        : provider.name === "sandbox" && provider.account === undefined
        ? fixed("off", "The stand-in is not running.")
        : probed(checks, "codes"),
    ),
    node("push", "Push", "Messages to the app and the browser", pushState(pushProviders)),
    ...documents.s3 === undefined
      ? []
      : [node("documents", "Document store", "S3 bucket with files", probed(checks, "documents"))],
    node(
      "signing-key",
      "Signing key",
      "Signs the heads of chains",
      surfaceHosts.trust === undefined
        ? fixed("off", "The trust surface is not served here.")
        : probed(checks, "signing-key"),
    ),
    node(
      LOG_NODE,
      "Public log",
      "Entries of all events, documents and keys",
      surfaceHosts.trust === undefined
        ? fixed("off", "The trust surface is not served here.")
        : probed(checks, LOG_NODE),
    ),
    ...[...checks.keys()].filter((name) => name.startsWith(WITNESS_NODE)).map((name) =>
      node(
        name,
        `Witness ${name.slice(WITNESS_NODE.length)}`,
        "Countersigns the public log",
        // The log asks it, and nobody measures how long that takes.
        { ...probed(checks, name), latency_ms: null },
      )
    ),
  ];
}

const PLATFORMS: Record<PushPlatform, string> = {
  ios: "iOS",
  android: "Android",
  web: "browsers",
};

/** Push services are not probed: they have no request that sends nothing. */
function pushState(providers: PushProviders) {
  const platforms = (Object.keys(PLATFORMS) as PushPlatform[])
    .filter((platform) => providers[platform] !== undefined)
    .map((platform) => PLATFORMS[platform]);
  return platforms.length === 0
    ? fixed("off", "Not configured.")
    : fixed("configured", `For ${platforms.join(", ")}.`);
}

const MAIL_TRANSPORTS: Record<MailConfig["transport"], string> = {
  outbox: "the development outbox",
  smtp: "SMTP",
  http: "the provider's HTTP API",
};

const relayNodes = ({ config }: MapDeps, checks: Checks): InfraNode[] =>
  config.relays.all.flatMap(({ name, host }): InfraNode[] => [
    {
      id: `relay:${name}`,
      name,
      role: "Relay",
      group: "relays",
      ...fixed("configured"),
      host,
    },
    {
      id: originProbe(name),
      name: `Origin of ${name}`,
      role: "The site that the relay reads",
      group: "origins",
      ...probed(checks, originProbe(name)),
    },
  ]);
