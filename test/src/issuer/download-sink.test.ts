import { describe, expect, test } from 'vitest'
import { openSieve } from '#src/issuer/download-sink.ts'

const piece = (text: string) => Buffer.from(text)
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A sink that notes what it is asked, and finishes each step when told to. */
function slowSink() {
  const asked: string[] = []
  const open: (() => void)[] = []
  const step = (what: string) => {
    asked.push(what)
    return new Promise<void>((resolve) => open.push(resolve))
  }
  return {
    asked,
    finishOne: async () => {
      open.shift()?.()
      await settle()
    },
    begin: (contentType: string) => step(`begin ${contentType}`),
    write: (bytes: Buffer) => step(bytes.toString()),
  }
}

describe('openSieve', () => {
  test('lets a try that was given up end its step before the next one begins, and nothing more of it', async () => {
    const slow = slowSink()
    const sieve = openSieve(slow)
    sieve.begin({ 'content-type': 'a' })
    const stale = sieve.write(piece('%old'))
    await settle()
    sieve.begin({ 'content-type': 'b' })
    const fresh = sieve.write(piece('%new'))
    for (let step = 0; step < 4; step++) await slow.finishOne()
    await Promise.all([stale, fresh, sieve.settled()])
    expect(slow.asked).toEqual(['begin a', '%old', 'begin b', '%new'])
    sieve.begin({})
    const third = sieve.write(piece('%1'))
    const queued = sieve.write(piece('%2'))
    await settle()
    sieve.begin({})
    for (let step = 0; step < 2; step++) await slow.finishOne()
    await Promise.all([third, queued])
    expect(slow.asked.slice(4)).toEqual(['begin ', '%1'])
  })

  test.each([
    ['{"a":1}', true],
    ['\n\t {"a":1}', true],
    ['\ufeff{"a":1}', true],
    ['   ', true],
    ['[1]', false],
    ['%PDF', false],
    [`{${' '.repeat(70_000)}}`, false],
  ])('keeps a short body back that begins like a JSON object (case %#)', async (text, kept) => {
    const slow = { begin: () => {}, write: () => {} }
    const sieve = openSieve(slow)
    sieve.begin({})
    for (const byte of text.match(/.{1,20000}/gsu) ?? []) await sieve.write(piece(byte))
    expect(sieve.held() !== null).toBe(kept)
    expect(await sieve.end()).toEqual({ contentType: '', bytes: Buffer.byteLength(text) })
  })
})
