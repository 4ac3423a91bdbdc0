import { asset } from "fresh/runtime";
import { useEffect, useState } from "preact/hooks";

export const NOT_A_COMPONENT = 1;

export default function Clock({ at }: { at: Date }) {
  const [where, setWhere] = useState("server");
  useEffect(() => setWhere("browser"), []);
  return <time id="clock" dateTime={at.toISOString()} title={asset("/site.css")}>{where}</time>;
}

export function Stopped() {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return <b id="stopped">{alive ? "alive" : "stopped"}</b>;
}
