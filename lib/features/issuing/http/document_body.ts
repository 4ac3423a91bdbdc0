/**
 * The receiving of a document's fields with its file.
 *
 * @module
 */
import { unwrap } from "../../../platform/http/errors.ts";
import { drain } from "../../../platform/http/file_form.ts";
import type { Documents, StagedFile } from "../../documents/mod.ts";
import type { Receive } from "./post.ts";
import { fileProblem } from "../problems.ts";
import { type ApiInput, readApiInput } from "./request.ts";

/** Creates the function that receives fields and at most one file of a document. */
export function createReceiveDocument(
  documents: Pick<Documents, "receive" | "discard">,
): Receive<StagedFile> {
  return async (req, use) => {
    const input: ApiInput = { fields: {}, file: null };
    let file: StagedFile | null = null;
    try {
      Object.assign(input, await readApiInput(req));
      if (input.file !== null) {
        const received = await documents.receive(input.file.body, input.file.name);
        file = unwrap(received.ok ? received : fileProblem(received)).file;
        input.file = null; // which may have been in memory
      }
      const staged = file as StagedFile | null;
      const { response, kept } = await use({
        // Only schemas with the field accept a file.
        fields: staged === null ? input.fields : { ...input.fields, file: "" },
        file: staged,
        fileContent: staged && [staged.name, staged.file.sha256],
      });
      if (kept) file = null;
      return response;
    } finally {
      // A client that still sends would see a closed connection instead of the response.
      await drain(input);
      if (file !== null) await documents.discard(file);
    }
  };
}
