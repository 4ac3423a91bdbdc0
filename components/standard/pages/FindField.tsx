import { asset } from "fresh/runtime";
import { MAX_FOUND_TEXT } from "../../../lib/features/standard/pages/mod.ts";
import { FindForm } from "../../documents/FindForm.tsx";

/** The field for whatever somebody wants to check, which leads to its page. */
export const FindField = ({ text, problem }: { text?: string; problem?: string }) => (
  <FindForm
    method="post"
    action="/find"
    name="text"
    label="What do you have?"
    hint="A document’s number, a hash, a key or a link. Spaces and capitals do not matter."
    button="Check it"
    maxLength={MAX_FOUND_TEXT}
    fileLabel="Or a file"
    chainPage="/verify#saved-chain"
    workerUrl={asset("/workers/hash_file.js")}
    {...{ text, problem }}
  />
);
