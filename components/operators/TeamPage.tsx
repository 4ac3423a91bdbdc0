/** The page `/console/team`: operators, invitations, passkeys, sessions and mails. */
import type { TeamMember, TeamView } from "./team_view.ts";
import type { OperatorPasskeyList } from "../../lib/features/passkeys/mod.ts";
import {
  LAYER_NAMES,
  LAYER_TITLES,
  LAYER_VIEWS,
  OPERATOR_MAILS,
  type OperatorMail,
} from "../../lib/features/operators/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { plural } from "../../lib/base/time.ts";
import { ActionResult } from "../ActionResult.tsx";
import { Problem } from "../ActionPage.tsx";
import { Card, PageHead } from "../console_parts.tsx";
import { ConsolePasskeys } from "../passkeys/ConsolePasskeys.tsx";
import { Invitations, type RefusedForm } from "./Invitations.tsx";
import { SessionList } from "./SessionList.tsx";

const PATH = "/console/team";

interface TeamPageProps extends TeamView {
  result: ShownResult | null;
  refused?: RefusedForm;
  /** The id of the session that shows the page. */
  session: string;
  passkeys: OperatorPasskeyList;
  /** The action on a passkey that was just completed. */
  passkeyDone: string | null;
  now: number;
}

/** The operators of a console and its invitations, and the sessions and settings of the reader. */
export function TeamPage(
  { own, canLeave, sessions, managed, result, refused, session, passkeys, passkeyDone, now }:
    TeamPageProps,
) {
  return (
    <>
      <PageHead
        title="Team"
        lead={managed === null
          ? "Your access to this console, and where you are signed in."
          : "Who may use this console, and where you are signed in."}
      />
      {result !== null && <ActionResult result={result} action={PATH} />}
      <Problem text={refused && refused.act !== "invite" ? refused.problem : undefined} />
      <div class="record-details team">
        {managed !== null && (
          <>
            <Card id="operators" title="Operators">
              <Members {...managed} own={own.person} />
            </Card>
            <Card
              id="invitations"
              title="Invitations"
              screenOnly={managed.invitations.length === 0}
            >
              <Invitations
                invitations={managed.invitations}
                refused={refused?.act === "invite" ? refused : undefined}
                action={PATH}
              />
            </Card>
          </>
        )}
        <Card id="passkeys" title="Your passkeys">
          <ConsolePasskeys list={passkeys} done={passkeyDone} />
        </Card>
        <Card id="sessions" title="Your sessions">
          <p>
            {sessions.length === 1
              ? "You are signed in to this console in one browser."
              : `You are signed in to this console in ${plural(sessions.length, "browser")}. End ` +
                "those that you do not recognise."}
          </p>
          <SessionList sessions={sessions} current={session} now={now} action={PATH} />
        </Card>
        <Card id="mails" title="Your emails">
          <OwnMails {...own} />
        </Card>
        <Card id="access" title="Your access">
          <p>
            You are a {LAYER_NAMES[own.layer]} of this console. {LAYER_VIEWS[own.layer]}
            {own.source === "environment" &&
              " The configuration of the site names your address, so it cannot be changed here."}
          </p>
          {canLeave && <Leave open={refused?.act === "leave"} />}
        </Card>
      </div>
    </>
  );
}

function Members({ members, unprotected, own }: {
  members: readonly TeamMember[];
  /** The addresses of those who have no passkey. */
  unprotected: readonly string[];
  own: string;
}) {
  return (
    <ul class="document-list team-list">
      {members.map(({ email, layer, source, person }) => (
        <li class="stack gap-1 ruled anywhere" key={person}>
          <a href={`${PATH}/${person}`}>
            <strong>{email}</strong>
          </a>
          <span class="muted text-small">
            {LAYER_TITLES[layer]}
            {source === "environment" && " · from the configuration"}
            {person === own && " · you"}
          </span>
          {unprotected.includes(email) && (
            <span>
              <span class="pill warn">No passkey</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Describes the kinds of mails, and when they are sent. */
const MAILS: Record<OperatorMail, { title: string; text: string }> = {
  urgent: {
    title: "Urgent alerts",
    text: "At once, when somebody has to act now, with the first step. At least one full " +
      "administrator gets them.",
  },
  morning: {
    title: "The morning’s alerts",
    text: "Each day after 06:00 UTC, if there are new alerts or urgent ones are still open. At " +
      "least one full administrator gets it.",
  },
  digest: {
    title: "Digest of the inbox",
    text: "While enquiries are new, their number and a link, at most every 15 minutes.",
  },
};

/** Only full administrators see enquiries and alerts, so only they get these mails. */
function OwnMails({ layer, mails }: Pick<TeamMember, "layer" | "mails">) {
  if (layer !== "L1") return <p>Only full administrators get emails about alerts and enquiries.</p>;
  return (
    <ul class="document-list team-list">
      {OPERATOR_MAILS.map((mail) => (
        <li class="wrap middle apart gap-2-4 ruled" key={mail}>
          <div class="stack gap-1">
            <span class="wrap middle gap-2">
              <strong id={`mail-${mail}`}>{MAILS[mail].title}</strong>
              <span class={`pill ${mails[mail] ? "good" : ""}`}>{mails[mail] ? "On" : "Off"}</span>
            </span>
            <span class="muted text-small">{MAILS[mail].text}</span>
          </div>
          <form method="post" action={PATH}>
            <input type="hidden" name="act" value="mail" />
            <input type="hidden" name="mail" value={mail} />
            <button
              type="submit"
              class="button small nowrap"
              name="wanted"
              value={mails[mail] ? "off" : "on"}
              aria-describedby={`mail-${mail}`}
            >
              {mails[mail] ? "Turn off" : "Turn on"}
            </button>
          </form>
        </li>
      ))}
    </ul>
  );
}

const Leave = ({ open }: { open: boolean }) => (
  <details class="choice" open={open}>
    <summary class="button">Leave this console</summary>
    <form method="post" action={PATH}>
      <p>
        Your sessions end at once. Only a full administrator can invite you again. The last one
        cannot leave.
      </p>
      <label class="check">
        <input type="checkbox" name="confirm" value="yes" required />
        Give up my access to this console
      </label>
      <button type="submit" class="button danger" name="act" value="leave">
        Leave this console
      </button>
    </form>
  </details>
);
