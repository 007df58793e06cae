// Simulates in virtual time how slots are used over a way to the service that takes longer for some requests than for
// others. The service enforces its limit strictly: no interval of one second contains more accepted requests.

import { openLocalSlots } from '#src/platform/limits/local-slots.ts'
import { openVirtualClock, type VirtualClock } from '#test/guarantees/simulation/virtual-clock.ts'
import { type Dice, openDice } from '#test/support/seeded-random.ts'

const limit = 60
const spacingMs = 1_000 / limit
/** Enough to use the limit whole if a round trip takes 400 ms. */
const senders = 28
/** What a gate pauses for after a refusal for which the service named no time. */
const pauseMs = 6 * spacingMs

export interface Way {
  /** How long a request takes to the service, by the time at which it is sent. */
  thereMs(dice: Dice, atMs: number): number
  /** How long the service takes to answer. Default 5 ms. */
  workMs?(dice: Dice): number
}

export interface Sent {
  /** When each accepted request arrived. */
  accepted: number[]
  /** When each refused request arrived. */
  refused: number[]
}

/** Sends as much as the slots allow for `seconds`. */
export async function sendOver(way: Way, options: { seconds: number; seed: number; cautionMs: number }): Promise<Sent> {
  const clock = openVirtualClock(new Date('2026-03-01T12:00:00Z'))
  const endMs = options.seconds * 1_000
  const slots = openLocalSlots({ limit, marginMs: 20, cautionMs: options.cautionMs }, clock)
  const service = strictService(clock)
  const lane = async (dice: Dice) => {
    while (clock.monotonicMs() < endMs) {
      const askedMs = clock.monotonicMs()
      const shutForMs = await slots.take()
      const sentMs = clock.monotonicMs()
      if (shutForMs > 0) {
        await clock.sleep(shutForMs)
        continue
      }
      await clock.sleep(way.thereMs(dice, sentMs))
      const isAccepted = service.receive()
      await clock.sleep(isAccepted ? (way.workMs?.(dice) ?? 5) : 1)
      const roundTripMs = clock.monotonicMs() - sentMs
      if (isAccepted) slots.noteAccepted({ roundTripMs, waited: sentMs - askedMs >= spacingMs })
      else slots.pause({ ms: pauseMs, sentAgoMs: roundTripMs, namedByService: false })
    }
  }
  const dice = openDice(options.seed)
  for (let n = 0; n < senders; n++) void lane(dice.split(`sender ${n}`))
  await clock.run(() => false, endMs)
  return service
}

/** Returns the accepted requests of an interval as a share of the limit. */
export function shareOf({ accepted }: Sent, fromSeconds: number, toSeconds: number): number {
  const count = accepted.filter((at) => at >= fromSeconds * 1_000 && at < toSeconds * 1_000).length
  return count / limit / (toSeconds - fromSeconds)
}

function strictService(clock: VirtualClock): Sent & { receive(): boolean } {
  const accepted: number[] = []
  const refused: number[] = []
  return {
    accepted,
    refused,
    receive() {
      const now = clock.monotonicMs()
      const oldest = accepted.at(-limit)
      const isAccepted = oldest === undefined || oldest <= now - 1_000
      const list = isAccepted ? accepted : refused
      list.push(now)
      return isAccepted
    },
  }
}
