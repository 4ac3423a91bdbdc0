import type { HolderReply } from "../../lib/features/inbox/mod.ts";
import { Section } from "../Section.tsx";
import { Time } from "../Time.tsx";

/** The replies to the holder's enquiry, which were mailed too. */
export const RepliesSection = (
  { organisation, replies }: { organisation: string; replies: readonly HolderReply[] },
) => (
  <Section
    id="replies"
    title="Replies to your enquiry"
    lead={`${organisation} emailed them to you.`}
  >
    <ol class="plain stack gap-4">
      {replies.map(({ at, name, text }) => (
        <li key={at}>
          <p class="muted text-small flush">
            <strong>{name}</strong>, <Time at={at} />
          </p>
          <p class="reply-text anywhere">{text}</p>
        </li>
      ))}
    </ol>
  </Section>
);
