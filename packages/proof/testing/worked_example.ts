/**
 * The example of the standard's section on the log.
 *
 * @module
 */
import { encodeHex } from "../../../lib/base/bytes.ts";
import { keySetSchema } from "../chain/mod.ts";
import {
  completionEntry,
  documentEntry,
  eventEntry,
  keySetEntry,
  type LogEntry,
  loggedKeySet,
} from "../log/mod.ts";

/** The private keys of RFC 8037, appendix A.1, and of RFC 8032, test 2. */
export const LOG_JWK = {
  kty: "OKP",
  crv: "Ed25519",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
} as const;
export const WITNESS_JWK = {
  kty: "OKP",
  crv: "Ed25519",
  d: "TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs",
  x: "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw",
} as const;

export const ORIGIN = "trust.example/log";
export const LOG_VKEY = "trust.example/log+c2310144+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea";
export const WITNESS_VKEY = "witness.example+67550f4e+BD1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM";
/** The time of the cosignature. */
export const TIME = 1795442520;

export const salt = new Uint8Array(32).fill(0xbb);

/** Returns the entry of the example's chain at a size. */
export const eventAt = (size: number, logSalt: Uint8Array): LogEntry => {
  const record = encodeHex(Uint8Array.from({ length: 32 }, (_, i) => i));
  return eventEntry({ record, size, tip: "aa".repeat(32), salt: logSalt });
};

const document = documentEntry({
  id: "7K3M9Q2XB4TW0ZRA",
  n: 1,
  version: 1,
  state: "registered",
  original: "11".repeat(32),
  issued: "22".repeat(32),
  salt,
});

const keys = keySetSchema.parse({
  keys: [{ kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", use: "sig", ...LOG_JWK }],
});

/** The entries of the standard's log. */
export const ENTRIES: readonly LogEntry[] = [
  eventAt(3, salt),
  document,
  keySetEntry(1, loggedKeySet(keys)),
  completionEntry(),
];

/** The standard's proof of the first entry. */
export const PROOF = `c2sp.org/tlog-proof@v1
extra u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s=
index 0
lMlxf3foyTYup2YwhAOnRYzOYvyNfnBfh3QWqyrzYvw=
JmplOqWH/Hwwg52KLbI/K2LB03vaTkgvz48b8/ORa3c=

trust.example/log
4
RtXtFMECLrSXWz6lmTAeeBB2DaRVEZSiIG3flaxxCVo=

— trust.example/log wjEBRAfVRxEactzuSImNBY31YXcBxyik+7aJs7ZZLkp0kWRQA6teyfCDvr7iDSkcEArzb8oxKBXmh49+6fknGpBmsAo=
— witness.example Z1UPTgAAAABrBEdYATZUaIChp9j1Br4u1cIif7EIdewiaAZZAaj4grEoEd43X6mwL2c6wvfnhLUJRgQeEj06T8GPbMJzke+ik/M5Cg==
`;
