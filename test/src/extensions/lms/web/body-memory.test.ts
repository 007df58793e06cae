// The memory for concurrent request bodies is limited by the bytes received, not by the announced lengths.

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { BodyTooLargeError, NoRoomError, openBodyMemory } from '#src/extensions/lms/web/body-memory.ts'

const text = 'x'.repeat(40_000)

/** Sends part of a body without ending it. Resolves when the part was received or the connection is closed. */
async function sendPart(stream: PassThrough, part = text): Promise<void> {
  stream.write(part)
  await new Promise((resolve) => setImmediate(resolve))
}

test('a body arrives unchanged, and its memory is released once', async () => {
  const memory = openBodyMemory(1_000_000, 'newest')
  const stream = new PassThrough()
  const reading = memory.read(stream, 100_000)
  for (const part of ['a', 'b'.repeat(50_000), 'c']) await sendPart(stream, part)
  stream.end()
  const held = await reading
  expect(held.bytes.toString()).toBe(`a${'b'.repeat(50_000)}c`)
  expect(memory.bytes()).toBeGreaterThanOrEqual(50_002)
  held.release()
  held.release()
  expect(memory.bytes()).toBe(0)
})

test('a body larger than allowed is refused, whatever length it announced', async () => {
  const memory = openBodyMemory(1_000_000, 'newest')
  const stream = new PassThrough()
  const refused = expect(memory.read(stream, 39_999)).rejects.toThrow(BodyTooLargeError)
  await sendPart(stream)
  await refused
  expect(memory.bytes()).toBe(0)
})

test('a broken connection releases its memory', async () => {
  const memory = openBodyMemory(1_000_000, 'newest')
  const stream = new PassThrough()
  const refused = expect(memory.read(stream, 100_000)).rejects.toThrow('broke')
  await sendPart(stream)
  expect(memory.bytes()).toBeGreaterThan(0)
  stream.destroy()
  await refused
  expect(memory.bytes()).toBe(0)
})

test('bytes that arrive one at a time take no more memory than others', async () => {
  const memory = openBodyMemory(1_000_000, 'newest')
  const stream = new PassThrough()
  const reading = memory.read(stream, 1_000_000)
  for (let n = 0; n < 2_000; n++) stream.write('x')
  await sendPart(stream, 'x')
  expect(memory.bytes()).toBeLessThan(20_000)
  stream.end()
  expect((await reading).bytes.length).toBe(2_001)
})

test('among unknown senders, the body that has been arriving for longest is dropped to make room for the newest', async () => {
  const memory = openBodyMemory(500_000, 'oldest')
  const ended: number[] = []
  for (let n = 0; n < 50; n++) {
    const stream = new PassThrough()
    memory.read(stream, 1_000_000).catch((error) => {
      expect(error).toBeInstanceOf(NoRoomError)
      ended.push(n)
    })
    await sendPart(stream)
    expect(memory.bytes()).toBeLessThanOrEqual(500_000)
  }
  expect(ended).toEqual([...ended.keys()])
  expect(ended.length).toBeGreaterThan(30)
  const honest = new PassThrough()
  const reading = memory.read(honest, 1_000_000)
  honest.end(text.repeat(10))
  expect((await reading).bytes.length).toBe(400_000)
})

test('among authenticated senders, the newest body is refused and has to be sent again', async () => {
  const memory = openBodyMemory(100_000, 'newest')
  const [first, second] = [new PassThrough(), new PassThrough()]
  const one = memory.read(first, 90_000)
  await sendPart(first, text)
  const other = memory.read(second, 90_000)
  second.write(text.repeat(2))
  await expect(other).rejects.toThrow(NoRoomError)
  first.end(text)
  expect((await one).bytes.length).toBe(80_000)
})
