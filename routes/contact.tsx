import { ContactHome } from "../components/contact/ContactHome.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler();

/** The investor surface's home, on the workbench. */
export default define.page<typeof handler>(({ state }) => <ContactHome state={state} />);
