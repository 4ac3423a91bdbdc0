import { rateLimited } from "../../base/result.ts";
import { SECOND_MS } from "../../base/time.ts";
import { BODY_LIMIT, isJsonPost } from "../../platform/http/body.ts";
import { unwrap } from "../../platform/http/errors.ts";
import { drain } from "../../platform/http/file_form.ts";
import type { Documents, StagedFile } from "../documents/mod.ts";
import type { Receive } from "./post.ts";
import { type ApiInput, fileProblem, readApiInput } from "./request.ts";

/** How many files in base64 of one issuer are in memory at a time. Forms with a file are never. */
const MOST_IN_MEMORY = 4;

/** Creates the function that receives fields and at most one file of a document. */
export function createReceiveDocument(
  documents: Pick<Documents, "receive" | "discard">,
): Receive<StagedFile> {
  /** The number of large JSON bodies that are being received, by issuer. */
  const inMemory = new Map<string, number>();

  /** Runs something while a request may hold a large body in memory. */
  async function holding(req: Request, issuer: string, run: () => Promise<void>): Promise<void> {
    const length = Number(req.headers.get("content-length") ?? Infinity);
    if (!isJsonPost(req) || length <= BODY_LIMIT) return await run();
    const count = inMemory.get(issuer) ?? 0;
    if (count >= MOST_IN_MEMORY) throw unwrap({ ...rateLimited(SECOND_MS), message: IN_MEMORY });
    inMemory.set(issuer, count + 1);
    try {
      await run();
    } finally {
      const left = inMemory.get(issuer)! - 1;
      if (left === 0) inMemory.delete(issuer);
      else inMemory.set(issuer, left);
    }
  }

  return async (req, issuer, use) => {
    const input: ApiInput = { fields: {}, file: null };
    let file: StagedFile | null = null;
    try {
      await holding(req, issuer, async () => {
        Object.assign(input, await readApiInput(req));
        if (input.file === null) return;
        const received = await documents.receive(input.file.body, input.file.name);
        file = unwrap(received.ok ? received : fileProblem(received)).file;
        input.file = null; // which may have been in memory
      });
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

const IN_MEMORY =
  `At most ${MOST_IN_MEMORY} large JSON bodies are received at a time. Send files one after another, or ` +
  "as forms, which have no such limit.";
