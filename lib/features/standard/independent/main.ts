/**
 * The independent implementation as a program for `deno task conform`:
 *
 *     deno task conform deno run lib/features/standard/independent/main.ts
 *
 * @module
 */
import { answer, type JsonObject } from "./implementation.ts";

let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const request: JsonObject = JSON.parse(line);
    console.log(JSON.stringify({ id: request.id, ...answer(request) }));
  }
}
