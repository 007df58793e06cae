// Finds the name that somebody probably meant, for "did you mean".

import { looseName } from './loose-name.ts'

const longest = 100 // the comparison is quadratic, and a header cell of a broken file can be 32,767 characters long

/**
 * The most similar of `known`, or null when none is close: two of five letters differ at most (a swapped pair counts as two),
 * or one is inside the other and at least a third of it.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = looseName(name)
  if (wanted === '' || wanted.length > longest) return null
  let best: { name: string; distance: number } | null = null
  for (const candidate of known) {
    const other = looseName(candidate)
    if (other === '' || other.length > longest) continue
    const distance = wanted !== other && isInside(wanted, other) ? 0.5 : editDistance(wanted, other)
    if (distance <= Math.max(wanted.length, other.length) * 0.4 && distance < (best?.distance ?? Infinity)) {
      best = { name: candidate, distance }
    }
  }
  return best?.name ?? null
}

function isInside(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]
  return shorter.length >= 3 && shorter.length * 3 >= longer.length && longer.includes(shorter)
}

/** How many letters to insert, drop or change to make `b` of `a` (Levenshtein). */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = (above[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(change, (above[column] as number) + 1, (current[column - 1] as number) + 1))
    }
    above = current
  }
  return above[b.length] as number
}
