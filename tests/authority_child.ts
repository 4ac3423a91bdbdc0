/**
 * A process that revokes an API key when it can read a line, and prints `revoked`.
 *
 *     deno run -A authority_child.ts <store> <issuer> <key>
 */
import { parseConfig } from "../lib/app/config.ts";
import { createServices } from "../lib/app/services.ts";
import { openKv } from "../lib/platform/kv/mod.ts";

const [path, issuer, key] = Deno.args;
const APP_SECRET = new Uint8Array(32).toBase64({ alphabet: "base64url", omitPadding: true });
const services = createServices(parseConfig({ APP_SECRET }), await openKv(path), {
  print: () => {},
});
const print = (value: string) =>
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(value)}\n`));

print("ready");
await Deno.stdin.read(new Uint8Array(1));
const revoked = await services.issuerKeys.revoke({ issuer, key, by: "admin@example.org" });
print(revoked.ok ? "revoked" : revoked.error);
await services.close();
