// An address without TLS is accepted if it leads to this machine, and refused if it leads to another machine, unless
// that host is explicitly allowed.

import { describe, expect, test } from 'vitest'
import { SettingsError } from '#config/read-variable.ts'
import { readStorageSettings } from '#config/storage-settings.ts'
import { goodEnv, goodFile, goodPipeline, readConfiguration, refusalOf, sentencesAbout } from './configuration-files.ts'

/** Returns the settings that are refused because they lack TLS. */
async function refused(reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.then(
    () => null,
    (thrown) => thrown,
  )
  if (error === null) return []
  expect(error).toBeInstanceOf(SettingsError)
  const { faults } = error as SettingsError
  for (const { sentence } of faults) expect(sentence).toMatch(/without TLS.*CREDSYNC_ALLOW_PLAIN/)
  return faults.map(({ where }) => where)
}

describe('PostgreSQL', () => {
  test.each([
    'postgres://me:pass@127.0.0.1:5432/x',
    'postgres://localhost/x',
    'postgres://[::1]/x',
    'postgres:///x',
    'postgres:///x?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/x',
    'postgres://db.example/x?sslmode=verify-full',
    'postgres://db.example/x?sslmode=verify-full&uselibpqcompat=true',
    'postgres://db.example/x?sslmode=verify-ca&sslrootcert=/etc/ca.pem',
    'postgres://db.example/x?sslmode=require',
  ])('at %s is accepted', async (DATABASE_URL) => {
    expect(await refused(readStorageSettings({ env: { DATABASE_URL }, cwd: '/' }))).toEqual([])
  })

  test.each([
    'postgres://me:pass@db.example/x',
    'postgresql://10.0.0.5/x',
    'postgres://127.0.0.1.db.example/x',
    'postgres://localhost/x?host=db.example',
    'postgres://db.example/x?sslmode=disable',
    'postgres://db.example/x?sslmode=prefer',
    'postgres://db.example/x?sslmode=no-verify',
    'postgres://db.example/x?sslmode=verify-full&sslmode=disable',
    'postgres://db.example/x?sslmode=require&uselibpqcompat=true',
    'postgres://[2001:db8::1]/x',
    'postgres://x/x?host=db/%2Fvar',
  ])('at %s is refused, even by commands that only read the ledger', async (DATABASE_URL) => {
    expect(await refused(readConfiguration(goodFile, { ...goodEnv, DATABASE_URL }))).toEqual(['DATABASE_URL'])
    expect(await refused(readStorageSettings({ env: { DATABASE_URL }, cwd: '/' }))).toEqual(['DATABASE_URL'])
  })

  test('at the host in PGHOST is refused if that host is another machine', async () => {
    const env = { DATABASE_URL: 'postgres:///x', PGHOST: 'db.example' }
    expect(await refused(readStorageSettings({ env, cwd: '/' }))).toEqual(['DATABASE_URL'])
  })
})

const file = {
  ...goodFile,
  systems: {
    campus: { type: 'moodle', url: 'http://moodle.example', token: 't' },
    school: { type: 'canvas', url: 'http://canvas.example', token: 't' },
  },
  pipelines: {
    spring: {
      ...goodPipeline,
      writeBack: [
        { to: 'webhook', url: 'https://safe.example', secret: `whsec_${'A'.repeat(32)}` },
        { to: 'webhook', url: 'http://hooks.example/in', secret: `whsec_${'A'.repeat(32)}` },
      ],
    },
  },
}
const env = {
  ...goodEnv,
  DATABASE_URL: 'postgres://postgres/x',
  REDIS_URL: 'redis://:pass@valkey:6379',
}

test('all addresses of other machines without TLS are refused together, and accepted if their hosts are allowed', async () => {
  const all = [
    'DATABASE_URL',
    'REDIS_URL',
    'systems.campus.url',
    'systems.school.url',
    'pipelines.spring.writeBack.1.url',
  ]
  const named = (...hosts: string[]) => readConfiguration(file, { ...env, CREDSYNC_ALLOW_PLAIN: hosts.join(', ') })
  expect(await refused(readConfiguration(file, env))).toEqual(all)
  expect(await refused(named('postgres', 'VALKEY'))).toEqual(all.slice(2))
  expect(await refused(named('postgres', 'valkey', 'moodle.example', 'canvas.example', 'hooks.example'))).toEqual([])
  // An allowed name is a whole host name, not a suffix.
  expect(await refused(named('example', 'postgres', 'valkey'))).toEqual(all.slice(2))
})

test('each address of a notice or a heartbeat is refused by its name', async () => {
  const secret = `whsec_${'A'.repeat(32)}`
  const smtp = { host: 'smtp.example', from: 'a@example.org', auth: 'oauth2', user: 'u', clientId: 'c' }
  const tokens = { clientSecret: 's', refreshToken: 'r', tokenUrl: 'http://tokens.example' }
  const to = {
    chat: { slack: 'http://slack.example' },
    room: { teams: 'http://teams.example' },
    watch: { webhook: 'http://hook.example', secret },
  }
  const given = {
    ...goodFile,
    notify: { smtp: { ...smtp, ...tokens }, to },
    heartbeat: { url: 'http://beat.example' },
  }
  expect(await refused(readConfiguration(given))).toEqual([
    ...['notify.smtp.tokenUrl', 'notify.to.chat.slack', 'notify.to.room.teams', 'notify.to.watch.webhook'],
    'heartbeat.url',
  ])
})

test('addresses without TLS are reported even if the file has other errors', async () => {
  const { token: _, ...tokenless } = file.systems.campus
  const faulty = {
    ...file,
    systems: { ...file.systems, campus: tokenless },
    pipelines: { ...file.pipelines, autumn: 1 },
  }
  const error = await refusalOf(readConfiguration(faulty))
  const wanted = ['systems.campus.token', 'pipelines.autumn', 'systems.campus.url', 'systems.school.url']
  for (const where of wanted) expect(sentencesAbout(error, where)).toHaveLength(1)
  expect(sentencesAbout(error, 'pipelines.spring.writeBack.1.url')[0]).toContain('without TLS')
  // An error in the environment does not hide one in the file, and an invalid address has only one error.
  const other = { ...file.systems.school, url: 'nonsense' }
  const broken = await refusalOf(
    readConfiguration({ ...file, systems: { school: other } }, { ...env, DATABASE_URL: 'nonsense' }),
  )
  expect(sentencesAbout(broken, 'systems.school.url')).toHaveLength(1)
  expect(sentencesAbout(broken, 'pipelines.spring.writeBack.1.url')).toHaveLength(1)
})

test.each(['redis://127.0.0.1:6379/3', 'redis://localhost', 'redis:///3', 'rediss://redis.example'])(
  'Redis at %s is accepted',
  async (url) => {
    const local = { ...goodEnv, DATABASE_URL: 'postgres://localhost/x', REDIS_URL: url }
    expect(await refused(readConfiguration(goodFile, local))).toEqual([])
  },
)

test('the allowed hosts must be hosts, not URLs', async () => {
  const wrong = readConfiguration(goodFile, { ...goodEnv, CREDSYNC_ALLOW_PLAIN: 'https://moodle.example' })
  expect(sentencesAbout(await refusalOf(wrong), 'CREDSYNC_ALLOW_PLAIN')[0]).toContain('is not a list of hosts')
})

test.each([
  ['Redis.Example', 'redis://redis.example'],
  ['2001:db8::1', 'redis://[2001:db8::1]'],
])('the host %s is allowed for %s', async (CREDSYNC_ALLOW_PLAIN, REDIS_URL) => {
  const given = { ...goodEnv, DATABASE_URL: 'postgres://localhost/x', REDIS_URL, CREDSYNC_ALLOW_PLAIN }
  const faults = await readConfiguration(goodFile, given).then(
    () => [],
    (error: SettingsError) => error.faults.map(({ sentence }) => sentence),
  )
  expect(faults.filter((sentence) => sentence.includes('without TLS'))).toEqual([])
})

test.each(['', 'localhost', undefined])('a mail server %j is no other machine', async (host) => {
  const smtp = { host, from: 'a@example.org', tls: 'none' }
  const error = await refusalOf(readConfiguration({ ...goodFile, notify: { smtp, to: {} }, log: { level: 'loud' } }))
  expect(sentencesAbout(error, 'notify.smtp.tls')).toEqual([])
})
