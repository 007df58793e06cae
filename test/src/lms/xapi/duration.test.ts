// Which durations are valid, and which are equal.

import { expect, test } from 'vitest'
import { comparableDuration, isDuration } from '#src/lms/xapi/duration.ts'

test.each([
  ...[
    'P1Y',
    'P12M',
    'P30D',
    'PT10H',
    'PT90M',
    'PT45S',
    'P10W',
    'P1.5W',
    'PT0,5S',
    'P1Y2M3D',
    'P10Y11M12DT13H14M15.16S',
  ],
  ...['P1DT12H', 'PT1H30.5M', 'P3M', 'PT3M', 'P0.5Y', 'P1YT1S'],
])('%s is a duration', (text) => {
  expect(isDuration(text)).toBe(true)
})

test.each([
  ...['', 'P', 'PT', 'P1YT', '1Y', 'P1', 'P1H', 'PT1D', 'PT1Y', 'P1M1Y', 'P1D1M', 'PT1M1H', 'PT1S1M', 'P1W1D', 'P1DW'],
  ...['xP1Y', 'P1Yx', 'xP1W', 'P1Wx', 'P1.5Y1M', 'P1.25Y1M', 'PT1,5H1M', 'PT1.S', 'PT.5S', 'PT1..5S', 'P1.D', 'PT-1S'],
  ...['P0001-01-01', 'P1y', 'p1Y', 'P,Y', 'PT1H2', 'P1Y 2M'],
])('%j is no duration', (text) => {
  expect(isDuration(text)).toBe(false)
})

test.each([
  ['PT1.23S', 'PT1.239S'],
  ['PT1.2S', 'PT1.209S'],
  ['PT1.2S', 'PT1.20S'],
  ['PT1S', 'PT1.009S'],
  ['PT1S', 'PT1.0S'],
])('%s equals %s', (one, other) => {
  expect(comparableDuration(other)).toBe(one)
})

test.each(['PT1.01S', 'PT1.1S', 'PT1,25S', 'PT1.5H', 'PT1S'])('%s is compared as it is', (text) => {
  expect(comparableDuration(text)).toBe(text)
})
