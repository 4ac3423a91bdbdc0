import { useEffect, useState } from "preact/hooks";
import { createData, nextPaint } from "../data.ts";

/** An island without a chart, with the code that all islands of this benchmark share. */
export default function Base() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    globalThis.draw = async (count) => {
      setCount(createData(count).peer.length);
      return await nextPaint();
    };
  }, []);
  return <p>{count}</p>;
}
