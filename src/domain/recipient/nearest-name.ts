// Finds the name that was probably meant, for messages such as "did you mean". Pure.

import { looseName } from './loose-name.ts'

const maxLength = 100 // the comparison is quadratic, and a header cell of a broken file can be 32,767 characters long

/**
 * Finds the name in `known` that is most similar. Either at most two of five letters may differ (a swapped pair counts
 * as two), or one name must contain the other and be at most three times as long.
 * @returns null if no name is close enough
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = looseName(name)
  if (wanted === '' || wanted.length > maxLength) return null
  let best: { name: string; distance: number } | null = null
  for (const candidate of known) {
    const other = looseName(candidate)
    if (other === '' || other.length > maxLength) continue
    const distance = wanted !== other && isInside(wanted, other) ? 0.5 : editDistance(wanted, other)
    if (distance <= Math.max(wanted.length, other.length) * 0.4 && distance < (best?.distance ?? Infinity)) {
      best = { name: candidate, distance }
    }
  }
  return best?.name ?? null
}

/**
 * Finds the title of a column that was probably meant. Titles with a digit or an @ are left out: in a file without a
 * row of titles they are somebody's data.
 */
export function nearestTitle(name: string, titles: readonly string[]): string | null {
  return nearestName(
    name,
    titles.filter((title) => !/[@\d]/.test(title)),
  )
}

function isInside(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]
  return shorter.length >= 3 && shorter.length * 3 >= longer.length && longer.includes(shorter)
}

/** Counts the letters to insert, delete or change to turn `a` into `b` (Levenshtein distance). */
function editDistance(a: string, b: string): number {
  let previousRow = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = (previousRow[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(change, (previousRow[column] as number) + 1, (current[column - 1] as number) + 1))
    }
    previousRow = current
  }
  return previousRow[b.length] as number
}
