// Compares grace periods: how many people get two credentials and how many rows need an operator's decision if the
// report shows 2 % of all requests up to six hours late, sent singly and in batches of 25.
// Run by hand: node bench/grace.ts [seeds]

import { simulate } from '#test/guarantees/simulation/simulate.ts'

const seeds = Number(process.argv[2] ?? 200)
const minute = 60_000
const hour = 60 * minute
const graces: [string, number][] = [
  ['1 min', minute],
  ['15 min', 15 * minute],
  ['1 h', hour],
  ['3 h', 3 * hour],
  ['6 h', 6 * hour],
  ['12 h', 12 * hour],
]

for (const batch of [1, 25]) {
  console.log(`${seeds} seeds of 200 people in batches of ${batch}; per million people:`)
  console.log(row('grace', 'duplicates', 'held', 'held but taken', 'sent again'))
  for (const [name, graceMs] of graces) console.log(row(name, ...(await measure(batch, graceMs))))
}

async function measure(batch: number, graceMs: number): Promise<string[]> {
  const sums = { duplicates: 0, held: 0, heldButAccepted: 0, resent: 0 }
  for (let seed = 1; seed <= seeds; seed++) {
    const policy = { graceMs: { unknown: graceMs, refused: Math.min(graceMs, 10 * minute) } }
    const outcome = await simulate(seed, { weather: 'long tail', batch, policy })
    sums.duplicates += outcome.faults.filter((fault) => fault.startsWith('issued ')).length
    sums.held += outcome.held
    sums.heldButAccepted += outcome.heldButAccepted
    sums.resent += outcome.resent
  }
  return Object.values(sums).map((count) => Math.round((count * 1_000_000) / (seeds * 200)).toLocaleString('en'))
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(10) + cells.map((cell) => cell.padStart(16)).join('')
}
