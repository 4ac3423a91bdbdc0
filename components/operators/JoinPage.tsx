/** The page that the link in an invitation to a console opens. */
import type { Failure } from "../../lib/base/result.ts";
import type { Invitation } from "../../lib/features/operators/mod.ts";
import { LAYER_NAMES, LAYER_VIEWS } from "../../lib/features/operators/mod.ts";
import { PageHead } from "../console_parts.tsx";

/** Advice on an invitation that cannot be accepted, by its code. */
const NEXT: Record<string, string> = {
  other_address: "Sign out, and open the link again to sign in with the invited address.",
  expired: "Ask a full administrator of the console for a new one.",
};

/** An invitation, with the button that accepts it. */
export function JoinPage({ found, token, name, email, signsIn }: {
  found: { ok: true; invitation: Invitation } | Failure;
  token: string;
  /** The name of the organisation. */
  name: string;
  /** The address of the person who is signed in; null if nobody is. */
  email: string | null;
  /** True if the button also signs in, with the invited address. */
  signsIn: boolean;
}) {
  if (!found.ok) {
    return (
      <>
        <PageHead title="This invitation cannot be accepted" />
        <section class="card join">
          <p>
            <strong>{found.message}</strong>
          </p>
          <p>
            {email !== null && (
              <>
                You are signed in as <span class="anywhere">{email}</span>.{" "}
              </>
            )}
            {NEXT[found.error]}
          </p>
          {found.error === "conflict"
            ? (
              <p>
                <a class="button" href="/console">Go to the console</a>
              </p>
            )
            : email !== null && (
              <form method="post" action="/api/auth/logout">
                <button type="submit" class="button">Sign out</button>
              </form>
            )}
        </section>
      </>
    );
  }
  const { layer, invited_by, email: invited } = found.invitation;
  return (
    <>
      <PageHead title={`Join the console of ${name}`} />
      <section class="card join">
        <p>
          <span class="anywhere">{invited_by}</span> invites{" "}
          <strong class="anywhere">{invited}</strong> as a {LAYER_NAMES[layer]}.
          {signsIn && " The email proves that the address is yours, so you are signed in at once."}
        </p>
        <p>{LAYER_VIEWS[layer]}</p>
        <p class="muted">
          We log what you do in the console, with your address, for a year. If you are signed in
          elsewhere with this address, those sessions end.
        </p>
        <form method="post" action="/console/team/join">
          <input type="hidden" name="token" value={token} />
          <button type="submit" class="button primary">Accept the invitation</button>
        </form>
      </section>
    </>
  );
}
