import { useEffect, useState } from "preact/hooks";

export default function Same() {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return <i id="left">{alive ? "left alive" : "left"}</i>;
}
