// How long an outgoing event waits after a customer's system did not accept it.

import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning.ts'
import { webhook } from '#src/extensions/lms/targets/webhook.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { openScriptedServer, raw } from '#test/support/scripted-server.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`

test.each<[string, number, Record<string, string>, number]>([
  ['its planned time', 0, {}, 5_000],
  ['up to a tenth longer, at random', 0.999, {}, 5_500],
  ['as long as the system asks for', 0, { 'retry-after': '60' }, 60_000],
])('a refused event waits %s', async (_, random, headers, waitMs) => {
  const server = await openScriptedServer()
  onTestFinished(() => server.close())
  server.on('/hear', raw(500, 'no', headers))
  const http = openLmsHttp(clock)
  onTestFinished(() => http.close())
  const parts = { send: http.send, clock, random: () => random }
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: {} })
  const learning = openLearningSystems(file, { ...parts, gateFor: () => (work) => work() })
  const due = { id: 1, issuanceId: 1, wanted: 'rejected' as const, tries: 0, refused: false, completion: null }
  const credential = { credentialId: null, verifierLink: null, issueDate: null, validTill: null, since: new Date() }
  const result = await webhook.deliver(
    { ...parts, learning, environment: 'development' },
    { to: 'webhook', url: `${server.url}/hear`, secret },
    { ...due, ...credential, reason: null, pipeline: 'spring' },
  )
  expect(result).toMatchObject({ kind: 'away', waitMs: expect.closeTo(waitMs, -1) })
})
