/**
 * `deno task conform <command…>`: checks whether another implementation of the standard reproduces the
 * test vectors. `docs/conform.md` describes the protocol.
 *
 * @module
 */
import { conformCommand } from "../../../packages/proof/kit/mod.ts";
import { startCommand } from "./command.ts";

await startCommand(({ args, log }) => conformCommand(args, log));
