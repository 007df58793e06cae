// The currencies in which the price of a course can be given.

import { uuidFor } from '#sandboxes/service/uuid.ts'

const currency = (code: string, name: string, symbol: string) => ({
  currency_uuid: uuidFor(`currency ${code}`),
  name,
  code,
  symbol,
  default: code === 'EUR' ? 1 : 0,
})

export const currencies = [
  currency('CHF', 'Swiss franc', 'CHF'),
  currency('EUR', 'Euro', '€'),
  currency('GBP', 'Pound sterling', '£'),
  currency('JPY', 'Japanese yen', '¥'),
  currency('USD', 'US dollar', '$'),
]
