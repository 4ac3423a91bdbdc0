import { ContactHome } from "../components/pages/ContactHome.tsx";
import { define } from "../lib/state.ts";

/** What is `/` on its own surface stands here on the workbench. */
export default define.page(({ state }) => <ContactHome state={state} />);
