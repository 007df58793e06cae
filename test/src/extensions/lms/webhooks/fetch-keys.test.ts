// Fetching the public keys of a sender over HTTP.

import { expect, test } from 'vitest'
import { fetchKeysOver } from '#src/extensions/lms/webhooks/key-sets.ts'

type Send = Parameters<typeof fetchKeysOver>[0]

/** Fetches keys from a server that gives this answer. @returns the keys, and what was requested */
async function fetchFrom(answer: Awaited<ReturnType<Send>>) {
  const requests: Parameters<Send>[0][] = []
  const send: Send = async (request) => {
    requests.push(request)
    return answer
  }
  const keys = await fetchKeysOver(send)('https://keys.example/jwks')
  return { keys, requests }
}

const answerWith = (status: number, text: string) => ({ kind: 'answer' as const, status, headers: {}, text })

test('one request is made, for JSON, within a limit of time and size', async () => {
  const { keys, requests } = await fetchFrom(answerWith(200, '{"keys":[]}'))
  expect(keys).toEqual({ keys: [] })
  expect(requests).toEqual([
    {
      method: 'GET',
      url: 'https://keys.example/jwks',
      headers: { accept: 'application/json' },
      deadlineMs: 10_000,
      maxBytes: 1_000_000,
    },
  ])
})

test.each([
  ['another status', answerWith(404, '{"keys":[]}'), 'could not be fetched'],
  ['no answer', { kind: 'failed' as const, code: 'ECONNREFUSED' }, 'could not be fetched'],
  ['something else than JSON', answerWith(200, '<html>'), 'JSON'],
])('%s is an error', async (_, answer, words) => {
  await expect(fetchFrom(answer as Awaited<ReturnType<Send>>)).rejects.toThrow(words)
})
