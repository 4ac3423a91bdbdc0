/**
 * Measures the CPU time that the site's process spends on a page for somebody who is signed in: reading the store
 * and the bank, rendering, and compressing. Such pages are not shared, so each view costs that.
 *
 * @module
 */
import { monthsOf } from "../lib/features/bank/mod.ts";
import { type BankSandbox, startBankSandbox } from "../sandbox/bank.ts";
import { Client, requestBytes } from "./client.ts";
import { median } from "./compare.ts";
import { cpuTime, type ServerProcess, startScript } from "./processes.ts";
import { serveSite } from "./site.ts";
import { atMost, type Table } from "./table.ts";
import { type FilledStore, fillKv } from "./year_store.ts";

const TARGET_MS = 4;
/** A function gets faster during its first thousands of calls. */
const WARM_UP = 300;
const BLOCKS = 10;
const REQUESTS = 20;

interface Page {
  name: string;
  host: string;
  path: string;
  cookie: string;
}

export async function run({ reads = "" }: { reads?: string }): Promise<Table[]> {
  // In this process, so that its CPU time is not counted.
  await using bank = startBankSandbox();
  await using site = await serveSite({
    BANK_API_BASE: bank.baseUrl,
    FOUNDATION_BANK_API_TOKEN: bank.tokens.foundation,
    COMMERCIAL_BANK_API_TOKEN: bank.tokens.commercial,
  });
  const found = await fillKv(site.services.config, site.services.kv, null);
  const { accounts } = await site.services.treasuries.commercial.accounts();
  const wanted = new RegExp(reads);
  const pages = pagesOf(found, accounts[0].id).filter(({ name }) => wanted.test(name));
  for (const page of pages) await send(site, page, WARM_UP);
  const rows: string[][] = [];
  for (const page of pages) {
    const times = await send(site, page, BLOCKS * REQUESTS);
    const ms = median(times);
    const alone = await bankAlone(bank, () => send(site, page, REQUESTS));
    rows.push([
      page.name,
      milliseconds(ms),
      milliseconds(Math.min(...times)),
      alone === null ? "" : milliseconds(alone),
      atMost(TARGET_MS, ms),
    ]);
  }
  return [{
    title:
      `\`signed-in\`: the CPU time of pages for people who are signed in; medians and least of ` +
      `${BLOCKS} times ${REQUESTS} requests, and that of a bare handler that only makes the page's requests ` +
      "to the bank and parses the responses",
    columns: ["page", "CPU", "least", "bank alone", "target"],
    rows,
  }];
}

const milliseconds = (ms: number) => `${ms.toFixed(1)} ms`;

/** Returns the milliseconds of CPU time that the bank's part of a page takes at least; null if it has none. */
async function bankAlone(bank: BankSandbox, view: () => Promise<unknown>): Promise<number | null> {
  bank.requests.length = 0;
  await view();
  const each = Math.floor(bank.requests.length / REQUESTS);
  if (each === 0) return null;
  const urls = bank.requests.slice(-each).map(({ path }) => bank.baseUrl + path);
  const page = { name: "bank alone", host: "127.0.0.1", path: "/", cookie: "" };
  await using bare = await startScript("baseline.ts", "bank", bank.tokens.commercial, ...urls);
  await send(bare, page, WARM_UP);
  return median(await send(bare, page, BLOCKS * REQUESTS));
}

/** Requests a page many times, and returns the milliseconds of CPU time per request, by block. */
async function send(
  { port, pid }: ServerProcess,
  { name, host, path, cookie }: Page,
  count: number,
): Promise<number[]> {
  using client = await Client.connect(port);
  const request = requestBytes({
    host: `${host}:${port}`,
    path,
    headers: { cookie, accept: "text/html", "accept-encoding": "gzip, deflate, br, zstd" },
  });
  const times: number[] = [];
  for (let sent = 0; sent < count; sent += REQUESTS) {
    const before = cpuTime(pid);
    for (let i = 0; i < REQUESTS; i++) {
      await client.send(request).catch((error) => {
        throw new Error(name, { cause: error });
      });
    }
    times.push((cpuTime(pid) - before) / 1_000 / REQUESTS);
  }
  return times;
}

function pagesOf(found: FilledStore, account: string): Page[] {
  const on = (host: string, who: string, cookie: string) => (path: string, name = path): Page => ({
    name: `${who} ${name}`,
    host,
    path,
    cookie,
  });
  const administrator = on("ops.commercial.localhost", "administrator", found.administrator);
  const board = on("ops.commercial.localhost", "board member", found.board);
  const foundation = on("ops.foundation.localhost", "foundation's console", found.foundation);
  const holder = on("trust.localhost", "holder", found.holder);
  const { hash, document, payment, user, person } = found;
  const lastMonth = monthsOf(Date.now()).previous;
  return [
    ...[
      ...["", "/report", "/finance", "/finance/limits", "/surfaces", "/infra"],
      ...["/alerts", "/inbox", "/records", "/records?view=charts", "/issuers", "/payments"],
      ...["/users", "/mail", "/team", "/audit", "/search"],
    ].map((path) => administrator(`/console${path}`)),
    // The days of this month so far differ from day to day.
    administrator(
      `/console/finance/flow?start=${lastMonth.first}&end=${lastMonth.end}`,
      "/console/finance/flow, last month",
    ),
    administrator(`/console/finance/${account}`, "/console/finance/:id"),
    administrator(`/console/records/${hash}`, "/console/records/:hash"),
    administrator(
      `/console/records/${hash}/documents/${document}`,
      "/console/records/:hash/documents/:id",
    ),
    administrator(`/console/inbox/${hash}`, "/console/inbox/:hash"),
    administrator(`/console/payments/${payment}`, "/console/payments/:id"),
    administrator(`/console/users/${user}`, "/console/users/:id"),
    administrator(`/console/team/${person}`, "/console/team/:person"),
    ...["/console", "/console/report", "/console/records"].map((path) => board(path)),
    ...["/console", "/console/finance"].map((path) => foundation(path)),
    ...[
      ...["/my-record", "/my-record/log", "/my-record/requests", "/my-record/notifications"],
      ...["/my-record/correct", "/privacy", "/terms", "/check", "/levels"],
    ].map((path) => holder(path)),
    on("site.localhost", "user", found.accounts[0])("/account"),
  ];
}
