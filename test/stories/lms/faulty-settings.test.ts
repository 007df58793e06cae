// Faulty settings of learning systems are reported and affect nothing else.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { registerLms } from '#jobs/lms/learning-jobs.ts'
import { deliverToTarget } from '#src/extensions/lms/sync/deliver-to-target.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { openCampus, profileFields } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const planted = 'planted-and-no-key'
const lineItem = 'https://lms.example/lineitem'
const openEndpoint = {
  type: 'webhook',
  auth: { type: 'none', allow: ['192.0.2.7'] },
  map: { preset: 'moodle-webhook' },
  confirm: 'campus',
}

describeWithDatabase('a worker', () => {
  test('starts with an invalid LTI key, and reports it', async () => {
    await using campus = await openCampus({
      idle: true,
      systems: () => ({
        gradebook: { type: 'lti', clientId: 'tool', tokenUrl: 'https://lms.example/token', privateKey: planted },
      }),
      writeBack: () => [
        { to: 'moodle-profile', system: 'campus', fields: profileFields },
        { to: 'lti', system: 'gradebook', lineItem },
      ],
    })
    const { app } = campus.world
    const { ledger, learning } = app
    await registerLms(app)
    expect(campus.logged.map(({ name }) => name)).toContain('system.unusable')
    const status = await campus.runCli('status')
    expect(status.stdout).toMatch(/^system gradebook: The key for LTI is not a private key in PEM format/m)
    const health = await fetch(`${campus.web.url}/health/ready`)
    const body = await health.json()
    expect([health.status, body]).toMatchObject([
      200,
      { ready: true, problems: [], notices: [expect.stringContaining('system gradebook: The key for LTI')] },
    ])
    expect(JSON.stringify(body) + status.stdout).not.toContain(planted)
    expect(await ledger.learningSystems.take()).toEqual(['campus'])

    // Deliveries that need the key are waiting.
    const completion = { system: 'campus', learner: '3', course: 'FIRE-1', completedAt: new Date('2026-01-02') }
    const due = { id: 1, issuanceId: 1, wanted: 'issued' as const, tries: 0, refused: false, completion }
    const credential = { credentialId: 'c-1', verifierLink: null, issueDate: null, validTill: null, since: new Date() }
    const pipelineFields = { pipeline: 'spring', reason: null }
    const target = learning.targetsOf('spring').find(({ settings }) => settings.to === 'lti')
    if (!target) throw new Error('The pipeline has no LTI target.')
    const { wire: http, clock, random } = app
    const tools = { learning, send: http.send, clock, random, environment: 'development' as const }
    const dueTarget = { ...target, requestsPublicLink: false, needs: [] }
    expect(
      await deliverToTarget({ ...tools, target: dueTarget }, { ...due, ...credential, ...pipelineFields }),
    ).toMatchObject({
      kind: 'later',
      problem: expect.stringContaining('The key for LTI'),
    })
    // After it is fixed, it is not reported.
    const emptySettings = parseFileSettings({ service: { environment: 'development' }, pipelines: {} })
    const wire = { send: app.wire.send, clock: app.clock, random: () => 0.5 }
    await registerLms({
      ...app,
      learning: openLearningSystems(emptySettings, { ...wire, gateFor: () => (work) => work() }),
    })
    expect((await campus.runCli('status')).stdout).not.toContain('gradebook')
  })

  test('trusts a sender address only if a trusted proxy reports it, read from the right', async () => {
    await using campus = await openCampus({
      idle: true,
      systems: () => ({ open: openEndpoint }),
      receivers: { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] },
    })
    const statusFor = async (chain?: string, url = campus.web.url) => {
      const headers = { 'content-type': 'application/json', ...(chain !== undefined && { 'x-forwarded-for': chain }) }
      return (await fetch(`${url}/events/open`, { method: 'POST', headers, body: '{}' })).status
    }
    expect(await statusFor('192.0.2.7')).toBe(200)
    expect(await statusFor('203.0.113.9, 192.0.2.7, 10.1.1.1')).toBe(200)
    for (const forged of [undefined, '', '203.0.113.9', '192.0.2.7, 203.0.113.9', 'unknown', '192.0.2.7, unknown'])
      expect(await statusFor(forged)).toBe(401)
    const { app } = campus.world
    const file = { ...app.settings.file, web: { ...app.settings.file.web, trustedProxies: [] } }
    const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring'])
    const appWithoutProxies = { ...app, settings: { ...app.settings, file } }
    await using webWithoutProxies = await serveWeb(appWithoutProxies, metrics, { host: '127.0.0.1', port: 0 })
    expect(await statusFor('192.0.2.7', webWithoutProxies.url)).toBe(401)
  })
})
