import { useEffect, useState } from "preact/hooks";

export default function Same() {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return <i id="right">{alive ? "right alive" : "right"}</i>;
}
