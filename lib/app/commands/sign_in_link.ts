/**
 * `deno task sign-in-link <email> <surface>`: prints a sign-in link, for someone who does not
 * receive the mail, or an operator who has lost their passkeys. It writes to the configured store and does not count towards any limit. Exits
 * with 0 if it printed a link, 1 if the address may not sign in on that surface, 2 on bad usage or
 * if the store cannot be opened.
 *
 * @module
 */
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";
import { createOperators } from "../../features/operators/mod.ts";
import { normaliseEmail } from "../../base/email.ts";
import { createSurfaces } from "../../platform/surfaces/mod.ts";
import { createLinkIds, issueLink, linkOn } from "../../features/auth/links.ts";
import { TOKEN_LIFETIME } from "../../features/auth/link_terms.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log, error }: CommandIo): Promise<number | void> {
  const [typed = "", name, ...more] = args;
  const config = configOrExit(env);
  const surfaces = createSurfaces(config).all.filter(({ signIn }) => signIn !== null);
  const surface = surfaces.find((surface) => surface.name === name);
  const email = normaliseEmail(typed);
  if (email === null || surface === undefined || more.length > 0) {
    error("Usage: deno task sign-in-link <email> <surface>");
    refuse(`Surfaces with sign-in: ${surfaces.map(({ name }) => name).join(", ")}`);
  }
  const kv = await openKvOrExit(config);
  const operators = createOperators({ kv, clock: Date.now, ops: config.ops });
  if (!await operators.maySignIn(email, surface)) {
    kv.close();
    refuse(
      "This address is neither an operator of this console nor invited: it is in neither " +
        "OPS_L1_EMAILS nor OPS_L2_EMAILS, and not on the console's team page.",
      1,
    );
  }
  const { token } = await issueLink({ kv, clock: Date.now, ids: createLinkIds(kv, 1) }, {
    email,
    surface: surface.name,
    replacesPasskeys: surface.signIn!.operatorsOnly,
  });
  kv.close();
  log(linkOn(surface, token));
  error(`The link works once, within ${TOKEN_LIFETIME}.`);
  if (surface.signIn!.operatorsOnly) {
    error(
      "A passkey that the operator adds within 15 minutes of opening it replaces all others.",
    );
  }
}

if (import.meta.main) await startCommand(main);
