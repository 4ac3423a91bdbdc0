/** The logos and signatures of issuers: their table, and the checks of uploaded PNG and JPEG files. */
import { z } from "zod";
import type { Bytes } from "../../base/encoding.ts";
import { fail, type Failure } from "../../base/result.ts";
import { ALWAYS, defineTable } from "../../platform/kv/mod.ts";
import type { IssuerRow } from "./rows.ts";

/** The largest picture in bytes, so that it fits into one value of the store. */
export const MAX_PICTURE = 48 * 1024;

/** The largest width and height of a picture, because a small file can be a large image. */
export const MAX_PICTURE_PIXELS = 2000;

/** The pictures on the certificates of an issuer: its logo, and the signature of the person who signs. */
export const PICTURE_KINDS = ["logo", "signature"] as const;
export type PictureKind = typeof PICTURE_KINDS[number];

export const issuerPictures = defineTable({
  prefix: "issuer_pictures",
  value: z.strictObject({
    organisation: z.enum(["foundation", "commercial"]),
    /** The id of the issuer. */
    issuer: z.string(),
    kind: z.enum(PICTURE_KINDS),
    /** The file as it was uploaded. */
    bytes: z.instanceof(Uint8Array),
  }),
  key: ["organisation", "issuer", "kind"],
  owner: "organisation",
  lifetime: ALWAYS,
  per: "issuer",
});

export type Picture = Omit<NonNullable<IssuerRow["logo"]>, "sha256">;

/**
 * Returns the type and the size of an image, from its bytes alone. Fails if it is no PNG or JPEG, or too
 * large.
 */
export function inspectPicture(bytes: Bytes): { ok: true; picture: Picture } | Failure {
  if (bytes.length > MAX_PICTURE) return refuse(TOO_LARGE);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const picture = readPng(view) ?? readJpeg(view);
  if (picture === null) return refuse("Choose a PNG or JPEG file.");
  if (picture === "cmyk") return refuse(IN_CMYK);
  const { width, height } = picture;
  return Math.max(width, height) > MAX_PICTURE_PIXELS || Math.min(width, height) === 0
    ? refuse(`The image has ${width} × ${height} pixels. The limit is ${MAX_PICTURE_PIXELS} each.`)
    : { ok: true, picture };
}

const TOO_LARGE = `The file is too large. The limit is ${MAX_PICTURE / 1024} KiB.`;

const IN_CMYK = "The image uses print colours (CMYK). Save it in RGB.";

const refuse = (file: string) => fail("invalid_request", { issues: { file } });

const PNG = [0x89504e47, 0x0d0a1a0a];
const IHDR = 0x49484452;
const IEND = 0x49454e44;

function readPng(view: DataView): Picture | null {
  if (view.byteLength < 45 || PNG.some((word, i) => view.getUint32(4 * i) !== word)) return null;
  if (view.getUint32(12) !== IHDR) return null;
  // The chunks must lead to the end of the file: length, type, data and checksum.
  let at = 8;
  while (at + 12 <= view.byteLength) {
    const type = view.getUint32(at + 4);
    at += 12 + view.getUint32(at);
    if (type === IEND) break;
  }
  if (at !== view.byteLength) return null;
  return { media_type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** The markers of frames, which have the size. C4, C8 and CC are something else. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(view: DataView): Picture | "cmyk" | null {
  const { byteLength: length } = view;
  if (length < 4 || view.getUint16(0) !== 0xffd8 || view.getUint16(length - 2) !== 0xffd9) {
    return null;
  }
  for (let at = 2; at + 10 <= length && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (isFrame(marker)) {
      if (view.getUint8(at + 9) === 4) return "cmyk";
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return { media_type: "image/jpeg", width, height };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
