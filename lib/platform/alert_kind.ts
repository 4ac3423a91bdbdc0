/** A kind of alert, as the feature that raises it declares it. */
type AlertKind = MorningKind | UrgentKind;

interface MorningKind {
  /** The name for people. */
  name: string;
  /** Administrators find it in a mail each morning. */
  severity: "morning";
}

/** A kind that needs somebody now. `docs/ops/urgent.md` has a section with its name. */
export interface UrgentKind {
  name: string;
  /** Administrators get a mail at once. */
  severity: "now";
  /** The scope of the cause: the whole site, or the console whose alert it is. */
  of: "site" | "console";
  /**
   * The details of a report that the mail may quote: only texts of our own, and never what a stranger or
   * another server wrote.
   */
  quoted: readonly string[];
  /** Identifies the cause if alerts of several kinds have the same one, which is then mailed once. */
  cause?: string;
}

/** The kinds of alerts, by the names that rows contain. */
export type AlertKinds = Readonly<Record<string, AlertKind>>;

/** Declares a kind of alert that can wait for the morning. */
export const inMorning = (name: string): MorningKind => ({ name, severity: "morning" });

/** Declares a kind of alert that needs somebody now. By default, its mail quotes nothing. */
export const actNow = (
  name: string,
  of: UrgentKind["of"],
  { quoted = [], cause }: { quoted?: readonly string[]; cause?: string } = {},
): UrgentKind => ({ name, severity: "now", of, quoted, ...cause === undefined ? {} : { cause } });
