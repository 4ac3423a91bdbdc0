import { type ContactForm, mount, type MountOptions } from "./mod.ts";

/** What a host page's script tag brings: the one global, `ContactForm`. */
const api = {
  mount: (selector: string, options: MountOptions): ContactForm => mount(selector, options),
};

Object.assign(globalThis, { ContactForm: api });
