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
  currency('AUD', 'Australian dollar', 'A$'),
  currency('BRL', 'Brazilian real', 'R$'),
  currency('CAD', 'Canadian dollar', 'CA$'),
  currency('CHF', 'Swiss franc', 'CHF'),
  currency('CZK', 'Czech koruna', 'Kč'),
  currency('DKK', 'Danish krone', 'kr.'),
  currency('EUR', 'Euro', '€'),
  currency('GBP', 'Pound sterling', '£'),
  currency('INR', 'Indian rupee', '₹'),
  currency('JPY', 'Japanese yen', '¥'),
  currency('NOK', 'Norwegian krone', 'kr'),
  currency('PLN', 'Polish zloty', 'zł'),
  currency('SEK', 'Swedish krona', 'kr'),
  currency('TRY', 'Turkish lira', '₺'),
  currency('USD', 'US dollar', '$'),
]
