import Counter from "../islands/Counter.tsx";
import Toggle from "../islands/Toggle.tsx";

export default function Slots() {
  return (
    <>
      <Toggle id="shown" open title={<em>shown</em>}>
        <p class="inside" data-x='"quoted"'>text &amp; more</p>
        <input type="checkbox" checked disabled />
        <Counter id="nested" start={3} />
      </Toggle>
      <Toggle id="hidden" title="hidden">
        <svg viewBox="0 0 1 1">
          <path d="M0 0h1" />
        </svg>
        <Toggle id="inner" title="inner">
          <Counter id="deep" start={7} />
        </Toggle>
      </Toggle>
    </>
  );
}
