// Downloading the samples of a course: the files are returned unchanged.

import { describe, expect, test } from 'vitest'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { json, raw, resetBeforeAnswer } from '#test/support/scripted-server.ts'
import { openBench } from '../client-bench.ts'

const bytes = Buffer.from([0x50, 0x4b, 0, 0x80, 0xff])

describe.each(['sampleSheet', 'sampleData'] as const)('%s', (name) => {
  const path = name === 'sampleSheet' ? '/batch/download/sample-sheet' : '/batch/download/sample-data'

  test('returns the file unchanged, after temporary faults', async () => {
    await using bench = await openBench()
    bench.server.on(path, resetBeforeAnswer, raw(503, ''), raw(200, bytes, { 'content-type': 'application/zip' }))
    expect(await bench.issuer[name]('c')).toEqual({ contentType: 'application/zip', bytes })
    expect(bench.server.requests(path).map((request) => [request.method, request.body])).toEqual(
      Array(3).fill(['POST', '{"course_uuid":"c"}']),
    )
  })

  test('returns JSON unchanged too, and reports a refusal', async () => {
    await using bench = await openBench()
    bench.server.on(path, json(200, { a: 1 }), json(404, { status: 404, message: 'no course' }))
    expect((await bench.issuer[name]('c')).bytes.toString()).toBe('{"a":1}')
    await expect(bench.issuer[name]('c')).rejects.toThrow(ServiceRefusedError)
  })
})

test('each sample has its own gate', async () => {
  await using bench = await openBench()
  for (const path of ['/sample-sheet', '/sample-data']) bench.server.on(path, raw(200, bytes))
  await bench.issuer.sampleSheet('c')
  await bench.issuer.sampleData('c')
  expect([bench.gates['sample-sheet']?.passes, bench.gates['sample-data']?.passes]).toEqual([1, 1])
})
