export interface StandInRequest {
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

export interface StandInReply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Why it was rejected. */
  reason?: string;
  /** The notification that the device shows. */
  shown?: { text: string; seq: number; collapse: string };
}

/** Returns the JSON of a body, or undefined. */
export function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
