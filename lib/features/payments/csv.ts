import type { Columns } from "../../platform/listing/csv.ts";
import { decimalText } from "./money.ts";
import { statusOf } from "./status.ts";
import type { Payment } from "./store.ts";

export const PAYMENT_COLUMNS: Columns<Payment> = {
  created_at: ({ created_at }) => created_at,
  amount: ({ amount, currency }) => decimalText(amount, currency),
  refunded: ({ refunded, currency }) => decimalText(refunded, currency),
  currency: ({ currency }) => currency,
  status: statusOf,
  description: ({ description }) => description,
  record: ({ record }) => record,
  event_type: ({ type }) => type,
  id: ({ id }) => id,
};
