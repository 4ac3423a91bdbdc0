/** Says if somebody notices a way to cheat, and when or how. */
export interface Notice {
  answer: "yes" | "sometimes" | "no";
  text?: string;
}

/** The people and programs that could notice, in the order of the answers. */
export const CHECKERS = [
  {
    name: "You kept a file",
    text: "You look for each of its events, and later ones.",
  },
  {
    name: "You check the proof",
    text: "Your program trusts an independent witness.",
  },
  {
    name: "A witness",
    text: "It countersigns the log only if it has grown.",
  },
  {
    name: "A monitor",
    text: "It reads and keeps all entries, and knows no record.",
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

/** The ways to cheat that somebody could notice by the log, in groups. */
export const CHEATS: readonly { title: string; cheats: readonly Cheat[] }[] = [
  {
    title: "The publisher changes a record",
    cheats: [
      {
        title: "Rewrites a record, but not the log",
        against: "Everyone",
        notices: [
          yes("The log has the old history."),
          sometimes(
            "Unless it claims to be newer than 10 minutes.",
          ),
          NO,
          NO,
        ],
      },
      {
        title: "Enters two histories: for two people, or after a rewrite",
        against: "One of the two",
        notices: [
          yes("Your file fits only one."),
          NO,
          NO,
          yes("Two entries in one place prove it."),
        ],
      },
      {
        title: "The same, each where the other has no entry",
        against: "One of the two",
        notices: [
          yes("Entries are missing or differ."),
          sometimes("If you look for every event."),
          NO,
          NO,
        ],
      },
      {
        title: "Leaves an event out of the log",
        against: "Whoever relies on it",
        notices: [
          yes("Your file has the event."),
          sometimes(
            "If it is the newest and 10 minutes old, or you look for all.",
          ),
          NO,
          NO,
        ],
      },
      {
        title: "Enters an event an hour late",
        against: "Whoever relies on its time",
        notices: [
          sometimes("If a monitor saw when the entry appeared."),
          sometimes("Within that hour, or by comparing times."),
          NO,
          NO,
        ],
      },
      {
        title: "Hides the newest events from you",
        against: "You",
        notices: [
          yes("The log has later entries."),
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
        against: "Everyone",
        notices: [
          yes("Your proof does not fit it."),
          yes("The witness has not countersigned it."),
          yes("It refuses to countersign."),
          yes("The new log lacks its copy."),
        ],
      },
      {
        title: "Shows you another log than everyone else",
        against: "You",
        notices: [
          sometimes("If they parted before you saved it."),
          yes("It has countersigned only one."),
          sometimes("If asked for both: it keeps the second."),
          sometimes("If it is shown the other log."),
        ],
      },
      {
        title: "Does not let others read the entries",
        against: "Everyone",
        notices: [
          yes("But you cannot prove it."),
          NO,
          NO,
          yes("But it cannot prove it."),
        ],
      },
    ],
  },
  {
    title: "A witness helps the publisher",
    cheats: [
      {
        title: "The publisher runs your witness, and changes entries",
        against: "You",
        notices: [
          yes("Your proof does not fit it."),
          sometimes("If you also demand an independent one."),
          sometimes("If an independent one is asked too."),
          yes("The new log lacks its copy."),
        ],
      },
      {
        title: "A witness countersigns two logs, for two people",
        against: "One of the two",
        notices: [
          sometimes("If they parted before you saved it."),
          sometimes("If you also demand an honest one."),
          sometimes("If another one is asked too."),
          sometimes(
            "Once it is shown both. The signatures prove it.",
          ),
        ],
      },
    ],
  },
];

/** The things that the log shows to nobody. */
export const UNNOTICED: readonly { title: string; text: string }[] = [
  {
    title: "The publisher records something that never happened, or omits something that did",
    text: "The log shows what was written when, not what is true.",
  },
  {
    title: "It changes an event before the first countersignature",
    text: "Entries should follow within 10 minutes. Older events could be changed until then.",
  },
  {
    title: "It replaces a record, or appears under two names",
    text: "Nothing in the log connects two records or two sites.",
  },
  {
    title: "It enters something that belongs to no record",
    text: "An entry means nothing until somebody shows its record.",
  },
  {
    title: "It says that everything is fine, and you do not check",
    text: "“Verified” is only as good as the page’s maker.",
  },
];
