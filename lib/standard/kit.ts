import text from "../../docs/conform.md" with { type: "text" };
import { type Rendered, renderMarkdown } from "./render.ts";

/** Renders the description of the conformance kit, without its title. */
export const renderKit = (): Rendered => renderMarkdown(text.replace(/^# .*\n/, ""));
