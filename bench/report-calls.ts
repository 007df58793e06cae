// Counts the report calls per thousand people, without faults and when every twentieth call has an unknown outcome.
// Uses the simulated service with the default grace periods and intervals, so 42 hours are simulated in a few seconds.
// Run by hand: node bench/report-calls.ts [people]

import { simulate } from '#test/guarantees/simulation/simulate.ts'

const people = Number(process.argv[2] ?? 20_000)
const cadence = { everyMs: 15_000, slowestMs: 15 * 60_000 }

console.log(`${people.toLocaleString('en')} people in five lists over 42 hours, batches of 100, pages of 500`)
for (const weather of ['calm', 'every twentieth call unknown']) {
  const outcome = await simulate(7, { people, weather, batch: 100, tuning: { cadence } })
  const perThousand = (count: number) => ((count * 1_000) / people).toFixed(1)
  console.log(
    `${weather}: ${perThousand(outcome.reportCalls)} report calls and ${perThousand(outcome.invitations)} invitations per 1,000 people; ` +
      `${outcome.unknown} unknown outcomes, ${outcome.resent} rows sent again, ${outcome.held} held, ${outcome.faults.length} faults`,
  )
}
