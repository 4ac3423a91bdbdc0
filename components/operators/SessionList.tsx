/** The console sessions of an operator: browser, network and last use. */
import type { OpenSession } from "../../lib/features/auth/mod.ts";
import { formatAge, formatDay } from "../../lib/base/time.ts";

/** The sessions of the operator who is signed in, with the forms that end them. */
export function SessionList({ sessions, current, now, action }: {
  sessions: readonly OpenSession[];
  /** The id of the session that shows the page. */
  current: string;
  now: number;
  action: string;
}) {
  return (
    <>
      <ul class="document-list team-list">
        {sessions.map((session) => (
          <li class="wrap middle apart gap-2-4 ruled" key={session.id}>
            <SessionFacts session={session} now={now} />
            {session.id === current
              ? <span class="pill good">This browser</span>
              : (
                <form method="post" action={action}>
                  <input type="hidden" name="session" value={session.id} />
                  <button type="submit" class="button small" name="act" value="end_session">
                    End<span class="visually-hidden">
                      {` the session on ${browserOf(session)}`}
                    </span>
                  </button>
                </form>
              )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <form method="post" action={action}>
          <button type="submit" class="button" name="act" value="end_sessions">
            End all other sessions
          </button>
        </form>
      )}
    </>
  );
}

const browserOf = ({ device }: OpenSession): string => device?.browser ?? "an unknown browser";

/** Describes a session in which nothing was recorded before this version as it is. */
export function SessionFacts({ session, now }: { session: OpenSession; now: number }) {
  const { device, created_at, used_at } = session;
  const used = Date.parse(used_at ?? created_at);
  return (
    <div class="stack gap-1 anywhere">
      <strong>{device?.browser ?? "Unknown browser"}</strong>
      <span class="muted text-small">
        {device === null ? "Network unknown" : `Network ${device.network}`}
        {` · began on ${formatDay(created_at)} · last used ${formatAge(now - used)}`}
      </span>
    </div>
  );
}
