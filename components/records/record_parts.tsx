/** The order and data of the foldable sections in “My record”. */
import type { VNode } from "preact";
import type { NumberView } from "../../lib/features/codes/mod.ts";
import type { LaterIssuer } from "../../lib/features/issuing/mod.ts";
import type { UsedGrant } from "../../lib/features/oauth/mod.ts";
import type { PasskeyList } from "../../lib/features/passkeys/mod.ts";
import type { PushOverview } from "../../lib/features/push/mod.ts";
import {
  type AccessEntry,
  KEY_LEVEL,
  type KeyOverview,
  type RecordEntry,
  type Waiting,
} from "../../lib/features/records/mod.ts";
import { NumberSection } from "../codes/NumberSection.tsx";
import { IssuersSection } from "./IssuersSection.tsx";
import { AgentsSection } from "../oauth/AgentsSection.tsx";
import { PasskeysSection } from "../passkeys/PasskeysSection.tsx";
import { NotificationsSection } from "../push/NotificationsSection.tsx";
import { FoldedSection } from "../Section.tsx";
import { AccessLogSection } from "./AccessLog.tsx";
import { ContactSection } from "./CorrectPage.tsx";
import { DeclarationSection } from "./DeclarationPage.tsx";
import { KeySection } from "./KeySection.tsx";

/** The data of the parts below the chain. */
export interface RecordPartsData {
  passkeys: PasskeyList;
  /** The action on a passkey that was just completed: the query parameter `passkey`. */
  passkeyDone: string | null;
  number: NumberView;
  /** The confirmation that a correction of the contact data waits for, if there is one. */
  waiting: Waiting | null;
  keys: KeyOverview;
  push: PushOverview;
  agents: readonly UsedGrant[];
  /** The issuers whose later documents are added to the record. */
  issuers: readonly LaterIssuer[];
  /** The latest entries of the access log. */
  log: { entries: AccessEntry[]; cursor: string | null };
}

interface PartsProps extends RecordPartsData {
  record: RecordEntry;
  organisation: string;
  /** False if the record was replaced, or waits for its confirmation. */
  inForce: boolean;
  isCorrection: boolean;
  /** The key for notifications in browsers; null if they are off. */
  vapid: string | null;
}

const NUMBER_STATES: Record<NumberView["state"], string> = {
  none: "None",
  unconfirmed: "Not confirmed",
  confirmed: "Confirmed",
  rejected: "Not yours",
};

/** Returns the parts of the record page below the chain. */
export function recordParts(props: PartsProps): VNode[] {
  const { record, organisation, inForce, isCorrection, vapid, log, push } = props;
  const { hash, contact: { value: contact }, row } = record;
  const notifies = push.devices.length + push.platforms.length > 0;
  return [
    <ContactSection
      key="contact"
      enquiry={contact.record}
      organisation={organisation}
      registeredAt={contact.registered_at}
      waiting={props.waiting}
      correctable={row.replaced_by === null}
    />,
    inForce && <DeclarationSection key="declaration" declarations={contact.declarations ?? []} />,
    inForce && <PasskeysSection key="passkeys" list={props.passkeys} done={props.passkeyDone} />,
    inForce && (
      <FoldedSection
        key="number"
        id="number"
        title="Mobile number"
        state={NUMBER_STATES[props.number.state]}
        lead="A second way to sign in, with a code."
      >
        <NumberSection view={props.number} />
      </FoldedSection>
    ),
    inForce && <KeySection key="key" keys={props.keys} mayIssue={row.level >= KEY_LEVEL} />,
    inForce && notifies && (
      <NotificationsSection key="notifications" overview={push} hash={hash} vapid={vapid} />
    ),
    inForce && props.issuers.length > 0 && <IssuersSection key="issuers" issuers={props.issuers} />,
    inForce && <AgentsSection key="agents" agents={props.agents} />,
    <AccessLogSection key="log" entries={log.entries} more={log.cursor !== null} />,
    !isCorrection && <DataSection key="data" />,
    <SessionsSection key="sessions" />,
  ].filter((part) => part !== false);
}

const DataSection = () => (
  <FoldedSection
    id="data"
    title="Your data"
    state="Download or delete it"
    lead="A JSON file has what you registered, the chain with its signature, the replies and your links. Documents are downloaded on their own pages, and the access log is above."
  >
    <p class="actions">
      <a class="button small" href="/my-record/download.json">Download the record</a>
      <a class="button small danger" href="/my-record/delete">Delete this record</a>
    </p>
  </FoldedSection>
);

const SessionsSection = () => (
  <FoldedSection
    id="sessions"
    title="Sessions"
    state="Sign out everywhere"
    lead="A sign-in lasts for 30 days on each device. Signing out everywhere also disconnects all apps and devices, and revokes all access to your documents that was approved, and all links to them that were created, within the last 7 days. An emailed link opens all records of its address; a passkey or a code opens one."
  >
    <form method="post" action="/my-record/sign-out">
      <input type="hidden" name="everywhere" value="1" />
      <button type="submit" class="button small">Sign out everywhere</button>
    </form>
  </FoldedSection>
);
