import { type BesidePart, RecordFrame } from "../RecordFrame.tsx";

const BESIDE: readonly BesidePart[] = [
  {
    title: "Your record",
    text: "Nothing was connected. The app has no access to a record.",
  },
  { title: "If you did not start this yourself", text: "Close this page." },
];

/** The page for an authorization request that cannot return to the app. */
export function AuthorizeError(
  { message, organisation }: { message: string; organisation: string },
) {
  return (
    <RecordFrame title="The app cannot be connected" styles="consent" beside={BESIDE}>
      <h1>The app cannot be connected</h1>
      <p class="lead">{message}</p>
      <p>
        To try again, go back to the app and connect it to {organisation}{" "}
        once more. If that does not help, remove the server from the app and add it again.
      </p>
    </RecordFrame>
  );
}
