// Collecting one answer: its body is passed to a sink or collected as text.

import { describe, expect, test } from 'vitest'
import { collectAnswer } from '#src/issuer/http/answer-collector.ts'
import type { BodySink, Exchange } from '#src/issuer/http/exchange.ts'
import { systemClock } from '#src/platform/time/clock.ts'

/** Collects an answer in `pieces` that ends immediately, as undici reports it when the server closes the connection. */
function collect(status: number, pieces: string[], sink: BodySink) {
  const calls: string[] = []
  const controller = {
    abort: () => void calls.push('abort'),
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
  }
  const ended = new Promise<Exchange>((end) => {
    const options = { clock: systemClock, deadlineMs: 10_000, maxAnswerBytes: 100, maySend: () => true, sink, end }
    const handler = collectAnswer(options)
    handler.onRequestStart(controller)
    handler.onResponseStart(controller, status, { 'Content-Type': 'x/y' })
    for (const piece of pieces) handler.onResponseData(controller, Buffer.from(piece))
    handler.onResponseEnd()
  })
  return { ended, calls }
}

describe('an answer whose body is passed to a sink', () => {
  test('is complete only when the sink has accepted the last chunk', async () => {
    const received: string[] = []
    const write = async (piece: Buffer) => {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      received.push(piece.toString())
    }
    const begin = (headers: Record<string, string>) => void received.push(headers['content-type'] ?? '')
    const { ended, calls } = collect(200, ['a', 'b'], { begin, write })
    expect(await ended).toMatchObject({ kind: 'answer', status: 200, text: '' })
    expect(received).toEqual(['x/y', 'a', 'b'])
    expect(calls).toEqual(['pause', 'pause', 'resume'])
  })

  test('fails with the error that the sink throws, however late', async () => {
    const write = () => new Promise<void>((_, reject) => setImmediate(() => reject(new RangeError('full'))))
    const { ended } = collect(200, ['a'], { begin: () => {}, write })
    expect(await ended).toMatchObject({ kind: 'failed', code: 'SINK', sent: true, fault: { message: 'full' } })
  })

  test('is collected as text if the status is not 200, and is not paused by an empty chunk', async () => {
    const refuse = () => {
      throw new Error('not for the sink')
    }
    const { ended } = collect(404, ['no', 'ne'], { begin: refuse, write: refuse })
    expect(await ended).toMatchObject({ kind: 'answer', status: 404, text: 'none' })
    const { ended: other, calls } = collect(200, [''], { begin: () => {}, write: refuse })
    expect(await other).toMatchObject({ kind: 'answer', status: 200 })
    expect(calls).toEqual([])
  })
})
