// Limits failed sign-ins by name and by address, within fifteen minutes. A name from one address is refused soonest; a
// name from all addresses together much later, so that nobody can easily lock somebody else out. Where a name has
// signed in before, only its own failures from there count: strangers elsewhere cannot lock it out. Kept in the memory
// of this process.

import { networkOf } from '#src/platform/network-of.ts'

export interface SignInLimits {
  /** How long to wait until another try, in milliseconds; 0 if it may be tried now. */
  waitMs(tried: Tried, nowMs: number): number
  noteFailure(tried: Tried, nowMs: number): void
  /**
   * Takes back the try that was noted as a failure at `notedMs`, and forgets the failures of this name from this
   * address.
   */
  noteSuccess(tried: Tried, notedMs: number): void
}

export interface Tried {
  name: string
  address: string
}

export const spanMs = 15 * 60_000
export const mostFailures = { pair: 5, address: 30, name: 100 }
/** The oldest is forgotten first, so that made-up names cannot take all memory. */
const mostRemembered = 10_000

export function openSignInLimits(): SignInLimits {
  const failures = new Map<string, number[]>()
  /** Those that have signed in. */
  const knownPairs = new Set<string>()
  const pairOf = ({ name, address }: Tried) => `pair ${networkOf(address)} ${name}`
  const keysOf = (tried: Tried) => {
    const pair = [pairOf(tried), mostFailures.pair] as const
    if (knownPairs.has(pair[0])) return [pair]
    return [
      pair,
      [`address ${networkOf(tried.address)}`, mostFailures.address] as const,
      [`name ${tried.name}`, mostFailures.name] as const,
    ]
  }
  const recent = (key: string, nowMs: number) => (failures.get(key) ?? []).filter((at) => nowMs - at < spanMs)
  return {
    waitMs(tried, nowMs) {
      const waits = keysOf(tried).map(([key, most]) => {
        const at = recent(key, nowMs)
        return at.length < most ? 0 : (at[at.length - most] ?? nowMs) + spanMs - nowMs
      })
      return Math.max(...waits)
    },
    noteFailure(tried, nowMs) {
      for (const [key, most] of keysOf(tried)) {
        const known = [...recent(key, nowMs), nowMs].slice(-most)
        failures.delete(key)
        failures.set(key, known)
        forgetOldest(failures)
      }
    },
    noteSuccess(tried, notedMs) {
      for (const [key] of keysOf(tried)) {
        const known = failures.get(key) ?? []
        const at = known.indexOf(notedMs)
        if (at >= 0) failures.set(key, known.toSpliced(at, 1))
      }
      const pair = pairOf(tried)
      failures.delete(pair)
      knownPairs.delete(pair)
      knownPairs.add(pair)
      forgetOldest(knownPairs)
    },
  }
}

function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.keys()
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
}
