/** The page between sign-in and “My record” for holders of several records. */
import type { State } from "../../lib/app/state.ts";
import { plural } from "../../lib/base/time.ts";
import { choicePath, worksWithoutRecord } from "../oauth/paths.ts";
import { AppName, type RequestView } from "../oauth/RequestFacts.tsx";
import { type BesidePart, RecordFrame } from "../RecordFrame.tsx";
import { RecordChoices } from "./RecordChoices.tsx";
import type { DescribedRecord } from "./RecordDescription.tsx";

const BESIDE: readonly BesidePart[] = [
  {
    title: "Why there are several",
    text:
      "Each enquiry that you send registers a record of its own, with its own hash and chain, and so " +
      "does a document that you keep apart when you accept it.",
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

/** Lets a holder whose sign-in opens several records choose one of them. */
export function ChoosePage(
  { state, records, request }: {
    state: State;
    records: readonly DescribedRecord[];
    /** The app's request that the record is chosen for. */
    request?: RequestView;
  },
) {
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
      <RecordChoices {...{ records, state }} request={request?.token} />
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
