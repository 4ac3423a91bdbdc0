/** Whether the bank is connected: a dot, green or grey, and the same in a word (spec 4.2.1). */
export function Connection({ live }: { live: boolean }) {
  return (
    <span class={live ? "connection live" : "connection"}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="4" />
      </svg>
      {live ? "Live" : "Not connected"}
    </span>
  );
}
