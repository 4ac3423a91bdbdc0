import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ContactForm as Mounted } from "../components/contact_form/mod.ts";

export interface ContactFormProps {
  mode: "modal" | "page";
  /** The register endpoint, in full. */
  endpoint: string;
  /** In modal mode: the address whose links open the form, and lead to it without scripts. */
  href?: string;
  /** The bot challenge, and where its script is. */
  challenge?: { siteKey: string; scriptUrl: string };
  /** In page mode: the form that works without scripts, whose place it takes. */
  children?: ComponentChildren;
}

/**
 * The contact module on our own pages (spec 4.6): the same component as on any other page. Its code
 * is loaded when the form is opened, and in page mode as soon as the page stands.
 */
export default function ContactForm(props: ContactFormProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { mode, endpoint, href, challenge } = props;
    let form: Promise<Mounted> | undefined;
    const load = () =>
      form ??= import("../components/contact_form/mod.ts").then(({ mount }) => {
        if (challenge) loadScript(challenge.scriptUrl);
        return mount(element.current!, { mode, endpoint, challenge });
      });
    const onClick = (event: MouseEvent) => {
      if (!isPlain(event) || linkOf(event)?.getAttribute("href") !== href) return;
      event.preventDefault();
      load().then((form) => form.open(), () => location.assign(href!));
    };
    if (mode === "page") load().catch(() => {}); // the form without scripts stays
    else document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("click", onClick);
      form?.then((form) => form.destroy(), () => {});
    };
  }, []);
  return <div ref={element} data-scheme="page">{props.children}</div>;
}

const linkOf = ({ target }: Event): Element | null =>
  target instanceof Element ? target.closest("a") : null;

/** With a modifier a link is still a link, for a tab or a window of its own. */
function isPlain(event: MouseEvent): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
  return button === 0 && !(ctrlKey || metaKey || shiftKey || altKey || defaultPrevented);
}

function loadScript(src: string): void {
  if ([...document.scripts].some((script) => script.src === src)) return;
  document.head.append(Object.assign(document.createElement("script"), { src, async: true }));
}
