// The network between one process and the service: every exchange takes time, and some requests never arrive or are
// answered too late.

import type { CoreAnswer, SandboxCore } from '#sandboxes/service/open-sandbox-core.ts'
import type { Exchange, HttpRequest } from '#src/issuer/http/exchange.ts'
import type { Http } from '#src/issuer/http/http-client.ts'
import type { Dice } from '#test/support/seeded-random.ts'
import type { Process } from './simulated-process.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Weather } from './weather.ts'

export function openWire(process: Process, core: SandboxCore, time: VirtualClock, dice: Dice, weather: Weather): Http {
  /** A request that was sent arrives even if its process has died. */
  async function deliver(request: HttpRequest, onTheWayMs: number): Promise<CoreAnswer> {
    await time.sleep(onTheWayMs)
    const { method, path, token } = request
    // Simulated pipelines send JSON, because parsing a form with a file takes real time.
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
      // Called in the same tick in which the request is sent, as in the real client.
      if (request.maySend && !request.maySend()) return { kind: 'failed', code: 'CLAIM_EXPIRED', sent: false }
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
