// credsync demo --lms as a user starts it: without configuration, in a separate process.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '#test/src/cli/start-program.ts'

interface Document {
  events: { webhook: number; xapi?: number }
  requests: number
  profiles: { learner: string; profile: Record<string, string> }[]
}

/** Runs a demo in a folder of its own, and returns what it prints. */
async function runDemo() {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-demo-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // Under root, PostgreSQL runs under an account of its own, which must be able to read its files.
  await chmod(folder, 0o755)
  const options = { cwd: folder, env: { CREDSYNC_DATA_DIR: folder } }
  const running = startProgram(['demo', '--lms', '--json'], options)
  onTestFinished(() => running.stop())
  const { code, stdout, stderr } = await running.ended
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return { folder, stderr, document: JSON.parse(stdout) as Document }
}

test('demo --lms runs to its end: three learners get exactly one credential each, and their profiles show it', async () => {
  const { folder, stderr, document } = await runDemo()
  const { events, requests, profiles } = document
  // Ada's completion arrived through both channels, and the plugin also reports a page view for each learner.
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
