import type { ComponentChildren } from "preact";
import type { SignInRegister } from "../../../lib/ops/mod.ts";
import { Moment } from "./Moment.tsx";
import { RouteTable } from "./RouteTable.tsx";

/** How sign-in is doing, and its routes (spec 4.2.5). */
export function SignInSection({ signIn }: { signIn: SignInRegister }) {
  const { users, last_sign_up, sessions_last_write, mails_failed, mail_transport } = signIn;
  const rows = signIn.routes.map(({ path, status, on }) => ({
    path,
    status,
    note: on.length > 0 ? on.join(", ") : "No surface that is served has it.",
  }));
  return (
    <section class="registry-section" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign-in</h2>
      <dl class="registry-figures">
        <Figure name="Users">{users}</Figure>
        <Figure name="Last sign-up">{moment(last_sign_up)}</Figure>
        <Figure name="Session store’s last write">{moment(sessions_last_write)}</Figure>
        <Figure name="Failed mails" note={`Transport: ${mail_transport}`}>{mails_failed}</Figure>
      </dl>
      <div class="card registry-card">
        <RouteTable label="The routes of sign-in" rows={rows} />
      </div>
    </section>
  );
}

function Figure(
  { name, note, children }: { name: string; note?: string; children: ComponentChildren },
) {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note && <dd class="registry-note">{note}</dd>}
    </div>
  );
}

const moment = (at: string | null) => at === null ? "never" : <Moment at={at} />;
