/** A software authenticator for tests of passkeys. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import {
  type Bytes,
  concatBytes,
  decodeBase64Url,
  decodeHex,
  encodeBase64Url,
  utf8,
} from "../../../base/encoding.ts";

/** The differences of one response from what the authenticator and its browser send by default. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  userPresent?: boolean;
  userVerified?: boolean;
  /** Default: 0, as synced passkeys send. */
  counter?: number;
  backupEligible?: boolean;
  backedUp?: boolean;
  userHandle?: string;
  aaguid?: string;
  /** Claims the id of another credential. */
  credentialId?: string;
  /** The attestation, by default none. */
  attestation?: { format: string; statement: Cbor };
}

/** A value that can be encoded as CBOR. */
type Cbor = number | string | Bytes | Cbor[] | Map<number | string, Cbor>;

const FLAGS = { present: 1, verified: 4, eligible: 8, backedUp: 16, attested: 64 };

/**
 * An authenticator in software with one ES256 credential, together with its browser.
 *
 * @example
 * ```ts
 * const authenticator = new Authenticator("http://trust.localhost");
 * const registration = await authenticator.register(options);
 * const assertion = await authenticator.signIn(laterOptions, { userVerified: false });
 * ```
 */
export class Authenticator {
  readonly credentialId = encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  userHandle = "";
  #keys = crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);

  /** @param defaults apply to every response, for example `{ backupEligible: true }` */
  constructor(readonly origin: string, readonly defaults: Deviation = {}) {}

  /** Responds to the options of a registration. */
  async register(
    options: PublicKeyCredentialCreationOptionsJSON,
    deviation: Deviation = {},
  ): Promise<RegistrationResponseJSON> {
    const how = { type: "webauthn.create", ...this.defaults, ...deviation };
    this.userHandle = options.user.id;
    const id = decodeBase64Url(how.credentialId ?? this.credentialId);
    const aaguid = decodeHex((how.aaguid ?? "0".repeat(32)).replaceAll("-", ""));
    const length = new Uint8Array([id.length >> 8, id.length & 255]);
    const credential = concatBytes([aaguid, length, id, cbor(await this.#publicKey())]);
    const authData = await authenticatorData(options.rp.id!, how, credential);
    const { format, statement } = how.attestation ?? { format: "none", statement: new Map() };
    const attestation = new Map<string, Cbor>([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", authData],
    ]);
    return {
      id: encodeBase64Url(id),
      rawId: encodeBase64Url(id),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: encodeBase64Url(this.#clientData(options.challenge, how)),
        attestationObject: encodeBase64Url(cbor(attestation)),
        transports: ["internal", "hybrid"],
      },
    };
  }

  async signIn(
    options: PublicKeyCredentialRequestOptionsJSON,
    deviation: Deviation = {},
  ): Promise<AuthenticationResponseJSON> {
    const how = { type: "webauthn.get", ...this.defaults, ...deviation };
    const authData = await authenticatorData(options.rpId!, how);
    const clientData = this.#clientData(options.challenge, how);
    const signed = concatBytes([authData, await digest(clientData)]);
    const { privateKey } = await this.#keys;
    const signature = await crypto.subtle.sign(
      { name: "ECDSA", hash: "SHA-256" },
      privateKey,
      signed,
    );
    const id = how.credentialId ?? this.credentialId;
    return {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: encodeBase64Url(clientData),
        authenticatorData: encodeBase64Url(authData),
        signature: encodeBase64Url(der(new Uint8Array(signature))),
        userHandle: how.userHandle ?? this.userHandle,
      },
    };
  }

  /** Returns the public key as COSE: an elliptic curve key for ES256 on P-256. */
  async #publicKey(): Promise<Cbor> {
    const { x, y } = await crypto.subtle.exportKey("jwk", (await this.#keys).publicKey);
    return new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, decodeBase64Url(x!)],
      [-3, decodeBase64Url(y!)],
    ]);
  }

  #clientData(challenge: string, how: Deviation): Bytes {
    return utf8(JSON.stringify({
      type: how.type,
      challenge: how.challenge ?? challenge,
      origin: how.origin ?? this.origin,
      crossOrigin: how.crossOrigin ?? false,
    }));
  }
}

const digest = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

async function authenticatorData(
  rpId: string,
  how: Deviation,
  credential?: Bytes,
): Promise<Bytes> {
  const flags = (how.userPresent === false ? 0 : FLAGS.present) |
    (how.userVerified === false ? 0 : FLAGS.verified) |
    (how.backupEligible ? FLAGS.eligible : 0) |
    (how.backedUp ? FLAGS.backedUp : 0) |
    (credential === undefined ? 0 : FLAGS.attested);
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, flags);
  head.setUint32(1, how.counter ?? 0);
  const rpIdHash = await digest(utf8(how.rpId ?? rpId));
  return concatBytes([rpIdHash, new Uint8Array(head.buffer), credential ?? new Uint8Array()]);
}

/** Encodes a value as CBOR (RFC 8949). */
function cbor(value: Cbor): Bytes {
  if (typeof value === "number") return value < 0 ? item(1, -1 - value) : item(0, value);
  if (typeof value === "string") return concatBytes([item(3, utf8(value).length), utf8(value)]);
  if (value instanceof Uint8Array) return concatBytes([item(2, value.length), value]);
  if (Array.isArray(value)) return concatBytes([item(4, value.length), ...value.map(cbor)]);
  return concatBytes([item(5, value.size), ...[...value].flat().map((each) => cbor(each))]);
}

function item(type: number, argument: number): Bytes {
  if (argument < 24) return new Uint8Array([type << 5 | argument]);
  if (argument < 256) return new Uint8Array([type << 5 | 24, argument]);
  return new Uint8Array([type << 5 | 25, argument >> 8, argument & 255]);
}

/** Encodes a signature of two 32-byte integers as ASN.1 DER, as authenticators send it. */
function der(signature: Bytes): Bytes {
  const integer = (bytes: Bytes) => {
    const start = Math.min(bytes.findIndex((byte) => byte !== 0), bytes.length - 1);
    const padding = bytes[start] & 128 ? [0] : [];
    const digits = [...padding, ...bytes.subarray(start)];
    return new Uint8Array([2, digits.length, ...digits]);
  };
  const body = concatBytes([integer(signature.subarray(0, 32)), integer(signature.subarray(32))]);
  return concatBytes([new Uint8Array([0x30, body.length]), body]);
}
