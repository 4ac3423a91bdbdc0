import { signal } from "@preact/signals";
import SignalCounter from "../islands/SignalCounter.tsx";
import { Layout } from "../layout.tsx";

export default function WithSignal() {
  return (
    <Layout>
      <SignalCounter count={signal(3)} />
    </Layout>
  );
}
