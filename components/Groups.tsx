import { groupsOf } from "./RecordHash.tsx";

/** Shows text in groups of four characters. The gaps are styles, so that copied text has none. */
export const Groups = ({ text }: { text: string }) => (
  <span class="groups">{groupsOf(text).map((group, i) => <span key={i}>{group}</span>)}</span>
);

/** A record's hash in rows of groups, which are easier to compare than one long line. */
export const HashRows = ({ hash }: { hash: string }) => (
  <code class="hash-rows">{groupsOf(hash).map((group, i) => <span key={i}>{group}</span>)}</code>
);
