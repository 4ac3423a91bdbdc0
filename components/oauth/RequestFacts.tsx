/** The facts and warnings about an app's request to connect, which its pages share. */
import {
  type Destination,
  destinationOf,
  type StoredRequest,
} from "../../lib/features/oauth/mod.ts";

/** A request that a page shows, and the token that its forms send. */
export interface RequestView {
  token: string;
  request: StoredRequest;
}

/** Returns the destination of a decision, to complete "returns to …". */
export function returnText(destination: Destination): string {
  if (destination.kind === "site") return destination.host;
  return destination.kind === "computer"
    ? "an app on this computer"
    : `the app that opens ${destination.scheme} links on this device`;
}

/** The name that an app states, in quotation marks, because nobody has checked it. */
export const AppName = ({ request }: { request: StoredRequest }) => (
  <span class="ink bold anywhere">“{request.client_name}”</span>
);

/** The app that asks, where it returns to, and the server that it connects to. */
export function RequestFacts({ request }: { request: StoredRequest }) {
  const destination = destinationOf(request);
  return (
    <>
      <dt>App</dt>
      <dd>
        <strong>{request.client_name}</strong>
        <span class="muted text-small block">
          {request.client_kind === "document"
            ? `Described at ${new URL(request.client_id).host}. We have not checked the name.`
            : "The app states this name itself. We have not checked it."}
        </span>
      </dd>
      <dt>Returns to</dt>
      <dd>
        <strong>{returnText(destination)}</strong>
        {destination.kind === "computer" && (
          <span class="muted text-small block">{destination.host}</span>
        )}
      </dd>
      <dt>Server</dt>
      <dd>{request.resource}</dd>
    </>
  );
}

const UNKNOWN_APP = "We cannot tell which app this is";
const TRUSTED = "Approve only if you started this yourself just now, in an app that you trust.";

function warningOf(destination: Destination): { title: string; text: string } {
  switch (destination.kind) {
    case "site":
      return {
        title: "Check the address",
        text: "Approve only if you started this yourself just now, and know " +
          `${destination.host}.`,
      };
    case "computer":
      return {
        title: UNKNOWN_APP,
        text: `Any app on this computer can use this name. ${TRUSTED}`,
      };
    case "scheme":
      return {
        title: UNKNOWN_APP,
        text: `Another app on this device could open these links instead. ${TRUSTED}`,
      };
  }
}

/** Tells the person what to check before approving. */
export function RequestWarning({ request }: { request: StoredRequest }) {
  const { title, text } = warningOf(destinationOf(request));
  return (
    <div class="consent-warning pad-3-4 rounded">
      <strong>{title}</strong>
      <p class="flush">{text}</p>
    </div>
  );
}
