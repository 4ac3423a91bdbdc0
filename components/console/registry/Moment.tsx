const FORMAT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** A time to read: `21 Nov 2026, 11:20 UTC`. */
export function Moment({ at }: { at: string }) {
  return <time datetime={at}>{`${FORMAT.format(new Date(at))} UTC`}</time>;
}
