import { destinationOf } from "../../lib/features/oauth/mod.ts";
import { DenyForm } from "./ConsentPage.tsx";
import { AppName, RequestFacts, type RequestView, returnText } from "./RequestFacts.tsx";
import { choicePath, worksWithoutRecord } from "./paths.ts";

/** The heading of the sign-in page for an app's request. */
export function RequestHeading({ view: { request } }: { view: RequestView }) {
  return (
    <>
      <p class="eyebrow">Connect an app</p>
      <h1>Sign in to your record</h1>
      <p class="lead">
        <AppName request={request} />, which returns to {returnText(destinationOf(request))},{" "}
        wants to connect. You can approve or deny it after you sign in.
      </p>
    </>
  );
}

/** The request that the holder signs in for, and a link to continue without a record. */
export function RequestAside({ view }: { view: RequestView }) {
  const { token, request } = view;
  return (
    <aside
      class="sign-in-about sign-in-request pad-5 soft-framed round raised ink"
      aria-labelledby="request-title"
    >
      <h2 class="below-2 ink text-large" id="request-title">What you are signing in for</h2>
      <dl class="facts below-5 above-3">
        <RequestFacts request={request} />
      </dl>
      {worksWithoutRecord(view) && (
        <>
          <h2 class="below-2 ink text-large">No record?</h2>
          <p>
            The tools of this server are open to everyone. Without a record, the app learns nothing
            about you.
          </p>
          <p>
            <a class="button wide" href={choicePath(token, "none")}>Continue without a record</a>
          </p>
        </>
      )}
      <DenyForm view={view}>If you did not start this yourself, deny it.</DenyForm>
    </aside>
  );
}
