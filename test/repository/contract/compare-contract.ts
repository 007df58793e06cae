// Compares the contract with the one that is written down, and says what the difference demands of the version. Pure.

export interface Versions {
  /** The version in package.json. */
  version: string
  /** The released versions: those that have a heading in the CHANGELOG. */
  released: readonly string[]
}

export interface Difference {
  added: string[]
  /** With the version since which scripts may rely on it. */
  removed: string[]
  /** What has to be done before the difference may be written down; empty if nothing. */
  refusals: string[]
  /** The contract to write down. */
  text: string
}

/**
 * @param written one promise a line, each after the version that made it
 * @param current the promises that the code keeps
 */
export function compareContract(
  written: string,
  current: readonly string[],
  { version, released }: Versions,
): Difference {
  const since = new Map(
    written
      .split('\n')
      .filter((line) => /^\d/.test(line))
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const),
  )
  const now = new Set(current)
  const added = [...now].filter((promise) => !since.has(promise))
  const removed = [...since].filter(([promise]) => !now.has(promise))
  const latest = released.toSorted(byVersion).at(-1)
  const refusals = latest
    ? [
        ...removed
          .filter(([, from]) => byVersion(from, latest) <= 0 && majorOf(version) === majorOf(latest))
          .map(
            ([promise, from]) =>
              `“${promise}” is promised since ${from}: keep it, deprecated (docs/contract.md), or make this version ${majorOf(latest) + 1}.0.0.`,
          ),
        ...(byVersion(version, latest) > 0 ? [] : added).map(
          (promise) => `“${promise}” is new, and ${version} is released: raise the version in package.json.`,
        ),
      ]
    : []
  const lines = [...now].sort().map((promise) => `${since.get(promise) ?? version} ${promise}`)
  return {
    added,
    refusals,
    text: `${lines.join('\n')}\n`,
    removed: removed.map(([promise, from]) => `${from} ${promise}`),
  }
}

const numbersOf = (version: string) => version.split('.').map(Number)
const majorOf = (version: string) => numbersOf(version)[0] ?? 0

function byVersion(a: string, b: string): number {
  const [one, other] = [numbersOf(a), numbersOf(b)]
  return one.map((number, at) => number - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}
