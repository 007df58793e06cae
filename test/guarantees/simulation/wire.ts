// The network between one process and the service: every exchange takes its time, and some never arrive or come back too late.

import type { Exchange, HttpRequest } from '#src/issuer/exchange.ts'
import type { Http } from '#src/issuer/http.ts'
import type { CoreAnswer, SandboxCore } from '#src/sandbox/open-sandbox-core.ts'
import type { Dice } from '#test/support/dice.ts'
import type { Process } from './process.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Weather } from './weather.ts'

export function openWire(process: Process, core: SandboxCore, time: VirtualClock, dice: Dice, weather: Weather): Http {
  /** On its way the request belongs to the network: it arrives even if the process that sent it is dead by then. */
  async function deliver(request: HttpRequest, onTheWayMs: number): Promise<CoreAnswer> {
    await time.sleep(onTheWayMs)
    const { method, path, token } = request
    // Simulated pipelines send JSON: a form with a file is read by a parser that takes its own time.
    const body = typeof request.body === 'object' ? request.body.bytes : request.body
    const answer = await core.call({
      method,
      path,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body,
    })
    await time.sleep(dice.between(1, 40))
    return answer
  }

  return {
    async exchange(request): Promise<Exchange> {
      await process.pause()
      // As in the real one: asked in the very tick in which it leaves.
      if (request.maySend && !request.maySend()) return { kind: 'failed', code: 'DOOR_STALE', sent: false }
      const fate = weather.exchange(dice, time.monotonicMs())
      if (fate === 'refused') return { kind: 'failed', code: 'ECONNREFUSED', sent: false }
      const arriving = deliver(request, fate === 'late' ? request.deadlineMs - 1 : dice.between(1, 300))
      if (fate === 'late') {
        await process.clock.sleep(request.deadlineMs)
        return { kind: 'failed', code: 'DEADLINE', sent: true }
      }
      const answer = await arriving
      await process.pause()
      if (answer.lost) return { kind: 'failed', code: 'UND_ERR_SOCKET', sent: true }
      return { kind: 'answer', status: answer.status, headers: { ...answer.headers }, text: answer.body }
    },
    close: async () => {},
  }
}
