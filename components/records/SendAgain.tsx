import { inWords, USED_UP, useLinkWait } from "../auth/link_wait.ts";

/** Requests another link, unless this browser has used up those of the address. */
export function SendAgain(
  { email, request, asked }: {
    email: string;
    /** The token of an app's request. */
    request?: string;
    /** True if the page responds to a request for a link. */
    asked: boolean;
  },
) {
  const { left, usedUp } = useLinkWait(email, { round: 0, minimum: 0, counts: asked });
  return (
    <div role="status">
      {usedUp
        ? (
          <p class="caution pad-3-4 rounded">
            {USED_UP} You can ask for another {inWords(left!)}.
          </p>
        )
        : (
          <form method="post" action="/my-record/sign-in">
            {request !== undefined && <input type="hidden" name="request" value={request} />}
            <input type="hidden" name="email" value={email} />
            <button type="submit" class="button">Send it again</button>
          </form>
        )}
    </div>
  );
}
