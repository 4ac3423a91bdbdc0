import { EVENT_NAMES, type EventKind } from "../packages/proof/chain/kinds.ts";

/**
 * An event's plain name, and its kind in small type.
 *
 * @param props.kind a kind of another version of the standard has no name and stands alone
 */
export function EventName({ kind }: { kind: string }) {
  const name = nameOf(kind);
  return (
    <span class="event-name">
      {name !== undefined && <>{name}{" "}</>}
      <span class="event-kind mono muted text-small anywhere">{kind}</span>
    </span>
  );
}

/** Returns the plain name of a kind of the current version. */
export const nameOf = (kind: string): string | undefined =>
  Object.hasOwn(EVENT_NAMES, kind) ? EVENT_NAMES[kind as EventKind] : undefined;
