// Whether an endpoint trusts an address that a proxy reports.

import { expect, test } from 'vitest'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const openEndpoint = {
  type: 'webhook',
  auth: { type: 'none', allow: ['192.0.2.7'] },
  map: { preset: 'moodle-webhook' },
  confirm: 'campus',
}

describeWithDatabase('an endpoint', () => {
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
