/** The page of the console on which full administrators manage one operator. */
import type { OperatorView } from "./team_view.ts";
import { LAYER_NAMES, LAYER_TITLES } from "../../lib/features/operators/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { plural } from "../../lib/base/time.ts";
import { ActionResult } from "../ActionResult.tsx";
import { Problem } from "../ActionPage.tsx";
import { Card, PageHead } from "../console_parts.tsx";
import { Time } from "../Time.tsx";
import { SessionFacts } from "./SessionList.tsx";

interface OperatorPageProps extends OperatorView {
  /** The path of the page, which its forms post to. */
  path: string;
  result: ShownResult | null;
  /** True if this is the administrator who reads the page. */
  isSelf: boolean;
  problem?: string;
  now: number;
}

/** One operator, with the forms that change the layer, end sessions and remove the operator. */
export function OperatorPage(
  { operator, stored, user, sessions, path, result, isSelf, problem, now }: OperatorPageProps,
) {
  const { email, layer, source } = operator;
  return (
    <>
      <PageHead title={<span class="anywhere">{email}</span>} />
      {result !== null && <ActionResult result={result} action={path} />}
      <Problem text={problem} />
      <div class="record-details team">
        <Card id="access" title="Access">
          <dl class="facts even">
            <dt>Layer</dt>
            <dd>{LAYER_TITLES[layer]}</dd>
            {stored === null ? null : (
              <>
                <dt>Joined</dt>
                <dd>
                  <Time at={stored.added_at} day />
                </dd>
                <dt>Invited by</dt>
                <dd class="anywhere">{stored.invited_by}</dd>
              </>
            )}
          </dl>
          {source === "environment" && (
            <p>
              The site’s configuration names this address, for the consoles of both organisations.
              You cannot change this here.
              {stored !== null &&
                ` It was also added here as a ${
                    LAYER_NAMES[stored.layer]
                  }, which counts once the ` +
                  "configuration no longer names it."}
            </p>
          )}
          {source === "console" && (
            <form method="post" action={path}>
              <p>
                {layer === "L1"
                  ? "As a board member, they see summaries only. Their sessions end at once."
                  : "As a full administrator, they see and change everything in this console."}
              </p>
              <input type="hidden" name="layer" value={layer === "L1" ? "L2" : "L1"} />
              <button type="submit" class="button" name="act" value="change_layer">
                Make {layer === "L1" ? "board member (L2)" : "full administrator (L1)"}
              </button>
            </form>
          )}
        </Card>
        <Card id="sessions" title="Sessions">
          {sessions.length === 0 ? <p>There are no open sessions.</p> : (
            <>
              <p>
                {plural(sessions.length, "open session")}. The last used one:
              </p>
              <SessionFacts session={sessions[0]} now={now} />
              <form class="above-4" method="post" action={path}>
                <button type="submit" class="button" name="act" value="end_sessions">
                  End {sessions.length === 1 ? "the session" : "all sessions"}
                </button>
              </form>
            </>
          )}
        </Card>
        {user !== null && !isSelf && (
          <Card id="passkeys" title="Lost passkeys">
            <details class="choice">
              <summary class="button">Let them add a new passkey</summary>
              <form method="post" action="/console/team/passkeys">
                <p>
                  Their passkeys stop working and their sessions end. You get a code for them, to
                  pass on in person or by phone.
                </p>
                <input type="hidden" name="user" value={user} />
                <button type="submit" class="button danger" name="act" value="reset">
                  Replace their passkeys
                </button>
              </form>
            </details>
          </Card>
        )}
        {stored !== null && (
          <Card id="remove" title="Remove">
            <form method="post" action={path}>
              <p>
                {isSelf
                  ? "You lose access to this console at once."
                  : "They lose access to this console at once."}{" "}
                The last full administrator cannot be removed. Entries in the audit log stay.
              </p>
              <label class="check">
                <input type="checkbox" name="confirm" value="yes" required />
                <span class="anywhere">Remove {email}</span>
              </label>
              <button type="submit" class="button danger" name="act" value="remove_operator">
                Remove the operator
              </button>
            </form>
          </Card>
        )}
      </div>
    </>
  );
}
