/**
 * Signed notes and their keys (C2SP signed-note), with Ed25519 signatures of logs and cosignatures with
 * a time of witnesses, by Ed25519 or ML-DSA-44 (C2SP tlog-cosignature).
 *
 * @module
 */
import { type Bytes, concatBytes, decodeHex, encodeHex, utf8 } from "../../../lib/base/bytes.ts";
import { decodeBase64, decodeBase64Url, encodeBase64 } from "../../../lib/base/encoding.ts";
import { isAllowedPoint, type PrivateJwk } from "../chain/mod.ts";
import { sha256Bytes } from "./merkle.ts";
import { isMlDsaCosignature } from "./ml_dsa.ts";

/** The type bytes of the algorithms that this product signs and verifies: both are Ed25519. */
export const LOG_KEY = 0x01;
export const WITNESS_KEY = 0x04;

/** ML-DSA-44 of witnesses, which it only verifies. */
export const ML_DSA_KEY = 0x06;

export type KeyType = typeof LOG_KEY | typeof WITNESS_KEY;

/** A public key that verifies signatures of notes: a "vkey". */
export interface VerifierKey {
  name: string;
  /** The first 4 bytes of SHA-256 of name, type and public key, in hexadecimal digits. */
  id: string;
  /** The type byte of its algorithm, see {@link isChecked}. */
  type: number;
  publicKey: Bytes;
}

/** Returns whether signatures of a key can be verified here. Others are keys of later algorithms. */
export const isChecked = ({ type }: Pick<VerifierKey, "type">): boolean => type <= ML_DSA_KEY;

/** Returns whether a key can be that of a witness, even if its signatures cannot be verified here. */
export const isWitnessKey = ({ type }: Pick<VerifierKey, "type">): boolean =>
  type === WITNESS_KEY || type >= ML_DSA_KEY;

/** One signature line. */
export interface NoteSignature {
  name: string;
  /** 8 hexadecimal digits. */
  id: string;
  /** The bytes after the key id. */
  bytes: Bytes;
}

/** A signed note. */
export interface Note {
  /** The signed text, which ends with a newline. */
  text: string;
  signatures: NoteSignature[];
}

/** The most signature lines of a note that is read. Verifiers must accept at least 16. */
const MAX_SIGNATURES = 64;
/** The longest note that is read, in bytes. 16 signatures of ML-DSA-44 need 53 KB. */
export const MAX_NOTE_BYTES = 64 * 1024;
const ID_BYTES = 4;
const ED25519_BYTES = { key: 32, signature: 64 };
const ML_DSA_BYTES = { key: 1312, signature: 2420 };
const TIME_BYTES = 8;

/** Names have no spaces and no plus signs, because lines and keys are split there. */
const NAME = /^[^\s+\p{Cc}]+$/u;

export const isKeyName = (name: string): boolean => NAME.test(name) && name.isWellFormed();

const keyId = (name: string, type: number, publicKey: Uint8Array): string =>
  encodeHex(sha256Bytes(concatBytes([utf8(`${name}\n`), Uint8Array.of(type), publicKey])))
    .slice(0, 2 * ID_BYTES);

/** @throws {TypeError} for a name with spaces or plus signs */
export function verifierKey(name: string, type: number, publicKey: Bytes): VerifierKey {
  if (!isKeyName(name)) throw new TypeError(`${name} cannot be the name of a key.`);
  return { name, id: keyId(name, type, publicKey), type, publicKey };
}

/** Returns a key as text: `<name>+<id>+<base64 of type and key>`. */
export const formatVerifierKey = ({ name, id, type, publicKey }: VerifierKey): string =>
  `${name}+${id}+${encodeBase64(concatBytes([Uint8Array.of(type), publicKey]))}`;

/**
 * Returns the key of a text. Null if it is malformed, its id is not that of the key, or its algorithm is neither
 * supported nor later than those.
 */
export function parseVerifierKey(text: string): VerifierKey | null {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(text) ?? [];
  const bytes = encoded === undefined ? null : decodeBase64(encoded);
  if (bytes === null || !isKeyName(name)) return null;
  const [type] = bytes;
  const publicKey = bytes.slice(1);
  if (type !== LOG_KEY && !isWitnessKey({ type })) return null;
  if (type < ML_DSA_KEY) {
    if (publicKey.length !== ED25519_BYTES.key || !isAllowedPoint(publicKey)) return null;
  } else if (type === ML_DSA_KEY && publicKey.length !== ML_DSA_BYTES.key) return null;
  return keyId(name, type, publicKey) === id ? { name, id, type, publicKey } : null;
}

/**
 * Splits a note into its text and its signatures. Null if it is malformed: it has no signature, an
 * invalid line, or control characters other than newlines.
 */
export function parseNote(note: string): Note | null {
  if (!note.isWellFormed() || utf8(note).length > MAX_NOTE_BYTES) return null;
  // deno-lint-ignore no-control-regex -- they are what is refused
  if (/[\0-\x09\x0b-\x1f\x7f]/.test(note)) return null;
  const split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n")) return null;
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split("\n");
  if (lines.length > MAX_SIGNATURES) return null;
  const signatures = lines.map(parseSignature);
  return signatures.every((signature) => signature !== null) ? { text, signatures } : null;
}

/** Returns the signature of a line without its newline; null if it is malformed. */
export function parseSignature(line: string): NoteSignature | null {
  const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = encoded === undefined ? null : decodeBase64(encoded);
  if (bytes === null || !isKeyName(name) || bytes.length <= ID_BYTES) return null;
  return { name, id: encodeHex(bytes.slice(0, ID_BYTES)), bytes: bytes.slice(ID_BYTES) };
}

/** Returns a signature line, with its newline. */
export const formatSignature = ({ name, id, bytes }: NoteSignature): string =>
  `— ${name} ${encodeBase64(concatBytes([decodeHex(id), bytes]))}\n`;

/** Returns a note: its text, an empty line, and its signature lines. */
export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map(formatSignature).join("")}`;

/** A signature that a key has made of the text of a note. */
interface VerifiedSignature {
  key: VerifierKey;
  /** The time of a cosignature, in seconds since 1970; null for the signature of a log. */
  time: number | null;
}

/**
 * Verifies the signatures of the keys that are given. Lines of other keys are ignored: both name and id
 * must match.
 *
 * @returns null if a signature of one of the keys is not valid
 */
export async function verifyNote(
  { text, signatures }: Note,
  keys: readonly VerifierKey[],
): Promise<VerifiedSignature[] | null> {
  const verified: VerifiedSignature[] = [];
  for (const signature of signatures) {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.id);
    if (key === undefined) continue;
    const result = await verifySignature(text, signature, key);
    if (result === null) return null;
    verified.push(result);
  }
  return verified;
}

/** Returns what a key has signed; null if the signature is not valid. */
export async function verifySignature(
  text: string,
  { bytes }: NoteSignature,
  key: VerifierKey,
): Promise<VerifiedSignature | null> {
  if (key.type === LOG_KEY) {
    return await isValid(key, bytes, utf8(text)) ? { key, time: null } : null;
  }
  const { signature } = key.type === ML_DSA_KEY ? ML_DSA_BYTES : ED25519_BYTES;
  if (bytes.length !== TIME_BYTES + signature) return null;
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  // A signature of time 0 or of a time that no clock shows is never made.
  if (time === 0 || !Number.isSafeInteger(time)) return null;
  const isSigned = key.type === ML_DSA_KEY
    ? await isMlDsaCosignature(key, bytes.slice(TIME_BYTES), text, time)
    : await isValid(key, bytes.slice(TIME_BYTES), cosignedBytes(text, time));
  return isSigned ? { key, time } : null;
}

const cosignedBytes = (text: string, time: number): Bytes =>
  utf8(`cosignature/v1\ntime ${time}\n${text}`);

async function isValid({ publicKey }: VerifierKey, signature: Bytes, message: Bytes) {
  if (signature.length !== ED25519_BYTES.signature) return false;
  if (!isAllowedPoint(publicKey) || !isAllowedPoint(signature)) return false;
  try {
    const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, signature, message);
  } catch {
    return false; // the key is not a point on the curve
  }
}

/** Signs the texts of notes with one key. */
export interface NoteSigner {
  key: VerifierKey;
  /** @param time seconds since 1970, for a witness only */
  sign(text: string, time?: number): Promise<NoteSignature>;
}

/**
 * Creates the signer of a log or a witness.
 *
 * @throws {TypeError} for a name with spaces or plus signs
 * @throws {DOMException} (rejects) if the key is not a valid private key
 */
export async function createSigner(
  name: string,
  type: KeyType,
  jwk: PrivateJwk,
): Promise<NoteSigner> {
  const privateKey = await crypto.subtle.importKey("jwk", { ...jwk }, "Ed25519", false, ["sign"]);
  const key = verifierKey(name, type, decodeBase64Url(jwk.x));
  return {
    key,
    async sign(text, time) {
      const { id } = key;
      const signed = async (message: Bytes) =>
        new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, message));
      if (type === LOG_KEY) return { name, id, bytes: await signed(utf8(text)) };
      if (!Number.isSafeInteger(time) || time! < 1) {
        throw new RangeError("A cosignature has a time.");
      }
      const stamp = new Uint8Array(TIME_BYTES);
      new DataView(stamp.buffer).setBigUint64(0, BigInt(time!));
      return { name, id, bytes: concatBytes([stamp, await signed(cosignedBytes(text, time!))]) };
    },
  };
}
