/**
 * `deno task relay:new <name> [origin]`: prints a new slug, the configuration to set and the steps.
 * It changes nothing. Exits with 2 on bad usage.
 *
 * @module
 */
import { relayConfigSchema } from "./config.ts";
import { newRelay } from "./new.ts";

const [name, given] = Deno.args;
const parsedName = relayConfigSchema.shape.name.safeParse(name);
const parsedOrigin = relayConfigSchema.shape.origin.optional().safeParse(given);
if (Deno.args.length > 2 || !parsedName.success || !parsedOrigin.success) {
  console.error("Usage: deno task relay:new <name> [origin], such as docs https://docs.example");
  Deno.exit(2);
}
console.log(newRelay(parsedName.data, parsedOrigin.data));
