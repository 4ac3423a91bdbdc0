/**
 * Exits with 0 if the site on this machine responds, and with 1 otherwise. For the container, whose
 * image has neither curl nor a shell.
 *
 * @module
 */
const url = `http://127.0.0.1:${Deno.env.get("PORT") ?? 8000}/healthz`;
const healthy = await fetch(url, { signal: AbortSignal.timeout(2_000) })
  .then(({ ok }) => ok, () => false);
Deno.exit(healthy ? 0 : 1);
