import { formatClock } from "../../lib/base/time.ts";

/** Shows an administrator the code with which an operator replaces lost passkeys. */
export function NewCodePage({ email, code, expiresAt }: {
  email: string;
  code: string;
  expiresAt: string;
}) {
  return (
    <section class="prose">
      <h1>A new passkey for {email}</h1>
      <p>Give this code to the operator in person or by phone, not by email:</p>
      <p class="lead">
        <strong class="mono digits">{code}</strong>
      </p>
      <p>
        It works once, until{" "}
        {formatClock(expiresAt)}. The operator signs in with an emailed link, opens a page that
        needs a passkey, and enters the code. Somebody who only reads the operator’s mailbox cannot
        do that.
      </p>
      <p>
        The earlier passkeys no longer work, and the operator’s sessions have ended. The operator
        and all full administrators get an email about it.
      </p>
      <p>
        <a href="/console/team">Back to the team</a>
      </p>
    </section>
  );
}
