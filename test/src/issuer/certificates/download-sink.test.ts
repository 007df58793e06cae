// The filter for downloads: it holds back a short JSON body, and keeps writes in order across attempts.

import { describe, expect, test } from 'vitest'
import { openEnvelopeFilter } from '#src/issuer/certificates/download-sink.ts'

const piece = (text: string) => Buffer.from(text)
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A sink that records its calls and finishes each step on request. */
function slowSink() {
  const steps: string[] = []
  const unfinished: (() => void)[] = []
  const step = (what: string) => {
    steps.push(what)
    return new Promise<void>((resolve) => unfinished.push(resolve))
  }
  return {
    steps,
    finishOne: async () => {
      unfinished.shift()?.()
      await settle()
    },
    begin: (contentType: string) => step(`begin ${contentType}`),
    write: (bytes: Buffer) => step(bytes.toString()),
  }
}

describe('openEnvelopeFilter', () => {
  test('completes the pending step of an abandoned attempt before the next attempt begins, and passes on nothing more of it', async () => {
    const slow = slowSink()
    const filter = openEnvelopeFilter(slow)
    filter.begin({ 'content-type': 'a' })
    const stale = filter.write(piece('%old'))
    await settle()
    filter.begin({ 'content-type': 'b' })
    const fresh = filter.write(piece('%new'))
    for (let step = 0; step < 4; step++) await slow.finishOne()
    await Promise.all([stale, fresh, filter.settled()])
    expect(slow.steps).toEqual(['begin a', '%old', 'begin b', '%new'])
    filter.begin({})
    const third = filter.write(piece('%1'))
    const queued = filter.write(piece('%2'))
    await settle()
    filter.begin({})
    for (let step = 0; step < 2; step++) await slow.finishOne()
    await Promise.all([third, queued])
    expect(slow.steps.slice(4)).toEqual(['begin ', '%1'])
  })

  test.each([
    ['{"a":1}', true],
    ['\n\t {"a":1}', true],
    ['\ufeff{"a":1}', true],
    ['   ', true],
    ['[1]', false],
    ['%PDF', false],
    [`{${' '.repeat(70_000)}}`, false],
  ])('holds back a short body that starts like a JSON object (case %#)', async (text, isHeldBack) => {
    const sink = { begin: () => {}, write: () => {} }
    const filter = openEnvelopeFilter(sink)
    filter.begin({})
    for (const part of text.match(/.{1,20000}/gsu) ?? []) await filter.write(piece(part))
    expect(filter.held() !== null).toBe(isHeldBack)
    expect(await filter.end()).toEqual({ contentType: '', bytes: Buffer.byteLength(text) })
  })
})
