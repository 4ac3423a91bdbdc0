import type { OrganisationKey, Surface, Surfaces } from "../../platform/surfaces/mod.ts";

/** Returns whether a surface has a console: only there do people have a layer. */
export const hasConsole = ({ signIn, servesAll }: Surface): boolean =>
  signIn !== null && (signIn.operatorsOnly || servesAll);

/** Returns the surfaces on which operators of an organisation are signed in; the workbench is one. */
export const consolesOf = ({ all }: Surfaces, organisation: OrganisationKey): Surface[] =>
  all.filter((surface) => surface.organisation === organisation && hasConsole(surface));

/** Returns the console of an organisation, for links in mails. */
export function consoleOf(surfaces: Surfaces, organisation: OrganisationKey): Surface {
  const consoles = consolesOf(surfaces, organisation);
  return consoles.find(({ kind }) => kind === "console") ?? consoles[0];
}
