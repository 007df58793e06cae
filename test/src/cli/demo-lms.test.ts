// credsync demo --lms, as a person starts it: with nothing configured, in a process of its own.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from './program.ts'

interface Document {
  events: { webhook: number; xapi: number }
  requests: number
  profiles: { learner: string; profile: Record<string, string> }[]
}

test('demo --lms ends by itself: three learners were issued once each, and their profiles show it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-demo-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // As root, PostgreSQL's own account must find its files.
  await chmod(folder, 0o755)
  const running = startProgram(['demo', '--lms', '--json'], { cwd: folder, env: { CREDSYNC_DATA_DIR: folder } })
  onTestFinished(() => running.stop())
  const { code, stdout, stderr } = await running.ended
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  const { events, requests, profiles } = JSON.parse(stdout) as Document
  // Ada's completion came by both channels, and of each learner the plugin tells a page as well.
  expect([events, requests]).toEqual([{ webhook: 1, xapi: 6 }, 3])
  const [ada, grace, alan] = profiles.map(({ profile }) => profile)
  for (const issued of [ada, grace])
    expect(issued).toEqual({
      credid: expect.stringMatching(/^\d[\d-]+$/),
      credurl: expect.stringMatching(/^http.+\d$/),
      credstatus: 'issued',
    })
  expect(alan).toEqual({ credid: expect.stringMatching(/^\d[\d-]+$/), credurl: '', credstatus: 'revoked' })
  expect(stderr).toMatch(/^4\. Alan Turing's credential was revoked/m)
  expect(stderr).toContain('docs/moodle.md')
  expect(stderr).toContain(`CREDSYNC_DATA_DIR='${join(folder, 'demo')}' npm run -s credsync -- explain ada@example.org`)
})
