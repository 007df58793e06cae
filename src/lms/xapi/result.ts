// Validates the result of a statement and its score (xAPI 1.0.3, Data 2.4.5). Pure.

import { isDuration } from './duration.ts'
import { isObject } from './json.ts'
import {
  booleanValue,
  numberThat,
  record,
  StatementFault,
  textThat,
  textValue,
  type ValueCheck,
} from './value-checks.ts'
import { extensions } from './value-formats.ts'

const anyNumber = numberThat(() => true, 'must be a number')

const scoreShape = record({
  optional: {
    scaled: numberThat((value) => value >= -1 && value <= 1, 'must be a number from -1 to 1'),
    raw: anyNumber,
    min: anyNumber,
    max: anyNumber,
  },
})

const score: ValueCheck = (value, path) => {
  scoreShape(value, path)
  if (!isObject(value)) return
  const numberAt = (key: string, fallback: number) => (typeof value[key] === 'number' ? value[key] : fallback)
  const [min, max] = [numberAt('min', -Infinity), numberAt('max', Infinity)]
  if (min >= max) throw new StatementFault(path, 'must have a "min" that is less than its "max"')
  const raw = value.raw
  if (typeof raw === 'number' && (raw < min || raw > max))
    throw new StatementFault(path, 'must have a "raw" between its "min" and its "max"')
}

export const result: ValueCheck = record({
  optional: {
    score,
    success: booleanValue,
    completion: booleanValue,
    response: textValue,
    duration: textThat(isDuration, 'must be an ISO 8601 duration'),
    extensions,
  },
})
