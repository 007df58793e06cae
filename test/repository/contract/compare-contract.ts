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
          .filter(([, from]) => byVersion(from, latest) <= 0 && !isBreaking(version, latest))
          .map(([promise, from]) => `“${promise}” is promised since ${from}: ${remedy(latest)}`),
        ...(byVersion(version, latest) > 0 ? [] : added).map(
          (promise) => `“${promise}” is new, and ${version} is released: raise the version in package.json.`,
        ),
      ]
    : []
  const lines = [...now].sort().map((promise) => `${since.get(promise) ?? version} ${promise}`)
  return {
    ...{ added, refusals, text: `${lines.join('\n')}\n` },
    removed: removed.map(([promise, from]) => `${from} ${promise}`),
  }
}

function remedy(latest: string): string {
  const [major = 0, minor = 0] = numbersOf(latest)
  const next = major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`
  return `keep it, deprecated (docs/contract.md), or make this version ${next}.`
}

/** Whether a version may break what the other one promised: before 1.0.0, each minor version may. */
function isBreaking(version: string, latest: string): boolean {
  const [[major = 0, minor = 0], [majorBefore = 0, minorBefore = 0]] = [numbersOf(version), numbersOf(latest)]
  return major > majorBefore || (major === 0 && minor > minorBefore)
}

const numbersOf = (version: string) => version.split('.').map(Number)

function byVersion(a: string, b: string): number {
  const [one, other] = [numbersOf(a), numbersOf(b)]
  return one.map((number, at) => number - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}
