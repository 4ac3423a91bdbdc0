/** The island that demonstrates the embedded contact form in its guide for developers. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ContactForm, mount } from "../contact/mod.ts";

interface FormExampleProps {
  /** The URLs that the guide's code has. */
  script: string;
  endpoint: string;
}

type Mode = "modal" | "page";

/**
 * The contact form as another site embeds it: two buttons that load the hosted script and mount the
 * form as the guide says.
 */
export function FormExample({ script, endpoint }: FormExampleProps) {
  const element = useRef<HTMLDivElement>(null);
  const form = useRef<ContactForm | null>(null);
  const [shown, setShown] = useState<Mode | null>(null);
  const [problem, setProblem] = useState(false);
  useEffect(() => () => form.current?.destroy(), []);

  const show = async (mode: Mode) => {
    setProblem(false);
    try {
      const module = await load(script);
      form.current?.destroy();
      form.current = module.mount(element.current!, { mode, endpoint });
      form.current.open();
      setShown(mode);
    } catch {
      setProblem(true);
    }
  };
  return (
    <div class="form-example screen-only">
      <p class="actions">
        <button type="button" class="button primary" onClick={() => show("modal")}>
          Open it as a dialog
        </button>
        <button type="button" class="button" onClick={() => show("page")}>
          Show it in this page
        </button>
      </p>
      <p role="status" class="problem">{problem && "The form could not be loaded. Try again."}</p>
      {/* The form's own element keeps no margin of the page. */}
      <div class={shown === "page" ? "above-5" : undefined}>
        <div ref={element} data-scheme="page" data-tokens="" />
      </div>
    </div>
  );
}

/** Loads the hosted script, once. */
async function load(src: string): Promise<{ mount: typeof mount }> {
  const global = globalThis as { ContactForm?: { mount: typeof mount } };
  if (global.ContactForm === undefined) {
    await new Promise((resolve, reject) => {
      const element = document.createElement("script");
      Object.assign(element, { src, crossOrigin: "", onload: resolve, onerror: reject });
      document.head.append(element);
    });
  }
  return global.ContactForm!;
}
