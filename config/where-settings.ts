// The setting of a pipeline that says which rows of a file are meant.

import { z } from 'zod'

const value = z
  .union([z.string(), z.number(), z.boolean()], { error: 'is not a text, a number, true or false' })
  .transform(String)

export const whereSchema = z
  .record(
    z.string().min(1),
    z.array(value).refine((values) => values.length > 0, 'is empty; list the values that count'),
  )
  .default({})
  .describe(
    'Column of a file → the values that count: `{ Status: [Pass, Merit] }`. Rows with another value in one of these columns are skipped and counted as not meant. Letter case and blanks around a value make no difference; `[any]` is for a column whose values make none.',
  )
