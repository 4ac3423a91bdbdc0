import { useEffect, useState } from "preact/hooks";

export default function Counter({ id, start }: { id: string; start: number | bigint }) {
  const [count, setCount] = useState(start);
  useEffect(() => void performance.mark(`mounted ${id}`), []);
  return (
    <div id={id}>
      <output>{String(count)}</output>
      <button type="button" onClick={() => setCount(BigInt(count) + 1n)}>+ {id}</button>
    </div>
  );
}
