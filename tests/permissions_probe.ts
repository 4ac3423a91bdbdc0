/**
 * Tries what the site must not be able to do, and prints the outcomes as JSON. Runs with the site's
 * permissions.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import { DatabaseSync } from "node:sqlite";
import { issuePdf } from "../lib/features/documents/issue_pdf.ts";
import { createPdf, DETAILS } from "../lib/features/documents/testing/pdfs.ts";

const [store] = Deno.args;
/** Variables without permission look as if they were not set. */
const MISSING = Symbol("missing");

const ATTEMPTS: Record<string, () => unknown> = {
  "read the store's folder": () => Deno.statSync(store),
  "write to the store's folder": () => Deno.writeTextFileSync(`${store}/probe`, ""),
  "read a setting": () => Deno.env.get("APP_SECRET") ?? MISSING,
  "issue a PDF": issue,
  "read /etc/passwd": () => Deno.readTextFileSync("/etc/passwd"),
  "read /etc/passwd through node:fs": () => readFileSync("/etc/passwd"),
  "read the sources": () => Deno.readTextFileSync("server.ts"),
  "read /proc": () => Deno.readTextFileSync("/proc/self/environ"),
  "list the parent of the store's folder": () => [...Deno.readDirSync(`${store}/..`)],
  "write to /tmp": () => Deno.writeTextFileSync("/tmp/probe", ""),
  "write to the build": () => Deno.writeTextFileSync("static/probe", ""),
  "link to /etc/passwd": () => Deno.symlinkSync("/etc/passwd", `${store}/link`),
  "open a database elsewhere": () => new DatabaseSync("/tmp/probe.db"),
  "open a store elsewhere": () => Deno.openKv("/tmp/probe.kv"),
  "run a program": () => new Deno.Command("/bin/ls").outputSync(),
  "run Deno": () => new Deno.Command(Deno.execPath()).outputSync(),
  "run a program through node:child_process": () => spawnSync("/bin/ls").status ?? MISSING,
  "signal another process": () => Deno.kill(1, "SIGCONT"),
  "load a library": () => Deno.dlopen("libc.so.6", {}),
  "read another variable": () => Deno.env.get("HOME") ?? MISSING,
  "list other variables": () => Deno.env.toObject().HOME ?? MISSING,
  "read the host's name": () => Deno.hostname(),
  "read the host's network": () => os.networkInterfaces(),
  "import from the network": () => import(`https://127.0.0.1:1/${"module.ts"}`),
  "reach the address of cloud metadata": () => fetch("http://169.254.169.254/"),
  "connect to the address of cloud metadata": () =>
    Deno.connect({ hostname: "169.254.169.254", port: 80 }),
  "read /etc/passwd in a worker": inWorker,
};

async function issue(): Promise<void> {
  const result = await issuePdf(await (await createPdf()).save(), DETAILS);
  if (!result.ok) throw new Error(result.message);
}

/** Reads a file in a worker, which has the permissions of this program. */
function inWorker(): Promise<void> {
  const code = `try { Deno.readTextFileSync("/etc/passwd"); postMessage(null); }
    catch (error) { postMessage(error.message); }`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      if (data === null) resolve();
      else reject(new Error(data));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
  });
}

const outcomes: Record<string, string> = {};
for (const [attempt, run] of Object.entries(ATTEMPTS)) {
  try {
    outcomes[attempt] = await run() === MISSING ? "denied" : "allowed";
  } catch (error) {
    const { name, message } = error as Error;
    const denied = name === "NotCapable" || /Requires \w+ access|--cached-only/.test(message);
    outcomes[attempt] = denied ? "denied" : `${name}: ${message}`;
  }
}
console.log(JSON.stringify(outcomes));
