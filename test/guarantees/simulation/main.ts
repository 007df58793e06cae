// `npm run sim`: runs one seed and prints its result (SEED=12), or a range of seeds (SEEDS=1-200), optionally in one
// weather (WEATHER=crashes). Exits with 1 if a check failed.

import { simulate } from './simulate.ts'

const [from, to] = (process.env.SEED ?? process.env.SEEDS ?? '1-20').split('-').map(Number) as [number, number?]
const weather = process.env.WEATHER
const most = Number(process.env.FAULTS ?? Number.POSITIVE_INFINITY)
if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to ?? from) || (to ?? from) < from || Number.isNaN(most))
  throw new Error('Give SEED=12, or SEEDS=1-200 with the smaller one first; FAULTS is a number.')
const began = performance.now()
let bad = 0
const sums = { issued: 0, held: 0, heldButAccepted: 0, resent: 0, unknown: 0, reportCalls: 0, invitations: 0, steps: 0 }
for (let seed = from; seed <= (to ?? from) && bad < most; seed++) {
  const outcome = await simulate(seed, { ...(weather && { weather }) })
  for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += outcome[name]
  if (outcome.faults.length > 0) bad++
  if (outcome.faults.length > 0 || to === undefined)
    console.log(`seed ${seed}, ${outcome.weather}:`, { ...outcome, faults: outcome.faults.slice(0, 10) })
}
console.log(`${bad} bad seeds`, sums, `${Math.round(performance.now() - began)} ms`)
process.exitCode = bad > 0 ? 1 : 0
