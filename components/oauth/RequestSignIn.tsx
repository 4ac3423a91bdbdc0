/** Parts of the sign-in page for holders who come from an app that wants to connect. */
import { destinationOf } from "../../lib/features/oauth/mod.ts";
import { DenyForm } from "./ConsentPage.tsx";
import { AppName, RequestFacts, type RequestView, returnText } from "./RequestFacts.tsx";
import { choicePath, worksWithoutRecord } from "./paths.ts";

/** The heading of the sign-in page for an app's request. */
export function RequestHeading({ view }: { view: RequestView }) {
  const { token, request } = view;
  return (
    <>
      <p class="eyebrow">Connect an app</p>
      <h1>Sign in to your record</h1>
      <p class="lead">
        <AppName request={request} />, which returns to {returnText(destinationOf(request))},{" "}
        wants to connect. You can approve or deny it after you sign in.
      </p>
      {worksWithoutRecord(view) && (
        <p class="wrap gap-2-5 middle">
          <a class="button" href={choicePath(token, "none")}>Continue without a record</a>
          <span class="muted text-small">The app then learns nothing about you.</span>
        </p>
      )}
    </>
  );
}

/** The request that the holder signs in for. */
export function RequestAside({ view }: { view: RequestView }) {
  const { request } = view;
  return (
    <aside
      class="sign-in-about sign-in-request pad-5 soft-framed round raised ink"
      aria-labelledby="request-title"
    >
      <h2 class="below-2 ink text-large" id="request-title">What you are signing in for</h2>
      <dl class="facts below-5 above-3">
        <RequestFacts request={request} />
      </dl>
      <DenyForm view={view}>If you did not start this yourself, deny it.</DenyForm>
    </aside>
  );
}
