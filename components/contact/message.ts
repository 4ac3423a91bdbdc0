/** The texts that the teletype and the feed type: the receipt of an enquiry and the rows of events. */
import type { LinkedEvent } from "../../packages/proof/mod.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { MASKED_FIELDS } from "../../lib/features/contact/fields.ts";
import type { Receipt } from "./responses.ts";

const { COPY } = CONFIG;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Returns the day, short month, year and time to the second (spec 2.8), in UTC like the chain's
 * times.
 */
export function timestamp(at: string): string {
  const date = new Date(at);
  const two = (value: number) => `${value}`.padStart(2, "0");
  const day = `${two(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(":");
  return `${day} ${time}`;
}

/** Returns the plain name of an event kind. The contact form's feed shows none (spec 2.8). */
export type NameOf = (kind: string) => string | undefined;

/** Returns a chain event as displayed: timestamp, plain name if there is one, kind, check mark. */
export const rowOf = (
  { at, kind }: LinkedEvent,
  nameOf?: NameOf,
): [time: string, name: string, kind: string, mark: string] => [
  timestamp(at),
  nameOf?.(kind) ?? "",
  kind,
  "✓",
];

export const rowLength = (event: LinkedEvent, nameOf?: NameOf): number =>
  rowOf(event, nameOf).reduce((total, cell) => total + cell.length, 0);

/** One line of the message: a label with a value, a sentence, or the QR code. */
export type MessageLine =
  | { label: string; value: string }
  | { text: string; kind?: "title" | "ends" }
  | { qr: string };

export function messageOf(
  { organisation, hash, events, masked, verify_url }: Receipt,
): MessageLine[] {
  const { MESSAGE } = COPY;
  const [first] = events;
  return [
    { text: MESSAGE.TITLE, kind: "title" },
    { label: MESSAGE.RECORDED, value: `${timestamp(first.at)} UTC`.toUpperCase() },
    { label: MESSAGE.RECORD, value: `${hash.slice(0, 32)}\n${hash.slice(32)}` },
    ...MASKED_FIELDS.map(({ name, label }) => ({
      label: label.toUpperCase(),
      value: masked[name] ?? MESSAGE.NOT_GIVEN,
    })),
    ...organisation === undefined ? [] : [{ label: MESSAGE.TO, value: organisation.toUpperCase() }],
    { label: MESSAGE.CHAIN, value: MESSAGE.CHAIN_VALUE },
    { qr: verify_url },
    { text: MESSAGE.SCAN },
    { text: MESSAGE.CONFIRM },
    { text: MESSAGE.REPLY },
  ];
}

export function lineLength(line: MessageLine): number {
  if ("qr" in line) return 0;
  return "text" in line ? line.text.length : line.label.length + line.value.length;
}

/** Returns the text of a line for screen readers. */
export function spoken(line: MessageLine): string {
  if ("qr" in line) return "";
  return "text" in line ? line.text : `${line.label}: ${line.value.replace("\n", "")}`;
}
