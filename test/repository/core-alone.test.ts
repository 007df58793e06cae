// The core without its extensions: it compiles, makes its tables, and issues a list.

import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyCoreTo } from '#test/support/core-alone.ts'

const run = promisify(execFile)

describe('the core without its extensions', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credsync-core-'))
    // Under root, PostgreSQL runs under an account of its own, which must be able to read its files.
    await chmod(folder, 0o755)
    await copyCoreTo(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('compiles', async () => {
    // A compiler that finds faults ends with an error that has them in its output.
    const { stdout } = await run('node_modules/.bin/tsc', ['--noEmit', '--project', '.'], { cwd: folder }).catch(
      (error) => error,
    )
    expect(stdout).toBe('')
  })

  test('issues a list of 500 people in an empty database, once each', async () => {
    const env = { PATH: process.env.PATH, CREDSYNC_DATA_DIR: folder }
    const { stdout, stderr } = await run('node', ['jobs/credsync.mjs', 'demo', '--json'], { cwd: folder, env })
    expect(stderr).toContain('494 requests for 494 people')
    expect(JSON.parse(stdout)).toMatchObject({ rows: 500, accepted: 494, states: { issued: 485 } })
  })
})
