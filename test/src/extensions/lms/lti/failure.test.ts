// What a failed call to a platform means, where the status alone does not say it.

import { expect, test } from 'vitest'
import { classifyLtiFailure } from '#src/extensions/lms/lti/failure.ts'
import { openClient } from './open-client.ts'

const text = '{"error":"Forbidden","message":"A valid User-Agent header is required."}'

test('a platform that requires a User-Agent is named with the header, not with permissions', () => {
  const answer = { kind: 'answer' as const, status: 403, headers: {}, text }
  expect(classifyLtiFailure(answer, 'https://canvas.example/x', new Date())).toMatchObject({
    kind: 'refused',
    why: expect.stringMatching(/^canvas\.example refuses requests without a valid User-Agent/),
  })
})

test('so is one whose token endpoint requires it', async () => {
  const { ags, platform } = await openClient()
  platform.behavior.replacements = [{ request: /token/, reply: { status: 403, body: text } }]
  expect(await ags.results(platform.lineItem, '3')).toMatchObject({
    kind: 'refused',
    why: expect.stringMatching(/User-Agent/),
  })
})
