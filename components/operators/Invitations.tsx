/** The section of the team page that invites operators to a console. */
import type { ShownInvitation } from "./team_view.ts";
import { INVITATION_LIFETIME_MS, type Layer, LAYERS } from "../../lib/features/operators/mod.ts";
import { LAYER_TITLES } from "../../lib/features/operators/mod.ts";
import { formatDateTime, inHours } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";

/** A form that was refused: the action, what was entered, and why. */
export interface RefusedForm {
  act: string;
  email: string;
  layer: string;
  problem: string;
}

/** The pending invitations, and the form for a new one. */
export function Invitations({ invitations, refused, action }: {
  invitations: readonly ShownInvitation[];
  refused?: RefusedForm;
  action: string;
}) {
  return (
    <>
      {invitations.length > 0 && (
        <ul class="document-list team-list">
          {invitations.map((invitation) => (
            <Pending key={invitation.person} invitation={invitation} action={action} />
          ))}
        </ul>
      )}
      <form method="post" action={action}>
        <p>
          The person gets an email with a link that works once within{" "}
          {inHours(INVITATION_LIFETIME_MS)}, and only for this address.
        </p>
        <Field name="email" label="Email address" required problem={refused?.problem}>
          {(control) => (
            <input
              {...control}
              {...{ defaultValue: refused?.email ?? "" }}
              type="email"
              autocomplete="off"
            />
          )}
        </Field>
        <fieldset class="field">
          <legend>Layer</legend>
          {LAYERS.toReversed().map((layer) => (
            <label class="check" key={layer}>
              <input
                type="radio"
                name="layer"
                value={layer}
                required
                checked={(refused?.layer ?? "L2") === layer}
              />
              <span>
                {LAYER_TITLES[layer]}
                <small class="muted">{MEANINGS[layer]}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <button type="submit" class="button primary" name="act" value="invite">
          Invite
        </button>
      </form>
    </>
  );
}

const MEANINGS: Record<Layer, string> = {
  L1: "Sees and changes everything in this console, its operators included.",
  L2: "Sees summaries, without personal data or account numbers.",
};

function Pending({ invitation, action }: { invitation: ShownInvitation; action: string }) {
  const { email, layer, invited_by, expires_at, valid, failure, person } = invitation;
  const whose = <span class="visually-hidden">{` of ${email}`}</span>;
  return (
    <li class="stack gap-2 ruled anywhere">
      <div class="stack gap-1">
        <strong>{email}</strong>
        <span class="muted text-small">
          {LAYER_TITLES[layer]} · invited by {invited_by} · until {formatDateTime(expires_at)}
        </span>
        {!valid && (
          <span class="problem">
            {invited_by}{" "}
            is no longer a full administrator, so this invitation is void. Send it again yourself,
            or withdraw it.
          </span>
        )}
        {failure !== null && <span class="problem">The email is not delivered. {failure}</span>}
      </div>
      <form class="wrap gap-2" method="post" action={action}>
        <input type="hidden" name="person" value={person} />
        <button type="submit" class="button small" name="act" value="invite_again">
          Send again{whose}
        </button>
        <button type="submit" class="button small" name="act" value="withdraw_invitation">
          Withdraw{whose}
        </button>
      </form>
    </li>
  );
}
