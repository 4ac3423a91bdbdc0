import { ContactHome } from "../components/contact/ContactHome.tsx";
import { define } from "../lib/state.ts";

/** The investor surface's home, on the workbench. */
export default define.page(({ state }) => <ContactHome state={state} />);
