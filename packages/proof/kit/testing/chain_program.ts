/** The functions of the product that verify chains, or copies of them. */
export interface ChainModules {
  // deno-lint-ignore no-explicit-any -- requests may have any form
  [name: string]: (...input: any[]) => any;
}

/** Answers the kit's requests about chains with the product's functions; undefined for other requests. */
export async function answerChain(
  chain: ChainModules,
  // deno-lint-ignore no-explicit-any -- requests of all operations
  request: Record<string, any> & { op: string },
): Promise<unknown> {
  const { salt, record, prev, event, key, head, publisher, recordHash, start, events } = request;
  switch (request.op) {
    case "record_hash":
      return { hash: await chain.recordHash(Uint8Array.fromHex(salt), record) };
    case "event_hash":
      return { hash: await chain.eventHash(prev, event) };
    case "key_id":
      return { kid: await chain.thumbprint(key) };
    case "verify_head": {
      const result = await chain.verifyHead(head, request.keys);
      const origin = chain.headOrigin(publisher, recordHash);
      if (!result.ok || result.head.origin === origin) return result;
      return { ok: false, code: "bad_origin" };
    }
    case "verify_chain":
      return await verifyWhole(chain, request);
    case "verify_part":
      return await chain.verifyEvents(recordHash, events, start);
    case "verify_text": {
      let parsed;
      try {
        parsed = chain.parseStrictJson(request.text);
      } catch {
        return { ok: false, code: "bad_input", seq: 0 };
      }
      return await verifyWhole(chain, { ...request, ...parsed });
    }
  }
}

// deno-lint-ignore no-explicit-any -- a request of a chain
async function verifyWhole(chain: ChainModules, request: Record<string, any>) {
  const { head, events, recordHash } = request;
  const result = head === undefined
    ? await chain.verifyEvents(recordHash, events)
    : await chain.verifyChain(request);
  return { ...result, covered: result.signedSize };
}
