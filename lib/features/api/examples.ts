/**
 * Values that several examples share: a chain that verifies, with its head and the publisher's keys.
 *
 * @module
 */
import type { Head, KeySet, LinkedEvent } from "../../../packages/proof/mod.ts";

export const HASH = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

export const EVENTS: LinkedEvent[] = [
  {
    "seq": 0,
    "kind": "hash_generated",
    "at": "2026-03-01T09:30:00.000Z",
    "status": "ok",
    "prev": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "hash": "0beb2b0bddd001075691f05ab31a32833f2839b45c4c04dc01c98202007ab0af",
  },
  {
    "seq": 1,
    "kind": "email_confirmed",
    "at": "2026-03-01T09:34:12.000Z",
    "status": "ok",
    "prev": "0beb2b0bddd001075691f05ab31a32833f2839b45c4c04dc01c98202007ab0af",
    "hash": "a3efd0b21c7d23b7a1c16ad36720024ecb74e33fd378d8ae332507738e0b3f97",
  },
];

export const HEAD: Head = {
  "origin": "trust.example/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
  "size": 2,
  "tip": "a3efd0b21c7d23b7a1c16ad36720024ecb74e33fd378d8ae332507738e0b3f97",
  "at": "2026-03-01T09:34:12.000Z",
  "kid": "LIZgcLLCVh0xubsTX-2m-PFhvj9xYecnxe_74gS2edg",
  "signature":
    "725VAuUfkRChU5FFR2fYbtVmeDHxInKqaB2A4Z0QHWKrv7qThNdyFa4iPHV_PS4ziXuAJwX4-FevPeBPQ8EyDw",
};

export const KEYS: KeySet = {
  "keys": [
    {
      "kty": "OKP",
      "crv": "Ed25519",
      "x": "jAK_CLVYpeTjU3Y3Vup0ytYwg-yEAJiq4lgj57VlgWM",
      "kid": "LIZgcLLCVh0xubsTX-2m-PFhvj9xYecnxe_74gS2edg",
      "use": "sig",
    },
  ],
};
