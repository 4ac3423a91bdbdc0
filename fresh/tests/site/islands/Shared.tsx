import type { Signal } from "@preact/signals";

export default function Shared({ id, count }: { id: string; count: Signal<number> }) {
  return (
    <div id={id}>
      <output>{count}</output>
      <button type="button" onClick={() => count.value++}>+ {id}</button>
    </div>
  );
}
