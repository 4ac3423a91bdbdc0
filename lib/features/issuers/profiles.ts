import { type Bytes, encodeHex } from "../../base/encoding.ts";
import { fail } from "../../base/result.ts";
import {
  changeIssuer,
  type IssuerChange,
  type IssuerResult,
  type IssuersOptions,
} from "./change.ts";
import { endDomainAlert } from "./domain_alert.ts";
import { inspectLogo, issuerLogos, type Logo } from "./logos.ts";
import type { IssuerRow } from "./rows.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

/** The details of an issuer that administrators set besides its name and its domain. */
export interface Profiles {
  /**
   * Changes the state: an active issuer can be suspended, a suspended one be active again or ended, and one
   * that has ended becomes suspended first, so that its keys do not work before somebody has looked at them.
   *
   * @param change.reason for administrators
   */
  setState(
    change: IssuerChange & { state: IssuerRow["state"]; reason: string },
  ): Promise<IssuerResult>;
  /** @param change.contact an email address, or null for none */
  setContact(change: IssuerChange & { contact: string | null }): Promise<IssuerResult>;
  /** @param change.bytes a PNG or JPEG file, or null for no logo */
  setLogo(change: IssuerChange & { bytes: Bytes | null }): Promise<IssuerResult>;
  /** Returns the file of the logo; null if the issuer has none. */
  readLogo(
    organisation: OrganisationKey,
    id: string,
  ): Promise<Logo & { bytes: Bytes } | null>;
}

/** The states that follow each state. */
export const NEXT_STATES: Readonly<Record<IssuerRow["state"], readonly IssuerRow["state"][]>> = {
  active: ["suspended"],
  suspended: ["active", "ended"],
  ended: ["suspended"],
};

const STATE_ACTIONS = {
  active: "issuer_activated",
  suspended: "issuer_suspended",
  ended: "issuer_ended",
} as const;

export function createProfiles(options: IssuersOptions): Profiles {
  const { kv } = options;
  return {
    setState: ({ state, reason, ...change }) =>
      changeIssuer(options, change, async (before, commit, now) => {
        if (before.id === before.organisation) return fail("conflict", { message: OWN_STATE });
        if (!NEXT_STATES[before.state].includes(state)) {
          return fail("conflict", {
            message: `This issuer is ${before.state}. Load the page again.`,
          });
        }
        const state_at = new Date(now).toISOString();
        const issuer = { ...before, state, state_at, state_reason: reason };
        if (state === "ended") await endDomainAlert(kv, commit, before, now);
        const detail = `${before.state} → ${state}`;
        return { ok: true, issuer, action: STATE_ACTIONS[state], detail };
      }),
    setContact: ({ contact, ...change }) =>
      changeIssuer(
        options,
        change,
        (before) =>
          before.contact === contact
            ? null
            : { ok: true, issuer: { ...before, contact }, action: "issuer_contact_changed" },
      ),
    async setLogo({ bytes, ...change }) {
      const { organisation, id } = change;
      if (bytes === null) {
        return await changeIssuer(options, change, (before, commit) => {
          if (before.logo === null) return null;
          commit.delete(issuerLogos.key(organisation, id));
          return { ok: true, issuer: { ...before, logo: null }, action: "issuer_logo_changed" };
        });
      }
      const inspected = inspectLogo(bytes);
      if (!inspected.ok) return inspected;
      const sha256 = encodeHex(await crypto.subtle.digest("SHA-256", bytes));
      return await changeIssuer(options, change, (before, commit) => {
        issuerLogos.set(commit, { organisation, issuer: id, bytes });
        const issuer = { ...before, logo: { sha256, ...inspected.logo } };
        return { ok: true, issuer, action: "issuer_logo_changed" };
      });
    },
    async readLogo(organisation, id) {
      const { value } = await issuerLogos.get(kv, organisation, id);
      if (value === null) return null;
      const bytes = value.bytes as Bytes;
      const inspected = inspectLogo(bytes);
      return inspected.ok ? { ...inspected.logo, bytes } : null;
    },
  };
}

const OWN_STATE = "This is the own organisation, which always issues documents.";
