// credsync demo as a user starts it: without configuration, in a separate process.

import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readDocument } from './run-document.ts'
import { startProgram } from './start-program.ts'

test('demo runs to its end: it issues a list of 500 people once each, and ends with 0 although rows need a person', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-demo-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // Under root, PostgreSQL runs under an account of its own, which must be able to read its files.
  await chmod(folder, 0o755)
  const running = startProgram(['demo', '--json'], { cwd: folder, env: { CREDSYNC_DATA_DIR: folder } })
  onTestFinished(() => running.stop())
  const { code, stdout, stderr } = await running.ended
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  const { rows, accepted, invalid, skipped, states } = readDocument(stdout)
  expect(rows).toBe(invalid + skipped + accepted)
  expect([states.issued > 400, invalid > 0, states.pending, states.sending]).toEqual([true, true, 0, 0])
  // As many requests as people: each was issued once.
  const [, requests, people] = /(\d+) requests for (\d+) people; 429 .* returned 0 times/.exec(stderr) ?? []
  expect([requests, people]).toEqual([String(accepted), String(accepted)])
  const list = await readFile(join(folder, 'demo/spring-cohort.csv'), 'utf8')
  expect(list.trimEnd().split('\n').length).toBeGreaterThan(500)
})
