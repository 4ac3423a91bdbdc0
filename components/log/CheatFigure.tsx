/** The table on the log's explanatory page about ways to cheat and who would notice each. */
import { type Cheat, CHEATS, CHECKERS, type Notice, UNNOTICED } from "./cheats.ts";

const WORDS: Record<Notice["answer"], string> = {
  yes: "Yes",
  sometimes: "Sometimes",
  no: "No",
};

/**
 * Shows who can cheat whom, and who would notice. Phones show each row as a block, which would take the
 * roles of a table from browsers that derive them from the layout, so they are stated.
 */
export function CheatFigure() {
  return (
    <figure class="cheat-figure flush">
      <table class="cheats full-width flush" aria-describedby="cheat-caption">
        <thead>
          <tr>
            <td />
            <th scope="colgroup" colSpan={CHECKERS.length}>Who would notice?</th>
          </tr>
          <tr>
            <th scope="col">How somebody could cheat, and whom</th>
            {CHECKERS.map(({ name, text }) => (
              <th key={name} scope="col">
                {name}
                <small class="block">{text}</small>
              </th>
            ))}
          </tr>
        </thead>
        {CHEATS.map(({ title, cheats }) => (
          <tbody key={title}>
            <GroupRow title={title} />
            {cheats.map((cheat) => <CheatRow key={cheat.title} cheat={cheat} />)}
          </tbody>
        ))}
        <tbody>
          <GroupRow title="What nobody would notice by the log" />
          {UNNOTICED.map(({ title, text }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td colSpan={CHECKERS.length} class="wide">
                <strong class="mark nobody">Nobody</strong> {text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption id="cheat-caption" class="measure-wide pad-top-4 muted text-medium">
        Nobody notices anything without checking.
      </figcaption>
    </figure>
  );
}

const GroupRow = ({ title }: { title: string }) => (
  <tr class="cheat-group">
    <th scope="rowgroup" colSpan={CHECKERS.length + 1}>{title}</th>
  </tr>
);

function CheatRow({ cheat: { title, against, notices } }: { cheat: Cheat }) {
  return (
    <tr>
      <th scope="row">
        {title}
        <small class="block">{against}</small>
      </th>
      {notices.map(({ answer, text }, i) => (
        <td key={i} data-label={CHECKERS[i].name}>
          <span class="block">
            <strong class={`mark ${answer}`}>{WORDS[answer]}</strong> {text}
          </span>
        </td>
      ))}
    </tr>
  );
}
