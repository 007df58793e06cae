// The rights that a user of Redis needs: the page, the list and the scripts agree, and a missing right is named.

import { glob, readFile } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkQueueStore } from '#src/check/check-durability.ts'
import { checkRedis } from '#src/platform/redis/check-redis.ts'
import { deniedRules, neededCommands } from '#src/platform/redis/denied-commands.ts'
import { openRedis } from '#src/platform/redis/open-redis.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { documentedRedisUser, documentedRules } from '#test/support/documented-redis-user.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { openTestQueues } from '../queue/open-test-queues.ts'

const calledIn = (lua: string) =>
  [...lua.matchAll(/\b(?:redis\.p?|r)call\(\s*['"](\w+)['"]/g)].map(([, name = '']) => name.toLowerCase())

test('the page has a rule for each command, and every command that a script calls is among them', async () => {
  const onPage = (await documentedRules()).filter((rule) => rule.startsWith('+'))
  expect(onPage.sort()).toEqual(['info', ...neededCommands].map((command) => `+${command}`).sort())
  const called: string[] = []
  // We don't use BullMQ's relay.
  for await (const file of glob(['src/**/*.ts', 'node_modules/bullmq/dist/cjs/scripts/*.js']))
    if (!file.includes('/relay')) called.push(...calledIn(await readFile(file, 'utf8')))
  expect(called).toEqual(expect.arrayContaining(['zadd', 'time']))
  expect(called.filter((name) => !onPage.includes(`+${name}`))).toEqual([])
})

/** A server whose user has the documented rights, and others that are given as rules. */
async function serverFor(...more: string[]) {
  const server = await startRedis({ policy: 'allkeys-lru' })
  if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  const admin = new Redis(server.url)
  onTestFinished(async () => {
    admin.disconnect()
    await server.stop()
  })
  return { admin, url: await documentedRedisUser(server.url, ...more) }
}

describeWithRedis('a user of Redis', () => {
  test('with the documented rights is refused nothing', async () => {
    const { admin, url } = await serverFor()
    expect((await checkRedis(url)).grave).toEqual([])
    expect(await admin.call('ACL', 'LOG')).toEqual([])
  })

  test('without one of them is told which', async () => {
    const { admin, url } = await serverFor()
    const user = new Redis(url)
    onTestFinished(() => user.disconnect())
    for (const command of neededCommands) {
      await admin.call('ACL', 'SETUSER', 'documented', `-${command}`)
      expect(await deniedRules(user)).toEqual([`+${command}`])
      await admin.call('ACL', 'SETUSER', 'documented', `+${command}`)
    }
    await admin.call('ACL', 'SETUSER', 'documented', 'resetkeys')
    expect(await deniedRules(user)).toEqual(['~credsync*'])
  })

  test.each([
    [['-time', '-zadd'], 'Its user may not run time, zadd', 'ACL SETUSER documented +time +zadd'],
    [['resetkeys'], 'Its user may not use keys that begin with credsync', 'ACL SETUSER documented ~credsync*'],
    [['-@all'], 'and 50 other commands', '+zscore'],
  ])('with %s fails the check and cannot work', async (rules, what, grant) => {
    const { url } = await serverFor(...rules)
    expect((await checkRedis(url)).grave).toEqual([expect.stringContaining(what)])
    const [check] = await checkQueueStore(url)
    expect(check).toMatchObject({ ok: false, what: expect.stringContaining(what) })
    expect(check?.remedy).toContain(grant)
  })

  test('that may not choose its database does not work in another one', async () => {
    const { url } = await serverFor()
    await expect(checkRedis(`${url}/3`)).rejects.toThrow('NOPERM')
    await expect(openRedis({ url: `${url}/3` })).rejects.toThrow('NOPERM')
  })

  test('without INFO is told what to make sure of, in our words only', async () => {
    const printed = vi.spyOn(console, 'warn')
    onTestFinished(() => printed.mockRestore())
    const { url } = await serverFor('-info', '~test*')
    const [check] = await checkQueueStore(url)
    expect(check).toMatchObject({
      ok: true,
      notices: [expect.stringContaining('make sure that it is a single server')],
    })
    const redis = await openRedis({ url })
    onTestFinished(() => redis.close())
    const queues = await openTestQueues({ kind: 'redis', url, prefix: 'test' })
    expect(await queues.healthy()).toBe(true)
    expect(printed.mock.calls).toEqual([])
  })

  test('sees the eviction policy once, in our words only', async () => {
    const printed = vi.spyOn(console, 'warn')
    onTestFinished(() => printed.mockRestore())
    const { url } = await serverFor('~test*')
    expect((await checkRedis(url)).faults).toContainEqual(expect.stringContaining('set it to noeviction'))
    const queues = await openTestQueues({ kind: 'redis', url, prefix: 'test' })
    expect(await queues.healthy()).toBe(true)
    expect(printed.mock.calls).toEqual([])
  })
})
