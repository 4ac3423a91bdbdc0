/** A passage of the standard, word for word, with what it means. */
interface Excerpt {
  section: string;
  quote: string;
  note: string;
}

/** The passages on the foundation's home page. A test compares them with the sections' text. */
export const EXCERPTS: readonly Excerpt[] = [
  {
    section: "event-chain",
    quote: "A chain is a list of events in which each event's hash covers the event and the " +
      "previous hash, so that no event can be altered, removed, inserted or moved without a trace.",
    note: "Break one in the figure above.",
  },
  {
    section: "heads",
    quote: "A chain alone reveals every change inside it, but its last events can be removed " +
      "without a trace: the rest is a shorter chain that is intact. A head closes this gap.",
    note: "The head is an Ed25519 signature over the chain's size and its last hash.",
  },
  {
    section: "privacy",
    quote: "Personal data never enters a chain: only a salted commitment, ten possible event " +
      "names and times are published.",
    note: "The record itself stays with the publisher, where it can be erased.",
  },
  {
    section: "introduction",
    quote: "Whether the publisher confirms addresses carefully depends on its conduct, not on " +
      "the bytes.",
    note: "A chain that verifies is unaltered, which does not make its statements true.",
  },
];
