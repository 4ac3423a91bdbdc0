import { signal } from "@preact/signals";
import SignalCounter from "../islands/SignalCounter.tsx";

export default function WithSignal() {
  return <SignalCounter count={signal(3)} />;
}
