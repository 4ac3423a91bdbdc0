import { ownerOf } from "../../lib/features/contact/mod.ts";
import type { RecordEntry } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { plural } from "../../lib/base/time.ts";
import { choicePath, worksWithoutRecord } from "../oauth/paths.ts";
import { AppName, type RequestView } from "../oauth/RequestFacts.tsx";
import { type BesidePart, RecordFrame } from "../RecordFrame.tsx";
import { groupsOf } from "../RecordHash.tsx";
import { Time } from "../Time.tsx";

const BESIDE: readonly BesidePart[] = [
  {
    title: "Why there are several",
    text: "Each enquiry that you send registers a record of its own, with its own hash and chain.",
  },
  {
    title: "What a level means",
    text: (
      <p>
        How much about a record has been confirmed. <a href="/levels">All levels</a>
      </p>
    ),
  },
];

/** Lets a holder whose sign-in opens several records choose one. */
export function ChoosePage(
  { state, records, request }: {
    state: State;
    records: RecordEntry[];
    /** The app's request that the record is chosen for. */
    request?: RequestView;
  },
) {
  const { organisations } = state.services.config;
  return (
    <RecordFrame title="Choose a record" beside={BESIDE}>
      <p class="eyebrow">My record</p>
      <h1>Choose a record</h1>
      <p class="lead">
        {request === undefined
          ? `You have ${plural(records.length, "record")}. You can switch between them at any time.`
          : (
            <>
              Which record do you want to use with{" "}
              <AppName request={request.request} />? You can still deny the request afterwards.
            </>
          )}
      </p>
      <ul class="record-choices stack gap-3">
        {records.map(({ hash, contact: { value: contact }, row }) => (
          <li key={hash}>
            <form method="post" action="/my-record/choose">
              <input type="hidden" name="record" value={hash} />
              {request !== undefined && (
                <input
                  type="hidden"
                  name="request"
                  value={request.token}
                />
              )}
              <button class="box stack gap-1-4 full-width pad-4-5 ink" type="submit">
                <code>{groupsOf(hash.slice(0, 16)).join(" ")} …</code>
                <span class="muted">
                  Registered with {organisations[ownerOf(contact)].name} on{" "}
                  <Time at={contact.registered_at} day />
                </span>
                <span class="muted">
                  {row.replaced_by === null ? `Level ${row.level}` : "Replaced by a newer record"}
                </span>
                <span class="arrow accent" aria-hidden="true">→</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
      {request === undefined
        ? (
          <form method="post" action="/my-record/sign-out">
            <button type="submit" class="button small">Sign out</button>
          </form>
        )
        : (
          <p class="actions">
            <a class="button small" href={choicePath(request.token, "sign-in")}>
              Sign in to another record
            </a>
            {worksWithoutRecord(request) && (
              <a class="button small" href={choicePath(request.token, "none")}>
                Continue without a record
              </a>
            )}
          </p>
        )}
    </RecordFrame>
  );
}
