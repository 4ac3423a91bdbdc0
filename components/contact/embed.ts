import { mount } from "./mod.ts";

/** The only global that the script defines on other pages. */
Object.assign(globalThis, { ContactForm: { mount } });
