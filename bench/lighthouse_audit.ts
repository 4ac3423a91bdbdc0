/**
 * Audits one page with Lighthouse several times, and prints the scores as JSON. It runs without the
 * project's configuration, so that Lighthouse and its many packages are not among its dependencies.
 *
 *     deno run -A --no-lock --no-config bench/lighthouse_audit.ts <debugging port> <URL> <runs>
 *
 * @module
 */

/** The last major version that runs on Node 20. A variable, because the lock file does not have it. */
const LIGHTHOUSE = "npm:lighthouse@12.8.2";

const { default: lighthouse } = await import(LIGHTHOUSE);
const [port, url, runs] = Deno.args;
const options = {
  port: Number(port),
  onlyCategories: ["performance", "accessibility"],
  logLevel: "error",
  output: "json",
};
const scores = [];
for (let run = 0; run < Number(runs); run++) {
  const { lhr: { categories, audits, runtimeError } } = await lighthouse(url, options);
  if (runtimeError) throw new Error(runtimeError.message);
  scores.push({
    performance: Math.round(categories.performance.score * 100),
    accessibility: Math.round(categories.accessibility.score * 100),
    shift: audits["cumulative-layout-shift"].numericValue,
    paint: audits["largest-contentful-paint"].numericValue,
    bytes: audits["total-byte-weight"].numericValue,
  });
}
console.log(JSON.stringify(scores));
// Lighthouse leaves connections open.
Deno.exit();
