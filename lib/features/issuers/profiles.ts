/** Changes the state, contact, logo and signature of an issuer. */
import { type Bytes, encodeHex } from "../../base/encoding.ts";
import { fail } from "../../base/result.ts";
import {
  changeIssuer,
  type IssuerChange,
  type IssuerResult,
  type IssuersOptions,
} from "./change.ts";
import { endDomainAlert } from "./domain_alert.ts";
import { inspectPicture, issuerPictures, type Picture, type PictureKind } from "./pictures.ts";
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
  /** @param change.signature a PNG or JPEG file and the name of the person who signs, or null for none */
  setSignature(
    change: IssuerChange & { signature: { bytes: Bytes; signatory: string } | null },
  ): Promise<IssuerResult>;
  /** Returns the file of a picture; null if the issuer has none. */
  readPicture(
    organisation: OrganisationKey,
    id: string,
    kind: PictureKind,
  ): Promise<Picture & { bytes: Bytes } | null>;
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
            message: `This issuer is ${before.state}. Reload the page.`,
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
    setLogo: ({ bytes, ...change }) =>
      setPicture(options, change, "logo", bytes, (logo) => ({ logo })),
    setSignature: ({ signature, ...change }) =>
      setPicture(options, change, "signature", signature?.bytes ?? null, (picture) => ({
        signature: picture && { ...picture, signatory: signature!.signatory },
      })),
    async readPicture(organisation, id, kind) {
      const { value } = await issuerPictures.get(kv, organisation, id, kind);
      if (value === null) return null;
      const bytes = value.bytes as Bytes;
      const inspected = inspectPicture(bytes);
      return inspected.ok ? { ...inspected.picture, bytes } : null;
    },
  };
}

/**
 * Stores a picture, or removes it.
 *
 * @param entries returns the entries of the issuer for what is known of the picture, or for none
 */
async function setPicture(
  options: IssuersOptions,
  change: IssuerChange,
  kind: PictureKind,
  bytes: Bytes | null,
  entries: (picture: IssuerRow["logo"]) => Partial<IssuerRow>,
): Promise<IssuerResult> {
  const { organisation, id } = change;
  const action = `issuer_${kind}_changed` as const;
  if (bytes === null) {
    return await changeIssuer(options, change, (before, commit) => {
      if (before[kind] === null) return null;
      commit.delete(issuerPictures.key(organisation, id, kind));
      return { ok: true, issuer: { ...before, ...entries(null) }, action };
    });
  }
  const inspected = inspectPicture(bytes);
  if (!inspected.ok) return inspected;
  const sha256 = encodeHex(await crypto.subtle.digest("SHA-256", bytes));
  return await changeIssuer(options, change, (before, commit) => {
    issuerPictures.set(commit, { organisation, issuer: id, kind, bytes });
    const issuer = { ...before, ...entries({ sha256, ...inspected.picture }) };
    return { ok: true, issuer, action };
  });
}

const OWN_STATE = "This is your own organisation, which always issues documents.";
