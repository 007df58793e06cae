// How it ended: the result and its score (xAPI 1.0.3, Data 2.4.5).

import { type Check, numberThat, record, StatementFault, text, textThat, truth } from './check.ts'
import { isDuration } from './duration.ts'
import { extensions } from './formats.ts'
import { isObject } from './json.ts'

const anyNumber = numberThat(() => true, 'must be a number')

const scoreShape = record({
  optional: {
    scaled: numberThat((value) => value >= -1 && value <= 1, 'must be a number from -1 to 1'),
    raw: anyNumber,
    min: anyNumber,
    max: anyNumber,
  },
})

const score: Check = (value, path) => {
  scoreShape(value, path)
  if (!isObject(value)) return
  const numberAt = (key: string, otherwise: number) => (typeof value[key] === 'number' ? value[key] : otherwise)
  const [min, max] = [numberAt('min', -Infinity), numberAt('max', Infinity)]
  if (min >= max) throw new StatementFault(path, 'must have a "min" that is less than its "max"')
  const raw = value.raw
  if (typeof raw === 'number' && (raw < min || raw > max))
    throw new StatementFault(path, 'must have a "raw" from its "min" to its "max"')
}

export const result: Check = record({
  optional: {
    score,
    success: truth,
    completion: truth,
    response: text,
    duration: textThat(isDuration, 'must be a duration of ISO 8601'),
    extensions,
  },
})
