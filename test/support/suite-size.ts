// Sets the size of the suites under test/guarantees: a few cases (`npm test`, which runs some of the suites), the usual
// number for each change (`npm run test:guarantees`), or the maximum (`npm run test:long`).

const size = process.env.CREDSYNC_TEST_SIZE

export const isLong = size === 'long'

export const isQuick = size === 'few'

/**
 * Returns a suite's number of cases: `usual` for each change, `longest` for `npm run test:long`, `quick` for
 * `npm test`. CREDSYNC_TEST_SHARE (0 to 1) limits the maximum size to that share of it.
 */
export function sized(usual: number, longest: number, quick = usual): number {
  if (isQuick) return quick
  if (!isLong) return usual
  const share = Number(process.env.CREDSYNC_TEST_SHARE ?? 1)
  return Math.max(usual, Math.round(longest * share))
}

/**
 * In the usual size, the two backends take turns, so that together they cover all cases. In the maximum size, each
 * covers all of them.
 */
export function isTurnOf(backend: 'postgres' | 'redis', index: number): boolean {
  return isLong || index % 2 === (backend === 'postgres' ? 0 : 1)
}

/** Returns `count` seeds. A failing test names its seed; SEED=n repeats just that case. */
export function seeds(count: number): number[] {
  if (process.env.SEED !== undefined) return [Number(process.env.SEED)]
  const first = Number(process.env.CREDSYNC_TEST_FIRST_SEED ?? 1)
  return Array.from({ length: count }, (_, index) => first + index)
}

/** Prints one line with a suite's counts: `── crash sweep: 240 kills, 0 issued twice`. */
export function tally(suite: string, counts: Readonly<Record<string, number>>): void {
  const parts = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
  // Not console.log: vitest would print a heading with the file's name above each line.
  process.stdout.write(`── ${suite}: ${parts.join(', ')}\n`)
}
