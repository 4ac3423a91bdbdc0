/** Says if somebody notices a way to cheat, and when or how. */
export interface Notice {
  answer: "yes" | "sometimes" | "no";
  text?: string;
}

/** The people and programs that could notice, in the order of the answers. */
export const CHECKERS = [
  {
    name: "You kept a file",
    text:
      "You saved the record earlier, and look in the log for each of its events, and later ones.",
  },
  {
    name: "You check the proof",
    text:
      "You were just shown the record. Your program checks its proof, and trusts a witness that " +
      "is independent of the publisher.",
  },
  {
    name: "A witness",
    text: "It countersigns the log only if it has grown. It reads no entries.",
  },
  {
    name: "A monitor",
    text: "It reads all entries, all the time, and keeps a copy. It knows no record.",
  },
] as const;

export interface Cheat {
  title: string;
  against: string;
  /** An answer for each of {@linkcode CHECKERS}. */
  notices: readonly [Notice, Notice, Notice, Notice];
}

const yes = (text?: string): Notice => ({ answer: "yes", text });
const sometimes = (text: string): Notice => ({ answer: "sometimes", text });
const NO: Notice = { answer: "no" };

const EVERYONE = "Against everyone who relies on it";

/** The ways to cheat that somebody could notice by the log, in groups. */
export const CHEATS: readonly { title: string; cheats: readonly Cheat[] }[] = [
  {
    title: "The publisher changes a record",
    cheats: [
      {
        title: "Rewrites a record, and leaves the log as it is",
        against: EVERYONE,
        notices: [
          yes("The log has the old history, not the new one."),
          sometimes(
            "It is not in the log. Only events that claim to be newer than 10 minutes pass.",
          ),
          NO,
          NO,
        ],
      },
      {
        title: "Shows two people two histories, or rewrites one, and enters both in the log",
        against: "Against one of the two people",
        notices: [
          yes("Two entries are in one place. Your file fits only one of them."),
          NO,
          NO,
          yes("Two entries in one place prove it to anybody."),
        ],
      },
      {
        title: "The same, but enters each history only where the other one has no entry",
        against: "Against one of the two people",
        notices: [
          yes("Entries are missing, or do not fit your file."),
          sometimes("If your program looks for every event, not only the newest."),
          NO,
          NO,
        ],
      },
      {
        title: "Leaves an event out of the log",
        against: "Against whoever relies on that event",
        notices: [
          yes("Your file has an event that is not in the log."),
          sometimes(
            "If it is the newest, and 10 minutes old, or your program looks for every event.",
          ),
          NO,
          NO,
        ],
      },
      {
        title: "Enters an event an hour late",
        against: "Against whoever relies on its time",
        notices: [
          sometimes("If a monitor, yours or another one, saw when the entry appeared."),
          sometimes("Within that hour. Later only if you compare the two times."),
          NO,
          NO,
        ],
      },
      {
        title: "Hides the newest events from you",
        against: "Against you",
        notices: [
          yes("The log has entries after the last event in your file."),
          NO,
          NO,
          NO,
        ],
      },
    ],
  },
  {
    title: "The publisher changes the log",
    cheats: [
      {
        title: "Changes or removes entries",
        against: "Against everyone",
        notices: [
          yes("The proof in your file does not fit the new log."),
          yes("The witness has not countersigned the new log."),
          yes("It refuses to countersign."),
          yes("The new log does not contain its copy."),
        ],
      },
      {
        title: "Shows you another log than everyone else",
        against: "Against you",
        notices: [
          sometimes("If the two logs parted before you saved the file."),
          yes("The witness has countersigned only one of them."),
          sometimes("If it is asked to countersign both: it refuses the second, and keeps it."),
          sometimes("If it is shown the log that the witness has not countersigned."),
        ],
      },
      {
        title: "Does not let others read the entries",
        against: "Against everyone",
        notices: [
          yes("You cannot look, but you cannot prove it either."),
          NO,
          NO,
          yes("It reports that, but cannot prove it."),
        ],
      },
    ],
  },
  {
    title: "A witness helps the publisher",
    cheats: [
      {
        title: "The publisher runs the witness that you trust, and changes entries",
        against: "Against you",
        notices: [
          yes("The proof in your file does not fit the new log."),
          sometimes("If your program also demands an independent witness."),
          sometimes("If an independent one is asked too: it refuses."),
          yes("The new log does not contain its copy."),
        ],
      },
      {
        title: "A witness countersigns two logs, for two people",
        against: "Against one of them",
        notices: [
          sometimes("If the two logs parted before you saved the file."),
          sometimes("If your program also demands another, honest witness."),
          sometimes("If another one is asked too: it refuses the second log."),
          sometimes(
            "Once somebody shows it the other log. Its two signatures prove it to anybody.",
          ),
        ],
      },
    ],
  },
];

/** The things that the log shows to nobody. */
export const UNNOTICED: readonly { title: string; text: string }[] = [
  {
    title: "The publisher records something that never happened, or does not record what did",
    text:
      "The log shows what was written down, and by when at the latest. It does not show what is " +
      "true.",
  },
  {
    title: "It changes an event before the first countersignature",
    text:
      "An entry should follow its event within 10 minutes. Events that are older than the log " +
      "could be changed until they were entered.",
  },
  {
    title: "It replaces a record by a new one, or appears under two names",
    text:
      "Nothing in the log connects the new record with the old one, or two sites with each other.",
  },
  {
    title: "It enters something that belongs to no record",
    text: "An entry means nothing to others until somebody shows the record that it belongs to.",
  },
  {
    title: "It tells you that everything is fine, and you do not check",
    text: "A page that says “verified” is worth as much as the word of whoever made the page.",
  },
];
