/** Grey lines in place of content that is being loaded. The text beside them says so in words. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton stack gap-3" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => <span key={i} />)}
    </div>
  );
}
