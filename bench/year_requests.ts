/**
 * The reads that `year.ts` measures.
 *
 * @module
 */
import type { BenchRequest } from "./client.ts";
import { type FilledStore, LONG_CHAIN } from "./year_store.ts";

/** A request whose host has no port. */
export interface YearRequest extends BenchRequest {
  /** Default: 200. */
  status?: number;
}

/** A read, and how to request it for the `i`th time in a store. */
export interface YearRead {
  name: string;
  request(store: FilledStore, i: number): YearRequest;
  /** How many requests are sent per round. Default: all of them. */
  share?: number;
}

const at = <Value>(values: readonly Value[], i: number): Value => values[i % values.length];

/** The numbers of different records and documents requested, all that the nearly empty store has. */
const RECORDS = 120;
const DOCUMENTS = 20;

/** Returns one of `count` evenly spaced values. Values that are requested again are in memory. */
const oneOf = <Value>(values: readonly Value[], count: number, i: number): Value =>
  at(values, (i % count) * Math.max(1, Math.floor(values.length / count)));

/** Returns a limit that differs each time the same record is requested. */
const limitOf = (i: number) => 1 + Math.floor(i / RECORDS) % 100;
const JSON_BODY = { "content-type": "application/json", accept: "application/json" };

const page = (name: string, host: string, path: string): YearRead => ({
  name,
  request: () => ({ host, path }),
});

const forAdministrator = (
  name: string,
  pathOf: (store: FilledStore, i: number) => string,
  share = 1,
): YearRead => ({
  name,
  share,
  request: (store, i) => ({
    host: "ops.commercial.localhost",
    path: pathOf(store, i),
    headers: { cookie: store.administrator, accept: "text/html" },
  }),
});

const call = (name: string, args: Record<string, unknown>): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });

/** Searches with many and without any matches. A request stops searching after 0.9 s. */
const SEARCH_SHARE = 0.05;

export const YEAR_READS: readonly YearRead[] = [
  page("home of the foundation", "foundation.localhost", "/"),
  page("home for investors, with figures", "investor.localhost", "/"),
  page("section of the standard", "foundation.localhost", "/standard/event-chain"),
  {
    name: "chain page, the newest of a long chain",
    request: ({ hash }) => ({ host: "api.localhost", path: `/api/chain/${hash}` }),
  },
  {
    name: "chain page, within a long chain",
    request: ({ hash }, i) => ({
      host: "api.localhost",
      path: `/api/chain/${hash}?before=${100 + i * 7 % (LONG_CHAIN - 100)}`,
    }),
  },
  {
    name: "chain page, another record each time",
    request: ({ hashes }, i) => ({
      host: "api.localhost",
      path: `/api/chain/${oneOf(hashes, RECORDS, i)}`,
    }),
  },
  {
    name: "chain page that is not in memory",
    request: ({ hashes }, i) => ({
      host: "api.localhost",
      path: `/api/chain/${oneOf(hashes, RECORDS, i)}?limit=${limitOf(i)}`,
    }),
  },
  {
    name: "/verify, another record each time",
    request: ({ hashes }, i) => ({
      host: "trust.localhost",
      path: `/verify?hash=${oneOf(hashes, RECORDS, i)}`,
      headers: { accept: "text/html" },
    }),
  },
  {
    name: "/check, another document each time",
    request: ({ documents }, i) => ({
      host: "trust.localhost",
      path: `/check?sha256=${oneOf(documents, DOCUMENTS, i).sha256}`,
      headers: { accept: "text/html" },
    }),
  },
  {
    name: "lock screen /d/:id, another document each time",
    request: ({ documents }, i) => ({
      host: "trust.localhost",
      path: `/d/${oneOf(documents, DOCUMENTS, i).id}`,
      headers: { accept: "text/html" },
    }),
  },
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
    name: "/my-record, signed in",
    request: ({ holder }) => ({
      host: "trust.localhost",
      path: "/my-record",
      headers: { cookie: holder, accept: "text/html" },
    }),
  },
  {
    name: "/account, signed in",
    request: ({ accounts }) => ({
      host: "site.localhost",
      path: "/account",
      headers: { cookie: accounts[0], accept: "text/html" },
    }),
  },
  {
    name: "session look-up, another session each time",
    request: ({ accounts }, i) => ({
      host: "site.localhost",
      path: "/api/qualifications?q=care",
      headers: { cookie: at(accounts, i) },
    }),
  },
  page("qualification search", "site.localhost", "/?q=care&level=3"),
  page("qualification", "site.localhost", "/qualifications/CHC50121"),
  {
    name: "sign-in link that is not known",
    request: (_, i) => ({
      host: "site.localhost",
      path: `/auth/verify?token=${String(i).padStart(43, "A")}`,
      status: 302,
    }),
  },
  {
    name: "MCP verify_chain, another record each time",
    request: ({ hashes }, i) => ({
      host: "mcp.foundation.localhost",
      path: "/mcp",
      method: "POST",
      headers: { ...JSON_BODY, accept: "application/json, text/event-stream" },
      body: call("verify_chain", { record_hash: oneOf(hashes, RECORDS, i) }),
    }),
  },
  forAdministrator("console: dashboard", () => "/console"),
  forAdministrator("console: records", () => "/console/records"),
  forAdministrator("console: a record", ({ hash }) => `/console/records/${hash}`),
  forAdministrator("console: alerts", () => "/console/alerts"),
  forAdministrator("console: payments", () => "/console/payments"),
  forAdministrator("console: audit log", () => "/console/audit"),
  forAdministrator(
    "console: search for a name",
    () => "/console/search?q=person77777%40",
    SEARCH_SHARE,
  ),
];
