// Remembers which people have a value, such as an address. In memory.

export class ValueOwners {
  readonly #owners = new Map<string, Set<number>>()

  get isEmpty(): boolean {
    return this.#owners.size === 0
  }

  /** @returns whether one of the values is new for the person */
  add(values: readonly string[], person: number): boolean {
    let isNew = false
    for (const value of values) {
      const owners = this.#owners.get(value) ?? new Set()
      isNew ||= !owners.has(person)
      this.#owners.set(value, owners.add(person))
    }
    return isNew
  }

  /** The people who have one of the values. */
  find(values: readonly string[]): Set<number> {
    const found = new Set<number>()
    for (const value of values) for (const person of this.#owners.get(value) ?? []) found.add(person)
    return found
  }
}
