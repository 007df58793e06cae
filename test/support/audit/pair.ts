// Pairs each of some things with one of its own possible partners (Kuhn's augmenting paths): first come, first served would accuse the
// innocent, where an early call takes the only partner of a later one.

/**
 * @param partners for each thing, the numbers of its possible partners
 * @returns the things that stay without one, in the largest pairing there is
 */
export function pair(partners: readonly (readonly number[])[]): number[] {
  const takenBy = new Map<number, number>()
  const place = (thing: number, tried: Set<number>): boolean => {
    for (const partner of partners[thing] ?? []) {
      if (tried.has(partner)) continue
      tried.add(partner)
      const holder = takenBy.get(partner)
      if (holder !== undefined && !place(holder, tried)) continue
      takenBy.set(partner, thing)
      return true
    }
    return false
  }
  return partners.flatMap((_, thing) => (place(thing, new Set()) ? [] : [thing]))
}
