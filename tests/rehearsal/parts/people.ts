/**
 * Actions of people on the site during the rehearsal, and the sections that are followed after each part to see that
 * nothing is lost.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { PERSON } from "../../contact_site.ts";
import { PlainBrowser } from "../../plain_browser.ts";
import type { Machine } from "../machine.ts";
import type { Followed } from "../steps.ts";

const CONSOLE = "commercial-console";
const ADMIN = "admin@example.org";

/** Registers an enquiry, with which the log grows, and returns the record's hash. */
export async function register(machine: Machine, email: string): Promise<string> {
  machine.known.logSize = await logSize(machine);
  const response = await post(machine, "api", "/api/ir/register", { ...PERSON, email });
  assertEquals(response.status, 201, "POST /api/ir/register");
  const { hash } = await response.json();
  return hash;
}

/** Opens the link of the mail that asks a person to confirm their address. */
export async function confirm(machine: Machine, email: string): Promise<void> {
  const { smtp } = machine;
  const mail = () =>
    smtp.received.find(({ recipients, raw }) => recipients.includes(email) && /confirm/i.test(raw));
  await machine.until(
    `the mail to ${email} has arrived`,
    () => Promise.resolve(mail() !== undefined),
  );
  const text = mail()!.raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [, token] = /token=([\w-]{43})/.exec(text) ?? [];
  const response = await machine.request("trust", "/confirm", {
    method: "POST",
    headers: { origin: machine.originOf("trust") },
    body: new URLSearchParams({ token }),
  });
  assert(response.status < 400, `POST /confirm: ${response.status}`);
}

export const post = (
  machine: Machine,
  surface: string,
  path: string,
  body: unknown,
  key?: string,
) =>
  machine.request(surface, path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: machine.originOf(surface),
      ...key !== undefined && { authorization: `Bearer ${key}` },
    },
    body: JSON.stringify(body),
  });

/** Adds an issuer in the console, and returns an API key of it. */
export async function addIssuer(machine: Machine): Promise<string> {
  const { output } = await machine.shell(
    `deploy/gatehouse.sh run sign-in-link ${ADMIN} ${CONSOLE}`,
  );
  const link = /http\S+/.exec(output)?.[0];
  if (link === undefined) throw new Error(output);
  const { pathname, search } = new URL(link);
  const browser = new PlainBrowser({
    handler: (request) => machine.fetch(request),
    services: { surfaces: { url: (surface, path = "") => machine.originOf(surface) + path } },
  });
  await browser.open(CONSOLE, pathname + search);
  await browser.open(CONSOLE, "/console/issuers");
  await browser.press("Add the issuer", { name: "Harbour College" });
  const [path] = /\/console\/issuers\/[\w-]{20,}/.exec(browser.path + browser.html) ?? [];
  await browser.open(CONSOLE, `${path}/keys`);
  await browser.press("Create the key", { name: "Student records", mode: "live" });
  const key = /gh_live_\w+/.exec(browser.html)?.[0];
  if (key === undefined) throw new Error("The console does not show the new key.");
  return key;
}

/** Issues a certificate, and returns its id and its file. */
export async function issue(
  machine: Machine,
  name: string,
): Promise<{ id: string; pdf: Uint8Array<ArrayBuffer> }> {
  const key = machine.known.key;
  const response = await post(machine, "api", "/api/documents", {
    recipient: { name, email: `${name.toLowerCase()}@example.org` },
    title: "Certificate III in Early Childhood Education",
    type: "Certificate",
    date: "2026-11-20",
    template: { name: "certificate", fields: { grade: "Competent", signatory: "Ruth Harbour" } },
  }, key);
  assertEquals(response.status, 201, "POST /api/documents");
  const { id } = await response.json();
  const file = await machine.request("api", `/api/documents/${id}/file`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assertEquals(file.status, 200, "GET /api/documents/<id>/file");
  return { id, pdf: await file.bytes() };
}

/** Returns the size of the log that its newest checkpoint has. */
export async function logSize(machine: Machine): Promise<number> {
  const text = await (await machine.request("trust", "/log/checkpoint")).text();
  return Number(text.split("\n")[1]);
}

/** Waits until the log has grown. */
export async function logGrows(machine: Machine): Promise<void> {
  const before = machine.known.logSize;
  await machine.until(
    `the log has more than ${before} entries`,
    async () => await logSize(machine) > before,
  );
  machine.known.logSize = await logSize(machine);
}

/** Writes the policy of the log's readers: that of the log, with its witnesses and their quorum. */
export async function readPolicy(machine: Machine): Promise<void> {
  const response = await machine.request("trust", "/log/policy");
  await Deno.writeTextFile(machine.moved("/etc/log-policy"), await response.text());
}

export const isReady = async (machine: Machine, revision?: unknown): Promise<boolean> => {
  const ready = await machine.readyz();
  return ready?.status === "ready" && (revision === undefined || ready.revision === revision);
};

/** Restarts the site as an operator does, and waits until it is ready. */
export async function restart(machine: Machine): Promise<void> {
  const { status, output } = await machine.shell("systemctl restart gatehouse");
  assertEquals(status, 0, output);
  await machine.until("the site is ready", () => isReady(machine));
}

/** The sections that describe a site on which all is well. */
export const SOUND: Followed[] = [
  {
    document: "docs/ops/runbook.md",
    heading: "Is it working?",
    steps: [
      {
        run: "curl -i http://127.0.0.1:8000/healthz",
        check: (_, { output }) => assertStringIncludes(output, "200 OK"),
      },
      {
        run: "curl -i http://127.0.0.1:8000/readyz",
        check: (_, { output }) => assertStringIncludes(output, '"status":"ready"'),
      },
      { run: "journalctl -u gatehouse -n 50 -g" },
      {
        says: "`ready` | 200 | `store: ok` |",
        check: async (machine) =>
          assertMatch(JSON.stringify((await machine.readyz())!.checks), /"store":"ok"/),
      },
    ],
  },
  {
    document: "docs/ops/systemd.md",
    heading: "systemd",
    steps: [{ run: "deploy/gatehouse.sh run check-config" }],
  },
  {
    document: "docs/verify.md",
    heading: "Verify a chain",
    steps: [
      {
        run: 'deno task verify "http://trust.localhost:8000/verify?hash=<hash>"',
        with: (machine) => ({
          "http://trust.localhost:8000": machine.originOf("trust"),
          "<hash>": machine.known.hash,
        }),
      },
      {
        run: "deno task verify http://api.localhost:8000/api/chain/<hash>",
        with: (machine) => ({
          "http://api.localhost:8000": machine.originOf("api"),
          "<hash>": machine.known.hash,
          "# a registration's chain_url": "--save chain-0123abcd.json",
        }),
      },
      { run: "deno task verify chain-0123abcd.json" },
      {
        run: "deno task verify chain.json --hash <hash>",
        with: (machine) => ({
          "chain.json": "chain-0123abcd.json",
          "trust.example": new URL(machine.originOf("trust")).host,
          "<hash>": machine.known.hash,
        }),
      },
      {
        run: "sed 's/email_confirmed/sms_confirmed/' chain.json",
        with: () => ({ " chain.json": " chain-0123abcd.json" }),
      },
      {
        run: "deno task verify altered.json",
        status: 1,
        check: (_, { output }) => assertStringIncludes(output, "Not verified: event 1: bad_hash:"),
      },
    ],
  },
  {
    document: "docs/verify.md",
    heading: "Check a document",
    steps: [
      {
        run: "deno task check-document certificate.pdf",
        with: (machine) => ({
          " --issuer harbour.example": "",
          "https://trust.example": machine.originOf("trust"),
        }),
        check: (_, { output }) => assertStringIncludes(output, "Harbour College"),
      },
      {
        run: "curl -s -H 'accept: application/json'",
        with: (machine) => ({
          "https://trust.example": machine.originOf("trust"),
          "<64 hexadecimal digits>": machine.known.sha256,
        }),
        check: (_, { output }) => assertMatch(output, /"state": ?"current"/),
      },
      { leavesOut: '{"state":"replaced"', because: "it is what the command prints" },
      { leavesOut: ' "form":"original"', because: "it is what the command prints" },
      { leavesOut: ' "first_registered_at"', because: "it is what the command prints" },
      { leavesOut: ' "newest":', because: "it is what the command prints" },
    ],
  },
  {
    document: "docs/ops/log.md",
    heading: "Monitor it, and keep a copy",
    steps: [
      {
        run: "deno task monitor https://trust.records.example",
        with: (machine) => ({
          "https://trust.records.example": `${machine.originOf("trust")} --once`,
        }),
        check: (_, { output }) => assertMatch(output, /"findings":\[\]/),
      },
    ],
  },
];
