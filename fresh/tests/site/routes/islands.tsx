import { signal } from "@preact/signals";
import { Head } from "fresh/runtime";
import Counter from "../islands/Counter.tsx";
import Clock, { Stopped } from "../islands/Clock.tsx";
import Left from "../islands/left/Same.tsx";
import Right from "../islands/right/Same.tsx";
import Shared from "../islands/Shared.tsx";

export default function Islands() {
  const count = signal(5);
  return (
    <>
      <Head>
        <title>Islands</title>
      </Head>
      <Counter id="first" start={1} />
      <Counter id="second" start={10n} />
      <Shared id="one" count={count} />
      <p>between</p>
      <Shared id="two" count={count} />
      <Clock at={new Date(0)} />
      <Stopped />
      <Left />
      <Right />
    </>
  );
}
