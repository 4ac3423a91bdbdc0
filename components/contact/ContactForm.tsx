/** The island that loads the contact form on our own pages when it is needed. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ContactForm as Mounted } from "./mod.ts";
import { hasRecords } from "./records.ts";

interface ContactFormProps {
  mode: "modal" | "page";
  endpoint: string;
  /** The name of the organisation that the enquiry goes to. */
  organisation: string;
  /** In modal mode, links to this URL open the form. Without scripts, they lead to the URL. */
  href?: string;
  challenge?: { siteKey: string; scriptUrl: string };
  /** The page that says what is stored. */
  privacy?: string;
  /** In page mode, the form for pages without scripts, which the module replaces. */
  children?: ComponentChildren;
}

/**
 * The contact module on our own pages (spec 4.6): the same component as on any other page. Its code
 * is loaded when the form is opened or, in page mode, when the island starts.
 */
export function ContactForm(props: ContactFormProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { mode, endpoint, organisation, href, challenge, privacy } = props;
    let form: Promise<Mounted> | undefined;
    const load = () =>
      form ??= import("./mod.ts").then(({ mount }) => {
        if (challenge) loadScript(challenge.scriptUrl);
        const heading = mode === "modal"; // our pages have their own
        const loadVerifier = async () => {
          await import("../prepare_verifier.ts").then((each) => each.prepareVerifier());
          return await import("../../packages/proof/mod.ts");
        };
        const options = { mode, endpoint, organisation, heading, challenge, privacy, loadVerifier };
        return mount(element.current!, options);
      });
    const onClick = (event: MouseEvent) => {
      const link = linkOf(event);
      if (!isPlain(event) || link?.getAttribute("href") !== href) return;
      event.preventDefault();
      closeMenu(link!);
      load().then((form) => form.open(), () => location.assign(href!));
    };
    if (mode === "page") load().catch(() => {}); // the form for pages without scripts stays
    else document.addEventListener("click", onClick);
    if (hasRecords(endpoint)) load().catch(() => {}); // for the note with the record
    return () => {
      document.removeEventListener("click", onClick);
      form?.then((form) => form.destroy(), () => {});
    };
  }, []);
  return <div ref={element} data-scheme="page" data-tokens="">{props.children}</div>;
}

const linkOf = ({ target }: Event): Element | null =>
  target instanceof Element ? target.closest("a") : null;

/** Closes the menu that contains a link. The focus moves to its button, to which it returns later. */
function closeMenu(link: Element): void {
  const menu = link.closest("details");
  if (menu === null) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

/**
 * Returns whether it is a plain click. With a modifier key, a link opens in a new tab or window.
 */
function isPlain(event: MouseEvent): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
  return button === 0 && !(ctrlKey || metaKey || shiftKey || altKey || defaultPrevented);
}

function loadScript(src: string): void {
  if ([...document.scripts].some((script) => script.src === src)) return;
  document.head.append(Object.assign(document.createElement("script"), { src, async: true }));
}
