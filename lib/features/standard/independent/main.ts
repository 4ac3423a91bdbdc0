/**
 * The independent implementation as a program for `deno task conform`:
 *
 *     deno task conform deno run lib/features/standard/independent/main.ts
 *
 * @module
 */
import { answer, type JsonObject } from "./implementation.ts";
import { answerLog } from "./log.ts";

let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const request: JsonObject = JSON.parse(line);
    const isLog = String(request.op).startsWith("log_");
    const response = isLog ? answerLog(request) : answer(request);
    console.log(JSON.stringify({ id: request.id, ...response }));
  }
}
