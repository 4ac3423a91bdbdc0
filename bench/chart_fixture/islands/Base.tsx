import { useEffect, useState } from "preact/hooks";
import { makeFigures, painted } from "../figures.ts";

/** What an island costs without a chart: with the bench's own code, which the others have too. */
export default function Base() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    globalThis.draw = async (count) => {
      setCount(makeFigures(count).peer.length);
      return await painted();
    };
  }, []);
  return <p>{count}</p>;
}
