/** The change history of the standard: the version, date and hash of its text after each change. */

export interface StandardChange {
  /** `YYYY-MM-DD`, in UTC. */
  date: string;
  /** The version that the text has after the change. */
  version: string;
  /** A correction affects neither bytes nor requirements. */
  kind: "publication" | "correction";
  title: string;
  /** Plain text. */
  text: string;
  /** The ids of the sections that changed. */
  sections: readonly string[] | "all";
  /** The SHA-256 of all sections after the change, joined in order. */
  sha256: string;
}

/** When a text was published, and last corrected if it was, as `YYYY-MM-DD`. */
export interface TextDates {
  published: string;
  corrected?: string;
}

/** Every change to the text, the newest first. A test requires an entry for the current text. */
export const CHANGES: readonly StandardChange[] = [
  {
    date: "2026-11-28",
    version: "1.2",
    kind: "publication",
    title: "Version 1.2",
    text:
      "A new section describes an optional transparency log, in which a publisher has an entry for each " +
      "size of each chain, each statement about a document and each set of keys, so that strangers notice " +
      "if it changes what it has published: bytes of entries, proofs, their verification, fault codes that " +
      "begin with log_, and what the log does not show. New test vectors cover it. The chains and heads of " +
      "versions 1.0 and 1.1 verify with the same result.",
    sections: [
      "introduction",
      "event-kinds",
      "heads",
      "verification",
      "privacy",
      "transparency-log",
      "conformance",
      "test-vectors",
    ],
    sha256: "0d302a45412cac1c8fae6ba0126c743ad0350d8633a29956fbc5d6dbbecc792e",
  },
  {
    date: "2026-11-23",
    version: "1.1",
    kind: "publication",
    title: "Version 1.1",
    text: "Six questions that version 1.0 left open have answers: a verifier takes events in the " +
      "order in which they are listed and does not sort them; a text in which a name occurs twice " +
      "in an object is refused; numbers are integers by value, so 3.0, 2e0 and -0 are; a grammar " +
      "defines hosts and ports; Ed25519 signatures are verified without the cofactor, and keys of " +
      "small order are refused; a list without events shows nothing. New test vectors cover each. " +
      "Every chain and head that a publisher made as version 1.0 requires still verifies.",
    sections: [
      "introduction",
      "event-chain",
      "event-kinds",
      "heads",
      "trust-levels",
      "verification",
      "conformance",
      "test-vectors",
    ],
    sha256: "b740188d925e7f0c79ddecd2addc8c95b7981b24706418aa21c65fac176470c8",
  },
  {
    date: "2026-11-22",
    version: "1.0",
    kind: "correction",
    title: "Rate limit without an example",
    text: "The description of rate_limits no longer gives 60 as an example of a limit.",
    sections: ["discovery"],
    sha256: "0254a1f2b4511681b6a6a91da595929589b24a77cab168b832e878e6b98238e8",
  },
  {
    date: "2026-11-22",
    version: "1.0",
    kind: "correction",
    title: "Servers without a rate limit",
    text: "The description of rate_limits says what a server without a limit states: null.",
    sections: ["discovery"],
    sha256: "dc0f6ab3796064c26051c0f93179d3e9ffe66adffd5c64d523e758e3637e429a",
  },
  {
    date: "2026-11-22",
    version: "1.0",
    kind: "correction",
    title: "Three sentences reworded",
    text: "Two sentences about equal records and one about heads of other chains are clearer.",
    sections: ["records", "heads"],
    sha256: "83997bc673f59a4ef1fd25bb434b673cb6f9569bbdee40af1d3ba0ad385923a0",
  },
  {
    date: "2026-11-22",
    version: "1.0",
    kind: "correction",
    title: "Plain English throughout",
    text: "All sections were edited for plain English. The requirements, the bytes and the test " +
      "vectors did not change.",
    sections: "all",
    sha256: "e9300f9ed21d791fd3bcd74dc4303b2b1064c84d4af3a87d69155e4403fa6a03",
  },
  {
    date: "2026-11-21",
    version: "1.0",
    kind: "publication",
    title: "Version 1.0",
    text: "The first version: records and their hash, the event chain with ten kinds of events, " +
      "signed heads, trust levels, verification, privacy, discovery for agents, conformance and " +
      "the test vectors.",
    sections: "all",
    sha256: "fca2bcb94a52dc9358a65ea51d9c42f585bebcdcb7ef6986977e07ef556633db",
  },
];
