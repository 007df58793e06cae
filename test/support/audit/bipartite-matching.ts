// Matches elements to partners with Kuhn's augmenting paths. Matching in order of arrival would report false breaches
// when an early call takes the only possible partner of a later one. Pure.

/**
 * @param partners for each element, the indexes of its possible partners
 * @returns the elements that a maximum matching leaves unmatched
 */
export function unmatched(partners: readonly (readonly number[])[]): number[] {
  const elementOf = new Map<number, number>()
  const findPartner = (element: number, tried: Set<number>): boolean => {
    for (const partner of partners[element] ?? []) {
      if (tried.has(partner)) continue
      tried.add(partner)
      const holder = elementOf.get(partner)
      if (holder !== undefined && !findPartner(holder, tried)) continue
      elementOf.set(partner, element)
      return true
    }
    return false
  }
  return partners.flatMap((_, element) => (findPartner(element, new Set()) ? [] : [element]))
}
