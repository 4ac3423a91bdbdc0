import { type ContactForm, mount, type MountOptions } from "./mod.ts";

/** The only global that the script defines on other pages. */
const api = {
  mount: (selector: string, options: MountOptions): ContactForm => mount(selector, options),
};

Object.assign(globalThis, { ContactForm: api });
