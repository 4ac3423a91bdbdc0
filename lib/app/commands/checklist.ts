/**
 * `deno task checklist <url>` applies the compliance checklist of spec 4.4 to an MCP server and
 * prints each point. Exits with 0 if no point fails, 1 if any does, 2 on bad usage.
 *
 * @module
 */
import { sleep } from "../../base/sleep.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { cleanText } from "../../base/sanitise.ts";
import { runChecklist } from "../../features/mcp/checklist/checklist.ts";
import { refuse, startCommand } from "./command.ts";

await startCommand(async ({ args, log }) => {
  const [url] = args;
  if (args.length !== 1 || !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    refuse("Usage: deno task checklist <url>, such as http://mcp.foundation.localhost:8000/mcp");
  }

  const results = await runChecklist(url, {
    fetch: createLocalFetch(),
    sleep(ms) {
      log(`(the server asks to wait ${ms / 1000} s)`);
      return sleep(ms);
    },
    timeoutMs: 15_000,
  });

  log(`MCP compliance checklist: ${url}`);
  for (const { point, title, outcome, details } of results) {
    log(`${outcome.padEnd(5)}  ${point}  ${title}`);
    // Details may quote the server, which is not trusted.
    for (const detail of details) log(`          ${cleanText(detail).replaceAll("\n", " ")}`);
  }
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  log(`${count("pass")} pass, ${count("fail")} fail, ${count("noted")} noted`);
  return count("fail") ? 1 : 0;
});
