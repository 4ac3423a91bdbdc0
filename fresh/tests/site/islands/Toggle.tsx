import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface ToggleProps {
  id: string;
  title: ComponentChildren;
  open?: boolean;
  children?: ComponentChildren;
}

export default function Toggle({ id, title, open = false, children }: ToggleProps) {
  const [shown, setShown] = useState(open);
  return (
    <section id={id}>
      <button type="button" onClick={() => setShown(!shown)}>
        {shown ? "hide" : "show"} {title}
      </button>
      {shown && <div class="content">{children}</div>}
    </section>
  );
}
