// What the settings of learning systems keep from working is told, and keeps nothing else from working.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { beginLearning } from '#jobs/begin-learning.ts'
import { openLearning } from '#src/learning/open-learning.ts'
import { tellTarget } from '#src/learning/tell-target.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { openCampus, profileFields } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

const planted = 'planted-and-no-key'
const lineItem = 'https://lms.example/lineitem'
const open = {
  type: 'webhook',
  auth: { type: 'none', allow: ['192.0.2.7'] },
  map: { preset: 'moodle-webhook' },
  confirm: 'campus',
}

describeWithDatabase('a worker', () => {
  test('begins with a key for LTI that is none, and with a profile field of two pipelines, and tells of both', async () => {
    await using campus = await openCampus({
      idle: true,
      systems: () => ({
        gradebook: { type: 'lti', clientId: 'tool', tokenUrl: 'https://lms.example/token', privateKey: planted },
      }),
      writeBack: () => [
        { to: 'moodle-profile', system: 'campus', fields: profileFields },
        { to: 'lti', system: 'gradebook', lineItem },
      ],
      pipelines: (first) => ({ autumn: first }),
    })
    const { app } = campus.world
    const { ledger, learning } = app
    await beginLearning(app)
    expect(campus.logged.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['system.unusable', 'profile.shared', 'profile.shared', 'profile.shared']),
    )
    const status = await campus.say('status')
    expect(status.stdout).toMatch(/^system gradebook: The key for LTI is no private key in PEM/m)
    const health = await fetch(`${campus.web.url}/health/ready`)
    const said = await health.json()
    expect([health.status, said]).toMatchObject([
      200,
      { ready: true, problems: [], notices: [expect.stringContaining('system gradebook: The key for LTI')] },
    ])
    expect(JSON.stringify(said) + status.stdout).not.toContain(planted)
    expect(await ledger.learningSystems.take()).toEqual(['campus'])

    // What is to be told with it waits.
    const telling = { learning, send: app.wire.send, clock: app.clock, environment: 'development' as const }
    const heard = { system: 'campus', learner: '3', course: 'FIRE-1', completedAt: new Date('2026-01-02') }
    const due = { id: 1, issuanceId: 1, wanted: 'issued' as const, tries: 0, heard, pipeline: 'spring', reason: null }
    const credential = { credentialId: 'c-1', verifierLink: null, issueDate: null, validTill: null, since: new Date() }
    const target = { to: 'lti' as const, system: 'gradebook', lineItem, score: 100 }
    expect(await tellTarget(telling, target, { ...due, ...credential })).toMatchObject({
      kind: 'later',
      problem: expect.stringContaining('The key for LTI'),
    })
    // Mended, it is told of no more.
    const nothing = parseFileSettings({ service: { environment: 'development' }, pipelines: {} })
    const wire = { send: app.wire.send, clock: app.clock, random: () => 0.5 }
    await beginLearning({ ...app, learning: openLearning(nothing, { ...wire, gateFor: () => (work) => work() }) })
    expect((await campus.say('status')).stdout).not.toContain('gradebook')
  })

  test('takes the sender that a trusted proxy names, from the right, and nobody else at their word', async () => {
    await using campus = await openCampus({
      idle: true,
      systems: () => ({ open }),
      front: { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] },
    })
    const from = async (chain?: string, url = campus.web.url) => {
      const headers = { 'content-type': 'application/json', ...(chain !== undefined && { 'x-forwarded-for': chain }) }
      return (await fetch(`${url}/events/open`, { method: 'POST', headers, body: '{}' })).status
    }
    expect(await from('192.0.2.7')).toBe(200)
    expect(await from('203.0.113.9, 192.0.2.7, 10.1.1.1')).toBe(200)
    for (const forged of [undefined, '', '203.0.113.9', '192.0.2.7, 203.0.113.9', 'unknown', '192.0.2.7, unknown'])
      expect(await from(forged)).toBe(401)
    const { app } = campus.world
    const file = { ...app.settings.file, web: { ...app.settings.file.web, trustedProxies: [] } }
    const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring'])
    const bare = { ...app, settings: { ...app.settings, file } }
    await using alone = await serveWeb(bare, metrics, { host: '127.0.0.1', port: 0 })
    expect(await from('192.0.2.7', alone.url)).toBe(401)
  })
})
