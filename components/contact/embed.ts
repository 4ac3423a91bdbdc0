import { type ContactForm, mount, type MountOptions } from "./mod.ts";

/** The one global of the script on other pages. */
const api = {
  mount: (selector: string, options: MountOptions): ContactForm => mount(selector, options),
};

Object.assign(globalThis, { ContactForm: api });
