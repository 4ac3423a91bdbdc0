/** The page that the app shows without a network, with what it has saved. */
import type { SavedView } from "../../../lib/features/push/app/saved.ts";
import { type LogSentence, logSentence } from "../../../packages/proof/mod.ts";
import { plural } from "../../../lib/base/time.ts";
import { timestamp } from "../../contact/message.ts";
import { EventName } from "../../EventName.tsx";
import { Logo } from "../../Logo.tsx";
import { groupsOf } from "../../RecordHash.tsx";
import { Time } from "../../Time.tsx";

/**
 * The page that the service worker shows when the site cannot be reached. It loads nothing.
 *
 * @param retry the page that was requested
 */
export function OfflinePage({ chain, retry, styles }: {
  chain: SavedView | null;
  retry: string;
  styles: string;
}) {
  return (
    <html lang="en" data-organisation="commercial">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark light" />
        <title>No connection · My record</title>
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <header class="offline-bar">
          <Logo />
          <span>My record</span>
        </header>
        <main class="offline">
          <h1>No connection</h1>
          <p class="lead">
            This page could not be loaded. Either this device is offline, or the site cannot be
            reached.
          </p>
          <p>
            <a class="button primary" href={retry}>Try again</a>
          </p>
          {chain === null
            ? (
              <p class="muted">
                No chain is saved on this device. Your browser saves it when you open your record.
              </p>
            )
            : <SavedChain chain={chain} />}
        </main>
      </body>
    </html>
  );
}

function SavedChain({ chain }: { chain: SavedView }) {
  const { hash, events, at, verified } = chain;
  const size = events.length === 0 ? 0 : events[events.length - 1].seq + 1;
  return (
    <section aria-labelledby="chain-title">
      <h2 id="chain-title">
        Your chain on <Time at={at} />
      </h2>
      <p class="offline-hash">
        <code>{groupsOf(hash).map((group, i) => <span key={i}>{group}</span>)}</code>
      </p>
      <p class={verified?.ok ? "offline-verified" : "offline-not"}>{resultOf(verified)}</p>
      {verified?.ok && verified.log !== null && <LogLine {...logSentence(verified.log)} />}
      <div>
        <table>
          <caption>
            {size > events.length
              ? `The latest ${events.length} of ${
                plural(size, "event")
              }, newest first. Times are in UTC.`
              : `${plural(size, "event")}, newest first. Times are in UTC.`}
          </caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Time</th>
              <th scope="col">Hash</th>
            </tr>
          </thead>
          <tbody>
            {events.toReversed().map((event) => (
              <tr key={event.seq}>
                <td>
                  <EventName kind={event.kind} />
                </td>
                <td>{timestamp(event.at)}</td>
                <td>
                  <code title={event.hash}>{event.hash.slice(0, 12)}…</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="muted">
        Newer events are not shown. Signing out removes this list from the device.
      </p>
    </section>
  );
}

const LogLine = ({ tone, text }: LogSentence) => (
  <p class={tone === "good" || tone === "fair" ? "offline-verified" : "offline-not"}>
    {tone === "warning" && <strong>Warning:</strong>} {text}
  </p>
);

function resultOf(verified: SavedView["verified"]): string {
  if (verified === null) return "Your browser did not verify this chain.";
  if (!verified.ok) return `This chain did not verify: ${verified.message}.`;
  const { size, signedSize } = verified;
  const events = plural(size, "event");
  return signedSize === size
    ? `At that time, your browser verified this chain: the publisher signed all ${events}.`
    : `At that time, your browser verified this chain: the publisher signed ${signedSize} of ${events}.`;
}
