/**
 * Makes the video behind the sign-in page, `static/video/backdrop.*`: a seamless loop of eight seconds
 * with drifting dots that are linked when they are close. Needs `ffmpeg`:
 *
 *     deno run -A tools/backdrop_film.ts
 *
 * @module
 */
const WIDTH = 1280;
const HEIGHT = 720;
const FPS = 24;
const SECONDS = 8;
const NODES = 64;
/** Nodes closer than this many pixels are linked. */
const REACH = 190;

type Rgb = readonly [number, number, number];
const NIGHT: Rgb = [15, 22, 34];
const NAVY: Rgb = [30, 42, 62];
const TEAL: Rgb = [78, 205, 196];
const AMBER: Rgb = [247, 183, 49];

interface Node {
  colour: Rgb;
  size: number;
  /** Returns its position at a phase of the loop, from 0 to 1. */
  at(phase: number): readonly [number, number];
}

/** Returns the same numbers in each run (mulberry32), so that the video is reproducible. */
function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function makeNodes(): Node[] {
  const random = randomFrom(7);
  const turn = () => random() * 2 * Math.PI;
  return Array.from({ length: NODES }, (_, i) => {
    const [x, y] = [random() * (WIDTH + 200) - 100, random() * (HEIGHT + 200) - 100];
    const [a, b, c, d] = [turn(), turn(), turn(), turn()];
    const [wide, high] = [22 + random() * 34, 16 + random() * 26];
    return {
      colour: i % 7 === 0 ? AMBER : TEAL,
      size: 1.6 + random() * 2.6,
      // Each term makes a whole number of turns per loop, so that the loop is seamless.
      at(phase) {
        const t = phase * 2 * Math.PI;
        return [
          x + wide * Math.sin(t + a) + 8 * Math.sin(2 * t + b),
          y + high * Math.sin(t + c) + 6 * Math.sin(2 * t + d),
        ];
      },
    };
  });
}

/** Adds light of a colour to every pixel of a box. */
function shine(
  picture: Float32Array,
  box: readonly [number, number, number, number],
  colour: Rgb,
  light: (x: number, y: number) => number,
): void {
  const [left, top, right, bottom] = box;
  for (let y = Math.max(0, Math.floor(top)); y <= Math.min(HEIGHT - 1, bottom); y++) {
    for (let x = Math.max(0, Math.floor(left)); x <= Math.min(WIDTH - 1, right); x++) {
      const amount = light(x, y);
      if (amount <= 0) continue;
      const i = (y * WIDTH + x) * 3;
      for (let k = 0; k < 3; k++) picture[i + k] += colour[k] * amount;
    }
  }
}

function drawLink(picture: Float32Array, from: number[], to: number[], strength: number): void {
  const [x1, y1] = from;
  const [dx, dy] = [to[0] - x1, to[1] - y1];
  const length2 = dx * dx + dy * dy;
  const box = [Math.min(x1, to[0]), Math.min(y1, to[1]), Math.max(x1, to[0]), Math.max(y1, to[1])];
  shine(picture, [box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2], TEAL, (x, y) => {
    const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length2));
    const off = Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
    return strength * Math.max(0, 1.4 - off);
  });
}

function drawNode(picture: Float32Array, [x0, y0]: number[], { size, colour }: Node): void {
  const glow = size * 7;
  shine(picture, [x0 - glow, y0 - glow, x0 + glow, y0 + glow], colour, (x, y) => {
    const distance = Math.hypot(x - x0, y - y0);
    const halo = Math.max(0, 1 - distance / glow);
    return Math.min(1, Math.max(0, size + 0.5 - distance)) * 0.75 + halo * halo * 0.14;
  });
}

function ground(): Float32Array {
  const picture = new Float32Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const far = Math.hypot((x - WIDTH * 0.62) / WIDTH, (y - HEIGHT * 0.3) / HEIGHT);
      const near = Math.max(0, 1 - far * 1.25) ** 2;
      for (let k = 0; k < 3; k++) {
        picture[(y * WIDTH + x) * 3 + k] = NIGHT[k] + (NAVY[k] - NIGHT[k]) * near;
      }
    }
  }
  return picture;
}

function frame(still: Float32Array, nodes: Node[], phase: number): Uint8Array {
  const picture = still.slice();
  const places = nodes.map((node) => [...node.at(phase)]);
  for (let i = 0; i < places.length; i++) {
    for (let j = i + 1; j < places.length; j++) {
      const distance = Math.hypot(places[i][0] - places[j][0], places[i][1] - places[j][1]);
      if (distance < REACH) drawLink(picture, places[i], places[j], 0.4 * (1 - distance / REACH));
    }
  }
  nodes.forEach((node, i) => drawNode(picture, places[i], node));
  return Uint8Array.from(picture, (value) => Math.min(255, Math.round(value)));
}

async function encode(frames: AsyncIterable<Uint8Array>, ...output: string[]): Promise<void> {
  const input = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${WIDTH}x${HEIGHT}`, "-r", `${FPS}`];
  const process = new Deno.Command("ffmpeg", {
    args: ["-y", "-loglevel", "error", ...input, "-i", "-", ...output],
    stdin: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  for await (const picture of frames) await writer.write(picture as Uint8Array<ArrayBuffer>);
  await writer.close();
  if (!(await process.status).success) throw new Error("ffmpeg failed.");
}

async function* film(count = FPS * SECONDS) {
  const still = ground();
  const nodes = makeNodes();
  for (let i = 0; i < count; i++) yield await frame(still, nodes, i / (FPS * SECONDS));
}

const folder = new URL("../static/video/", import.meta.url).pathname;
const webm = "-c:v libvpx-vp9 -crf 42 -b:v 0 -row-mt 1 -pix_fmt yuv420p -an";
const mp4 = "-c:v libx264 -preset slow -crf 30 -pix_fmt yuv420p -movflags +faststart -an";
await Deno.mkdir(folder, { recursive: true });
await encode(film(1), "-quality", "80", `${folder}backdrop.webp`);
await encode(film(), ...webm.split(" "), `${folder}backdrop.webm`);
await encode(film(), ...mp4.split(" "), `${folder}backdrop.mp4`);
