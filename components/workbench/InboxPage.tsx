/** The layout that the workbench's pages for mail, phone, notifications and webhooks share. */
import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import type { InboxFrame, Live } from "../../lib/features/workbench/mod.ts";
import { LivePage } from "./LivePage.tsx";

const INBOXES = [
  { key: "mail", path: "/dev/outbox", text: "Mail" },
  { key: "phone", path: "/dev/phone", text: "Phone" },
  { key: "push", path: "/dev/push", text: "Notifications" },
  { key: "webhooks", path: "/dev/webhooks", text: "Webhooks" },
] as const;

/** The frame of the inboxes: one tab each, the messages, and the controls of the stand-in. */
export function InboxPage({ of, title, lead, frame: { counts, version }, tools, aside, children }: {
  of: Exclude<Live, "tour">;
  title: string;
  lead: ComponentChildren;
  frame: InboxFrame;
  /** Controls below the tabs, which are never replaced while the page is open. */
  tools?: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="inbox">
      <Head>
        <title>{title}</title>
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/workbench.css")} />
      </Head>
      <p class="eyebrow">
        <a href="/">Workbench</a>
      </p>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <LivePage of={of} version={version} note="The inbox has changed." />
      <div data-live="">
        <nav class="inbox-tabs below-5" aria-label="Inboxes">
          <ul class="plain flex gap-5">
            {INBOXES.map(({ key, path, text }) => {
              const count = counts[key];
              return count !== null && (
                <li key={key}>
                  <a
                    class="cluster gap-2 muted"
                    id={`inbox-${key}`}
                    href={path}
                    aria-current={key === of ? "page" : "false"}
                  >
                    {text} <span class="inbox-count muted">{count}</span>
                  </a>
                </li>
              );
            })}
          </ul>
        </nav>
      </div>
      {tools}
      <div data-live="" class={aside === undefined ? undefined : "inbox-columns stack top gap-6"}>
        <div>{children}</div>
        {aside !== undefined && <aside aria-label="The stand-in">{aside}</aside>}
      </div>
    </section>
  );
}

/** A message, folded unless it is the newest one. */
export function Message({ id, newest, title, to, at, children }: {
  id: string;
  newest: boolean;
  title: string;
  to: ComponentChildren;
  /** ISO 8601. */
  at: string;
  children: ComponentChildren;
}) {
  return (
    <details
      class={`message soft-framed round on-card ${newest ? "newest" : ""}`.trim()}
      id={`message-${id}`}
      open={newest}
    >
      <summary class="stack gap-0-4 round" id={`summary-${id}`}>
        <span class="wrap gap-1-3 baseline">
          <strong>{title}</strong>
          {newest && <span class="pill good">Newest</span>}
        </span>
        <span class="message-to muted text-small anywhere">{to}</span>
        <time class="mono muted text-small" dateTime={at}>{at.slice(11, 19)} UTC</time>
      </summary>
      <div class="message-body">{children}</div>
    </details>
  );
}
