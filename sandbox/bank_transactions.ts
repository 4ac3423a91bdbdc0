import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/time.ts";
import { between, createRandom, pick, type Random, uuid } from "./random.ts";

/** A kind of payment: counterparty and range of amounts in cents. */
interface Payment {
  name: string;
  kind: string;
  min: number;
  max: number;
  note?: string;
}

/** A payment on fixed days of each month. */
interface RecurringPayment extends Payment {
  days: number[];
}

const DAYS = 731;

const INCOMING: readonly Payment[] = [
  { name: "Harbour Training Group", kind: "externalTransfer", min: 250_000, max: 1_900_000 },
  { name: "Northfield College", kind: "incomingDomesticWire", min: 800_000, max: 4_200_000 },
  { name: "Card settlement", kind: "externalTransfer", min: 40_000, max: 620_000 },
  { name: "Interest", kind: "other", min: 900, max: 14_000 },
];
const OUTGOING: readonly Payment[] = [
  { name: "Cloud hosting", kind: "debitCardTransaction", min: 1_900, max: 240_000 },
  { name: "Meridian Legal", kind: "outgoingPayment", min: 120_000, max: 950_000, note: "Retainer" },
  { name: "Assessor fees", kind: "outgoingPayment", min: 80_000, max: 1_450_000 },
  { name: "Courier", kind: "debitCardTransaction", min: 850, max: 9_900 },
  { name: "Wire fee", kind: "wireFee", min: 1_500, max: 1_500 },
];

const RENT = { name: "Office rent", kind: "outgoingPayment", min: 350_000, max: 350_000 };
const WAGES = { name: "Wages", kind: "externalTransfer", min: 2_900_000, max: 3_400_000 };
const RECURRING: readonly RecurringPayment[] = [
  { ...RENT, note: "Rent", days: [1] },
  { ...WAGES, note: "Pay run", days: [14, 28] },
];

/**
 * Returns two years of an account's transactions, oldest first. Each day has its own seed, so that
 * its transactions stay the same as time passes.
 *
 * @param now milliseconds since 1970; no transaction is later
 */
export function transactionsUntil(accountId: string, now: number) {
  const today = Math.floor(now / DAY_MS);
  const transactions: ReturnType<typeof createTransaction>[] = [];
  for (let day = today - DAYS + 1; day <= today; day++) {
    const random = createRandom(`${accountId}/${day}`);
    const weekend = day % 7 === 2 || day % 7 === 3;
    const count = weekend ? between(random, 0, 1) : between(random, 0, 4);
    const dayOfMonth = new Date(day * DAY_MS).getUTCDate();
    const payments: (Payment | undefined)[] = [
      ...RECURRING.filter(({ days }) => days.includes(dayOfMonth)),
      ...Array.from({ length: count }, () => undefined),
    ];
    const minutes = payments.map(() => between(random, 420, 1_259)).sort((a, b) => a - b);
    for (const [i, minute] of minutes.entries()) {
      const created = day * DAY_MS + minute * MINUTE_MS;
      const transaction = createTransaction(random, accountId, created, now, payments[i]);
      if (created <= now) transactions.push(transaction);
    }
  }
  return transactions;
}

/** Creates a transaction in the provider's shape. Amounts are dollars, negative for outgoing money. */
function createTransaction(
  random: Random,
  accountId: string,
  created: number,
  now: number,
  recurring: Payment | undefined,
) {
  const incoming = recurring === undefined && random() < 0.4;
  const payment = recurring ?? pick(random, incoming ? INCOMING : OUTGOING);
  const { name, kind, min, max, note } = payment;
  const cents = between(random, min, max);
  const posted = created + between(random, 2, 46) * HOUR_MS;
  const luck = random();
  const failed = luck < 0.012;
  const status = failed ? "failed" : luck < 0.02 ? "cancelled" : posted > now ? "pending" : "sent";
  const id = uuid(random);
  return {
    id,
    accountId,
    amount: (incoming ? cents : -cents) / 100,
    status,
    kind,
    createdAt: iso(created),
    postedAt: status === "sent" ? iso(posted) : null,
    estimatedDeliveryDate: iso(created + DAY_MS),
    counterpartyId: uuid(createRandom(name)),
    counterpartyName: name,
    counterpartyNickname: null,
    note: note ?? null,
    externalMemo: null,
    bankDescription: `${name.toUpperCase()} ${id.slice(0, 8)}`,
    dashboardLink: `https://bank.example/transactions/${id}`,
    failedAt: failed ? iso(created + HOUR_MS) : null,
    reasonForFailure: failed ? "The receiving bank returned the payment." : null,
    feeId: null,
    details: null,
  };
}

/** The provider sends microseconds. */
const iso = (time: number) => new Date(time).toISOString().replace("Z", "000Z");
