import { useState } from "preact/hooks";

export default function Deal() {
  const [taken, setTaken] = useState(false);
  return <button type="button" onClick={() => setTaken(true)}>{taken ? "taken" : "take"}</button>;
}
