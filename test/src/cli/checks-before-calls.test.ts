// A command that calls the service makes the checks of `start` first. With a Redis that no worker can use it would
// wait for ever for slots that never come.

import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { issue, openWorkspace, people } from './cli-workspace.ts'

const config = ['--config', 'credsync.yaml']

describeWithDatabase('a command that calls the service', () => {
  describeWithRedis('through Redis', () => {
    test('is refused if its user has no right to our keys', async () => {
      const server = await startRedis()
      if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
      onTestFinished(() => server.stop())
      const redis = new Redis(server.url)
      await redis.call('ACL', 'SETUSER', 'other', 'on', '>planted', '~other*', '&*', '+@all')
      redis.disconnect()
      const url = Object.assign(new URL(server.url), { username: 'other', password: 'planted' })
      const workspace = await openWorkspace()
      await workspace.write('list.csv', people(3))
      for (const args of [
        issue('list.csv'),
        issue('list.csv', '--dry-run'),
        ['reconcile', '--once', ...config],
        ['revoke', 'i1', '--reason', 'x', '--yes', ...config],
        ['correct', 'i1', '--set', 'Email=a@example.org', '--reason', 'x', ...config],
        ['adopt', '--pipeline', 'spring', ...config],
        ['probe', '--pipeline', 'spring', ...config],
      ]) {
        const ended = await workspace.run(args, { REDIS_URL: url.href })
        expect([args[0], ended.code]).toEqual([args[0], 2])
        expect(ended.stderr).toContain('may not use keys that begin with credsync')
        expect(ended.stderr).not.toContain('planted')
      }
      expect(workspace.sandbox.requests()).toEqual([])
    })
  })

  test('is refused in production on a server that may lose what was committed', async ({ skip }) => {
    const workspace = await openWorkspace({ file: { service: { environment: 'production' } }, empty: true })
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    const [row] = (await database.query<{ fsync: string }>('SHOW fsync')).rows
    skip(row?.fsync !== 'off', 'the server of the tests is durable')
    await workspace.write('list.csv', people(3))
    const ended = await workspace.run(issue('list.csv'))
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/fsync is off.*Set fsync = on/) })
    expect(workspace.sandbox.requests()).toEqual([])
  })
})
