import { ContactHome } from "../components/contact/ContactHome.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler();

/** The contact form as a page of a marketing site; on the workbench, the investor surface's home. */
export default define.page<typeof handler>(({ state }) => <ContactHome state={state} />);
