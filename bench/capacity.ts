/**
 * Measures what registrations, sign-ins and certificates cost: CPU time of the site's process, until their mails
 * are sent and their events are in the public log, and room in the file of the store. docs/ops/capacity.md derives
 * from it what one process carries.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { unwrap } from "../lib/platform/http/errors.ts";
import { startSmtpServer } from "../lib/platform/mail/testing/smtp_server.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { PERSON } from "../tests/contact_site.ts";
import { BY, keyForm } from "../tests/key_site.ts";
import { cpuTime } from "./processes.ts";
import { type ServedSite, serveSite } from "./site.ts";
import { integer, type Table } from "./table.ts";

const WARM_UP = 100;
const COUNT = 400;
/** How many do it at the same time. */
const AT_ONCE = 8;

/** Something that one person or issuer does. */
interface Action {
  name: string;
  surface: SurfaceName;
  path: string;
  status: number;
  body(number: number): unknown;
  headers?: Record<string, string>;
}

export async function run(): Promise<Table[]> {
  await using smtp = await startSmtpServer();
  await using site = await serveSite({
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    API_KEY_RATE_LIMIT: "0",
  });
  const { issuers, issuerKeys } = site.services;
  const { issuer } = unwrap(
    await issuers.add({ organisation: "commercial", name: "Harbour College", by: BY }),
  );
  const { key } = unwrap(await issuerKeys.create({ issuer: issuer.id, by: BY, ...keyForm() }));
  const rows: string[][] = [];
  for (const action of actionsOf(key)) {
    const { ms, seconds, bytes } = await measure(site, action);
    rows.push([
      action.name,
      `${ms.toFixed(1)} ms`,
      integer(1_000 / ms),
      integer(COUNT / seconds),
      `${(bytes / 1_024).toFixed(1)} KB`,
    ]);
  }
  return [{
    title:
      `\`capacity\`: what ${COUNT} people or issuers cost each, ${AT_ONCE} at a time, with the mail ` +
      "and the entry in the log",
    columns: ["what", "CPU", "per second of one core", "per second, measured", "in the file"],
    rows,
  }];
}

const actionsOf = (key: string): Action[] => [{
  name: "a registration",
  surface: "api",
  path: "/api/ir/register",
  status: 201,
  body: (number) => ({ ...PERSON, email: `person${number}@example.org` }),
}, {
  name: "a request for a sign-in link",
  surface: "site",
  path: "/api/auth/request",
  status: 200,
  body: (number) => ({ email: `user${number}@example.org` }),
}, {
  name: "a certificate, issued by the API",
  surface: "api",
  path: "/api/documents",
  status: 201,
  headers: { authorization: `Bearer ${key}` },
  body: (number) => ({
    recipient: { name: `Grace ${number}`, email: `grace${number}@example.org` },
    title: "Certificate III in Early Childhood Education and Care",
    type: "Certificate",
    date: "2026-11-20",
    template: {
      name: "certificate",
      fields: { subtitle: "CHC30121", grade: "Competent", signatory: "Ruth Harbour" },
    },
  }),
}];

async function measure(site: ServedSite, action: Action) {
  let number = 0;
  const repeat = async (count: number) => {
    const end = number + count;
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (number < end) await send(site, action, number++);
    }));
    await settled(site);
  };
  await repeat(WARM_UP);
  const size = sizeOf(site);
  const cpu = cpuTime(site.pid);
  const began = performance.now();
  await repeat(COUNT);
  return {
    ms: (cpuTime(site.pid) - cpu) / 1_000 / COUNT,
    seconds: (performance.now() - began) / 1_000,
    bytes: (sizeOf(site) - size) / COUNT,
  };
}

async function send(
  site: ServedSite,
  { name, surface, path, status, body, headers }: Action,
  number: number,
): Promise<void> {
  const response = await site.request(surface, path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: new URL(site.services.surfaces.url(surface)!).origin,
      ...headers,
    },
    body: JSON.stringify(body(number)),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${name}: ${response.status} ${text}`);
}

/** Waits until all mails have been sent, and all events are in the log. */
async function settled({ services: { kv } }: ServedSite): Promise<void> {
  const isEmpty = async (table: string) =>
    (await Array.fromAsync(kv.list({ prefix: [table] }, { limit: 1 }))).length === 0;
  while (
    !(await isEmpty("outbox") && await isEmpty("link_requests") && await isEmpty("log_pending"))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Returns the size of the store's file with everything that was committed. */
function sizeOf({ services: { config } }: ServedSite): number {
  using database = new DatabaseSync(config.kvPath!);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return Deno.statSync(config.kvPath!).size;
}
