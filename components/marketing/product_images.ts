/** The sizes of the pictures in `static/product`. Written by `deno task screenshots`. */
export const PRODUCT_IMAGES = {
  console: { width: 1120, height: 700, widths: [840, 1680] },
  infrastructure: { width: 840, height: 620, widths: [630, 1260] },
  record: { width: 720, height: 760, widths: [540, 1080] },
  document: { width: 720, height: 760, widths: [540, 1080] },
  check: { width: 720, height: 760, widths: [540, 1080] },
  verify: { width: 720, height: 760, widths: [540, 1080] },
  qualifications: { width: 1120, height: 700, widths: [840, 1680] },
  agents: { width: 840, height: 620, widths: [630, 1260] },
} as const;

/** The size of each of them on phones. */
export const PHONE_IMAGE = {
  width: 400,
  height: 460,
  pixels: 600,
} as const;
