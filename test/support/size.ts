// How large the suites under test/guarantees are: as many cases as each change can wait for, or a night's worth (`npm run test:long`).

export const long = process.env.CREDSYNC_TEST_SIZE === 'long'

/** A suite's number of cases: `usual` with every change, `night` for `npm run test:long`. CREDSYNC_TEST_SHARE (0 to 1) takes a part of the latter. */
export function sized(usual: number, night: number): number {
  if (!long) return usual
  const share = Number(process.env.CREDSYNC_TEST_SHARE ?? 1)
  return Math.max(usual, Math.round(night * share))
}

/** With every change the two backends take turns with their cases, so that together they take all; at night each takes all. */
export function isTurnOf(backend: 'postgres' | 'redis', index: number): boolean {
  return long || index % 2 === (backend === 'postgres' ? 0 : 1)
}

/** Where the seeds of this run begin; a failing test names the seed that failed, and SEED=n repeats just that one. */
export function seeds(count: number): number[] {
  if (process.env.SEED !== undefined) return [Number(process.env.SEED)]
  const first = Number(process.env.CREDSYNC_TEST_FIRST_SEED ?? 1)
  return Array.from({ length: count }, (_, index) => first + index)
}

/** One line for whoever reads what a suite did: `── crash sweep: 240 kills, 0 issued twice`. */
export function tally(suite: string, counts: Readonly<Record<string, number>>): void {
  const parts = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
  // Not console.log: vitest would put a heading with the file's name above each line.
  process.stdout.write(`── ${suite}: ${parts.join(', ')}\n`)
}
