/**
 * The product's own verifier as a program for `deno task conform`:
 *
 *     deno task conform deno run packages/proof/kit/testing/program.ts
 *
 * @module
 */
import { eventHash } from "../../chain/event_hash.ts";
import * as proof from "../../mod.ts";
import { answerChain } from "./chain_program.ts";
import { answerLog } from "./log_program.ts";

/** Answers a request of the kit. */
const answer = (request: { op: string }): Promise<unknown> =>
  request.op.startsWith("log_")
    ? answerLog({ core: proof, verifier: proof }, request)
    : answerChain({ ...proof, eventHash } as never, request);

if (import.meta.main) {
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const request = JSON.parse(line);
      const response = await answer(request) as Record<string, unknown>;
      console.log(JSON.stringify({ id: request.id, ...response }));
    }
  }
}
