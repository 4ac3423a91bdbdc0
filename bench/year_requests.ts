/**
 * Requests for every page and endpoint that reads: those that `year.ts` measures, and whose rows
 * `tests/growth_test.ts` counts.
 *
 * @module
 */
import type { BenchRequest } from "./client.ts";
import type { FilledStore } from "./year_store.ts";

/** A request whose host has no port. */
export interface YearRequest extends BenchRequest {
  /** Default: 200. */
  status?: number;
}

/** A read, and how to request it for the `i`th time in a store. */
export interface YearRead {
  name: string;
  request(store: FilledStore, i: number): YearRequest;
}

type PathOf = string | ((store: FilledStore, i: number) => string);

const at = <Value>(values: readonly Value[], i: number): Value => values[i % values.length];

/** The numbers of different records and documents requested, all that the nearly empty store has. */
const RECORDS = 120;
const DOCUMENTS = 20;

/** Returns one of `count` evenly spaced values. Values that are requested again are in memory. */
const oneOf = <Value>(values: readonly Value[], count: number, i: number): Value =>
  at(values, (i % count) * Math.max(1, Math.floor(values.length / count)));

const record = ({ hashes }: FilledStore, i: number) => oneOf(hashes, RECORDS, i);
const document = ({ documents }: FilledStore, i: number) => oneOf(documents, DOCUMENTS, i);

/** Returns a limit that differs each time the same record is requested. */
const limitOf = (i: number) => 1 + Math.floor(i / RECORDS) % 100;

const HTML = { accept: "text/html" };
const JSON_BODY = { "content-type": "application/json", accept: "application/json" };
const FORM_BODY = { "content-type": "application/x-www-form-urlencoded", ...HTML };

const get = (
  host: string,
  path: PathOf,
  options: {
    name?: string;
    status?: number;
    headers?: (store: FilledStore, i: number) => Record<string, string>;
  } = {},
): YearRead => ({
  name: options.name ?? `${host.replace(/\.localhost$/, "")} ${path}`,
  request: (store, i) => ({
    host,
    path: typeof path === "string" ? path : path(store, i),
    headers: { ...HTML, ...options.headers?.(store, i) },
    ...options.status && { status: options.status },
  }),
});

/** Returns a function that requests paths of one host with the cookie of a session. */
const signedInTo = (
  host: string,
  who: string,
  cookie: (store: FilledStore, i: number) => string,
) =>
(path: PathOf, name = String(path), status?: number): YearRead =>
  get(host, path, {
    name: `${who} ${name}`,
    ...status && { status },
    headers: (store, i) => ({ cookie: cookie(store, i) }),
  });

const CONSOLE = "ops.commercial.localhost";
const administrator = signedInTo(CONSOLE, "console", (store) => store.administrator);
const board = signedInTo(CONSOLE, "board member", (store) => store.board);
const foundation = signedInTo(
  "ops.foundation.localhost",
  "foundation's console",
  (store) => store.foundation,
);
const holder = signedInTo("trust.localhost", "holder", (store) => store.holder);
const user = signedInTo("site.localhost", "user", ({ accounts }) => accounts[0]);

/** Posts a form to the console, because URLs must not contain names. */
const post = (path: string, name: string, fields: Record<string, PathOf>): YearRead => ({
  name: `console ${path}, ${name}`,
  request: (store, i) => ({
    host: CONSOLE,
    path,
    method: "POST",
    headers: { cookie: store.administrator, ...FORM_BODY },
    body: new URLSearchParams(
      Object.entries(fields).map(([field, value]) => [
        field,
        typeof value === "string" ? value : value(store, i),
      ]),
    ).toString(),
  }),
});

const call = (name: string, args: Record<string, unknown>): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });

const FOUNDATION_PAGES = [
  "/",
  "/verify",
  "/governance",
  "/implementations",
  "/connect",
  "/contact",
  "/standard",
  "/standard/event-chain",
  "/standard/complete",
  "/standard/changelog",
  "/standard/kit",
  "/standard.md",
  "/standard.pdf",
  "/standard/vectors.json",
  "/standard?q=salt",
  "/sitemap.xml",
  "/llms.txt",
  "/.well-known/mcp",
  "/.well-known/mcp/server-card.json",
  "/.well-known/ai-catalog.json",
];

const TRUST_PAGES = [
  "/",
  "/check",
  "/d",
  "/k",
  "/terms",
  "/privacy",
  "/levels",
  "/my-record",
  "/.well-known/chain-keys.json",
];

const MCP_PAGES = [
  "/",
  "/mcp/server-card",
  "/mcp/server.json",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
];

const VISITORS: readonly YearRead[] = [
  ...FOUNDATION_PAGES.map((path) => get("foundation.localhost", path)),
  ...["/", "/security", "/status", "/connect", "/contact"].map((path) =>
    get("commercial.localhost", path)
  ),
  ...["/", "/?request=finance"].map((path) => get("investor.localhost", path)),
  ...TRUST_PAGES.map((path) => get("trust.localhost", path)),
  ...MCP_PAGES.map((path) => get("mcp.foundation.localhost", path)),
  ...["/", "/docs", "/openapi.json"].map((path) => get("api.localhost", path)),
  ...["/", "/?q=care&level=3", "/qualifications/CHC50121", "/compare", "/auth"].map((path) =>
    get("site.localhost", path)
  ),
  get("site.localhost", "/compare?a=TAE40110&b=TAE40122"),
  get("site.localhost", "/api/qualifications?q=care"),
  get("site.localhost", (_, i) => `/auth/verify?token=${String(i).padStart(43, "A")}`, {
    name: "a sign-in link that is not known",
    status: 302,
  }),
  get("api.localhost", ({ hash }) => `/api/chain/${hash}`, {
    name: "chain page, the newest of a long chain",
  }),
  get("api.localhost", ({ hash }, i) => `/api/chain/${hash}?before=${50 + i * 7 % 50}`, {
    name: "chain page, within a long chain",
  }),
  get("api.localhost", (store, i) => `/api/chain/${record(store, i)}`, {
    name: "chain page, another record each time",
  }),
  get("api.localhost", (store, i) => `/api/chain/${record(store, i)}?limit=${limitOf(i)}`, {
    name: "chain page that is not in memory",
  }),
  get("trust.localhost", (store, i) => `/verify?hash=${record(store, i)}`, {
    name: "/verify, another record each time",
  }),
  get("trust.localhost", (store, i) => `/check?sha256=${document(store, i).sha256}`, {
    name: "/check, another document each time",
  }),
  get("trust.localhost", (store, i) => `/d/${document(store, i).id}`, {
    name: "lock screen /d/:id, another document each time",
  }),
  get("trust.localhost", (store, i) => `/d/${document(store, i).id}/request`, {
    name: "/d/:id/request",
  }),
  {
    name: "key service",
    request: ({ key }) => ({
      host: "trust.localhost",
      path: "/k",
      method: "POST",
      headers: JSON_BODY,
      body: JSON.stringify({ key }),
    }),
  },
  {
    name: "MCP verify_chain, another record each time",
    request: (store, i) => ({
      host: "mcp.foundation.localhost",
      path: "/mcp",
      method: "POST",
      headers: { ...JSON_BODY, accept: "application/json, text/event-stream" },
      body: call("verify_chain", { record_hash: record(store, i) }),
    }),
  },
];

const HOLDERS: readonly YearRead[] = [
  ...[
    "/my-record",
    "/my-record/log",
    "/my-record/requests",
    "/my-record/delete",
    "/my-record/correct",
    "/my-record/declaration",
    "/my-record/notifications",
    "/my-record/number",
    "/my-record/key",
  ].map((path) => holder(path)),
  ...["/account", "/account/export"].map((path) => user(path)),
  get("site.localhost", "/api/qualifications?q=care", {
    name: "session look-up, another session each time",
    headers: ({ accounts }, i) => ({ cookie: at(accounts, i) }),
  }),
];

/** Searches: by a name (of a fifth of the records), by two words, and by what identifies a record. */
const SEARCHES: Record<string, PathOf> = {
  "by name": "grace",
  "by the beginning of a name": "gra",
  "by two words": "grace 77",
  "by a name that nobody has": "turing",
  "by address": "person77@mail27.example",
  "by number": "+61410000076",
  "by amount": "130.10",
  "by hash": ({ hash }) => hash,
  "by the beginning of a hash": ({ hash }) => hash.slice(0, 8),
};

const RECORD_FILTERS = [
  "",
  "?sort=oldest",
  "?level=1",
  "?level=2",
  "?level=3",
  "?level=4",
  "?level=4&sort=oldest",
  "?type=Investor",
  "?type=none",
  "?confirmed=no",
  "?confirmed=yes&level=2",
  "?from=2020-01-01&to=2020-12-31",
  "?view=charts",
  "?view=charts&period=365",
];

const OPERATORS: readonly YearRead[] = [
  ...[
    "/console",
    "/console/report",
    ...RECORD_FILTERS.map((query) => `/console/records${query}`),
    "/console/inbox",
    "/console/inbox?state=new",
    "/console/inbox?state=closed",
    "/console/inbox?state=all",
    "/console/inbox?owner=mine",
    "/console/inbox?type=none",
    "/console/alerts",
    "/console/alerts?state=unread",
    "/console/alerts?state=done",
    "/console/alerts?kind=chain_failed",
    "/console/alerts/count",
    "/console/audit",
    "/console/audit?action=sign_in",
    "/console/audit?action=user_deleted",
    "/console/payments",
    "/console/payments?status=failed",
    "/console/payments?page=2",
    "/console/payments?currency=AUD",
    "/console/payments?min=130&max=130.40",
    "/console/surfaces",
    "/console/infra",
    "/console/issuers",
    "/console/team",
    "/console/users",
    "/console/finance",
    "/console/search",
    "/api/infra/map",
  ].map((path) => administrator(path)),
  administrator(({ hash }) => `/console/records/${hash}`, "/console/records/:hash"),
  administrator(
    ({ hash, document }) => `/console/records/${hash}/documents/${document}`,
    "/console/records/:hash/documents/:id",
  ),
  administrator(({ hash }) => `/console/inbox/${hash}`, "/console/inbox/:hash"),
  administrator(({ payment }) => `/console/payments/${payment}`, "/console/payments/:id"),
  administrator(({ user }) => `/console/users/${user}`, "/console/users/:id"),
  administrator(({ person }) => `/console/team/${person}`, "/console/team/:person"),
  administrator(({ person }) => `/console/audit?person=${person}`, "/console/audit?person="),
  ...Object.entries(SEARCHES).flatMap(([name, text]) => [
    post("/console/records", name, { text }),
    post("/console/search", name, { q: text }),
    post("/console/inbox", name, { text, state: "all" }),
  ]),
  ...["/console", "/console/report", "/console/records"].map((path) => board(path)),
  ...["/console", "/console/report", "/console/records", "/console/inbox", "/console/payments"].map(
    (path) => foundation(path),
  ),
];

export const YEAR_READS: readonly YearRead[] = [...VISITORS, ...HOLDERS, ...OPERATORS];
