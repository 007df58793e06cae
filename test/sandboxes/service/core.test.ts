// Tests that the in-process sandbox behaves as it does over HTTP, and is repeatable from a seed.

import { describe, expect, test } from 'vitest'
import { openSandboxCore } from '#sandboxes/service/open-sandbox-core.ts'
import type { SandboxSettings } from '#sandboxes/service/settings.ts'
import { steppedClock } from '#test/support/clock.ts'
import { people, visitCore } from './core-visitor.ts'
import { paths, person, visitSandbox } from './visitor.ts'

const settings: Partial<SandboxSettings> = { reportLagMs: 0, maxBodyBytes: 5_000, limits: { general: 3, auth: 3 } }

describe('a call in process', () => {
  test('gets exactly the same answer as over HTTP', async () => {
    const { sandbox, clock, course, signIn } = await visitSandbox(settings)
    const coreClock = steppedClock()
    const core = openSandboxCore(settings, coreClock)
    const token = { key: core.key, secret: core.secret }
    await core.call({ method: 'POST', path: paths.token, headers: json, body: JSON.stringify(token) })
    await Promise.all([clock.advance(1_000), coreClock.advance(1_000)])
    const first = await core.call({ method: 'POST', path: paths.token, headers: json, body: JSON.stringify(token) })
    const { accessToken } = await signIn()
    const authorization = `Bearer ${accessToken}`
    expect(first).toMatchObject({ status: 200, body: expect.stringContaining(accessToken) })

    const invitation = { course_uuid: course.uuid, template_uuid: course.templateUuid }
    const good = { ...invitation, badge_template_uuid: course.badgeTemplateUuid, student: [person('a@example.org')] }
    const calls: [string, string, Record<string, string>, unknown?][] = [
      ['POST', paths.invite, json, good],
      ['POST', paths.invite, json, invitation],
      ['POST', paths.invite, json, { ...good, student: [person('x'.repeat(5_000))] }],
      ['POST', paths.invite, json, good],
      ['POST', paths.report, json, { recordsPerPage: 5 }],
      ['POST', paths.report, json, '{"half'],
      ['POST', paths.report, { 'content-type': 'text/plain' }, 'words'],
      ['GET', `${paths.fieldList}/${course.uuid}`, {}],
      ['GET', `${paths.fieldList}/nowhere`, {}],
      ['GET', '/api/nowhere', {}],
      ['GET', paths.list, {}],
      ['POST', paths.list, { authorization: 'Bearer made-up', ...json }, {}],
      ['POST', paths.refresh, json, { refreshToken: 'made-up' }],
      ['GET', '/sandbox/verify/nobody', {}],
      ['PUT', `/api/institute/v1/course/status/${course.uuid}/0`, {}],
      ['PUT', `/api/institute/v1/course/logo/${course.uuid}`, json, {}],
      ['PUT', `/api/institute/v1/course/${course.uuid}`, json, {}],
      ['PUT', `/api/institute/v1/course/status/${course.uuid}`, {}],
      ['POST', '/api/institute/v1/course', formed, name],
      ['POST', '/api/institute/v1/course/category/list', {}],
    ]
    const statuses: number[] = []
    for (const [method, path, more, value] of calls) {
      const headers = { authorization, host: new URL(sandbox.url).host, ...more }
      const text = value === undefined ? {} : { body: typeof value === 'string' ? value : JSON.stringify(value) }
      const wire = await fetch(sandbox.url + path, { method, headers, ...text })
      const inside = await core.call({ method, path, headers, ...text })
      if (inside.lost) throw new Error('No fault was asked for.')
      expect([inside.status, inside.headers['content-type'], said(inside.body)], path).toEqual([
        wire.status,
        wire.headers.get('content-type'),
        said(await wire.text()),
      ])
      statuses.push(wire.status)
    }
    expect(statuses).toEqual([
      ...[200, 400, 413, 429, 200, 400, 400, 200, 404, 404, 404, 401, 401, 404],
      ...[200, 404, 400, 404, 400, 200],
    ])
    expect(core.journal()).toEqual(sandbox.journal())
    expect(core.entries()).toEqual(sandbox.entries())
  })

  test('is executed before it returns, so that only the order of calls matters', async () => {
    const { core, invite, held } = await visitCore()
    const both = [invite('a@example.org'), invite('b@example.org')]
    expect(held()).toEqual(['a@example.org', 'b@example.org'])
    expect(core.journal().invitesAccepted).toBe(2)
    expect(await Promise.all(both)).toEqual([200, 200])
  })

  test('opens the links of a report by their path', async () => {
    const { core, invite, rows, clock } = await visitCore()
    await invite('a@example.org')
    await clock.advance(10_000)
    const [row] = await rows()
    const path = row.certificate_path.replace('http://sandbox.invalid', '')
    expect(await core.call({ method: 'GET', path })).toMatchObject({ status: 200 })
    expect(await core.call({ method: 'GET', path: `${path}0` })).toMatchObject({ status: 403 })
  })
})

describe('a run with all faults', () => {
  test('is the same again from the same seed, and different from another', async () => {
    const once = await fullRun('one')
    expect(await fullRun('one')).toEqual(once)
    expect(await fullRun('two')).not.toEqual(once)
  })
})

const json = { 'content-type': 'application/json' }

const formed = { 'content-type': 'multipart/form-data; boundary=b' }
const name = '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nBricklaying\r\n--b--\r\n'

// The framework's own code is in brackets if the sandbox could not read a body at all.
const said = (body: string) => body.replace(/cannot be read \(.*?\)/, 'cannot be read')

async function fullRun(seed: string): Promise<string> {
  const { core, clock, invite, post } = await visitCore({ seed })
  core.injectFaults({
    lateVisibility: { share: 0.3, minMs: 0, maxMs: 9_000 },
    trickle: { spanMs: 2_000 },
    nullEntityUuid: { share: 0.3, forMs: 2_000 },
    spelling: { emails: 0.3, names: 0.3 },
    movingRows: { share: 0.5 },
    backwards: { share: 0.2 },
    partialCommit: { share: 0.1, take: 'scattered', answer: 500 },
    throttledAfter: { share: 0.1 },
    envelope500: { applied: 0.1, notApplied: 0.1 },
    html502: { before: 0.1, after: 0.1 },
    truncated: { before: 0.05, after: 0.05 },
    lost: { before: 0.1, after: 0.1 },
    spoiledCalls: 'all',
  })
  const answers: unknown[] = []
  for (let round = 0; round < 20; round++) {
    await invite(...people(10, `r${round}-`))
    await clock.advance(500)
    answers.push(await post(paths.report, { recordsPerPage: 50 }))
  }
  return JSON.stringify([answers, core.entries()])
}
