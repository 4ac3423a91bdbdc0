/** The administrators who get mails about alerts. */
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import type { Operators, OpsConfig } from "../operators/mod.ts";
import type { Cause } from "./causes.ts";

/** The recipients of mails about alerts of a console. */
interface Recipients {
  emails: readonly string[];
  /** When they were read from the store, in milliseconds since 1970; null for those of the configuration. */
  readAt: number | null;
}

/** A recipient, with the console as whose administrator they are written to. */
export interface Recipient extends Pick<Recipients, "readAt"> {
  email: string;
  organisation: OrganisationKey;
}

/** The most recipients of one console. */
const MOST_RECIPIENTS = 60;

/**
 * Returns the full administrators who want a kind of mail; all of them if none does, so that somebody
 * always gets it.
 */
export function readersOf(
  listed: Awaited<ReturnType<Operators["list"]>>,
  mail: "urgent" | "morning",
): string[] {
  const administrators = listed.filter(({ layer }) => layer === "L1");
  const wanting = administrators.filter(({ mails }) => mails[mail]);
  return (wanting.length > 0 ? wanting : administrators).map(({ email }) => email)
    .slice(0, MOST_RECIPIENTS);
}

/** Keeps who gets urgent mails, so that they can be sent while the store cannot be read. */
export function createRecipients(
  { operators, ops, clock }: {
    operators: Pick<Operators, "list">;
    ops: Pick<OpsConfig, "l1">;
    clock: () => number;
  },
) {
  const kept = new Map<OrganisationKey, Recipients>();

  const ofConsole = (organisation: OrganisationKey): Recipients => {
    const read = kept.get(organisation);
    return read !== undefined && read.emails.length > 0 ? read : { emails: ops.l1, readAt: null };
  };

  return {
    /** Reads them from the store. */
    async read(): Promise<void> {
      for (const organisation of ORGANISATIONS) {
        const emails = readersOf(await operators.list(organisation), "urgent");
        kept.set(organisation, { emails, readAt: clock() });
      }
    },
    /** Returns who gets mails about a cause, each address once. */
    of({ scope }: Cause): Recipient[] {
      const consoles = scope === "site" ? ORGANISATIONS : [scope];
      const all = consoles.flatMap((organisation) => {
        const { emails, readAt } = ofConsole(organisation);
        return emails.map((email): Recipient => ({ email, organisation, readAt }));
      });
      return [...new Map(all.toReversed().map((each) => [each.email, each])).values()].reverse();
    },
  };
}

export type AlertRecipients = ReturnType<typeof createRecipients>;
