// The settings of notices and heartbeats: what is refused, with which remedy, and where secrets may come
// from.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of the file are tested here

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { fingerprintOf } from '#config/fingerprint.ts'
import {
  goodEnv,
  goodFile,
  goodPipeline,
  readConfiguration,
  refusalOf,
  testFolder,
} from '#test/config/configuration-files.ts'

const smtp = { host: 'smtp.example.edu', from: 'credsync@example.edu' }
const ops = { email: ['ops@example.edu'] }
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const withNotify = (notify: object, pipeline: object = {}) => ({
  ...goodFile,
  pipelines: { spring: { ...goodPipeline, ...pipeline } },
  notify,
})

const faultsOf = async (file: object) =>
  (await refusalOf(readConfiguration(file))).faults.map(({ where, sentence }) => `${where} ${sentence}`)

describe('notify', () => {
  test('needs no more than a mail server and an address, and may be left out', async () => {
    expect((await readConfiguration(goodFile)).file.notify).toBeUndefined()
    const { notify } = (await readConfiguration(withNotify({ smtp, to: { ops } }))).file
    expect(notify).toMatchObject({
      smtp: { port: 587, tls: 'starttls', auth: 'none' },
      to: { ops: { on: ['all'] } },
      ...{ group: '15m', remind: '1d', behind: '1d', fileNames: true },
    })
  })

  test.each([
    [{ to: { ops } }, /^notify\.to\.ops\.email needs a mail server; add `notify\.smtp`/],
    [{ smtp, to: { ops: {} } }, /^notify\.to\.ops has no address; give exactly one of email, slack, teams, webhook/],
    [
      { smtp, to: { ops: { ...ops, slack: 'https://hooks.example/x' } } },
      /^notify\.to\.ops has email and slack; give exactly one/,
    ],
    [
      { to: { ops: { webhook: 'https://hooks.example/x' } } },
      /^notify\.to\.ops\.secret is missing; `webhook` needs it/,
    ],
    [{ smtp, to: { ops: { ...ops, secret } } }, /^notify\.to\.ops\.secret has no effect without `webhook`/],
    [
      { smtp, to: { ops: { ...ops, pipelines: ['autumn'] } } },
      /^notify\.to\.ops\.pipelines names "autumn".*it has: spring/,
    ],
    [{ smtp, to: { ops: { ...ops, on: ['everything'] } } }, /^notify\.to\.ops\.on\.0 is not one of summary, .*, all$/],
    [{ smtp: { ...smtp, auth: 'password' }, to: { ops } }, /^notify\.smtp\.user is missing; `auth: password` needs it/],
    [
      { smtp: { ...smtp, auth: 'oauth2', user: 'a' }, to: { ops } },
      /^notify\.smtp\.clientId is missing; `auth: oauth2` needs it/,
    ],
    [
      { smtp: { ...smtp, tls: 'none' }, to: { ops } },
      /^notify\.smtp\.tls leads to another machine without TLS.*Use starttls/,
    ],
    [
      { to: { ops: { slack: 'http://hooks.example/x' } } },
      /^notify\.to\.ops\.slack leads to another machine without TLS/,
    ],
    [
      { smtp: { ...smtp, user: 'credsync', password: 'secret' }, to: { ops } },
      /^notify\.smtp\.password has no effect without `auth`; set `auth: password`/,
    ],
    [
      { smtp: { ...smtp, from: 'credsync@example.edu\r\nBcc: all@example.edu' }, to: { ops } },
      /^notify\.smtp\.from is not an e-mail address/,
    ],
    [
      { smtp, to: { ops: { email: ['Ops <ops@example.edu>'] } } },
      /^notify\.to\.ops\.email\.0 is not an e-mail address/,
    ],
    [{ smtp, to: { ops: { email: ['a@example.edu,b@example.edu'] } } }, /^notify\.to\.ops\.email\.0 is not an e-mail/],
    ...['ftp', 'xhttps', 'httpsx'].flatMap((scheme): [object, RegExp][] => [
      [{ to: { ops: { slack: `${scheme}://hooks.example/x` } } }, /^notify\.to\.ops\.slack is not an https/],
      [
        { smtp: { ...smtp, auth: 'oauth2', tokenUrl: `${scheme}://tokens.example` }, to: { ops } },
        /^notify\.smtp\.tokenUrl /,
      ],
    ]),
    ...['user', 'clientId', 'clientSecret', 'refreshToken', 'tokenUrl'].map((name): [object, RegExp] => [
      { smtp: { ...smtp, auth: 'oauth2' }, to: { ops } },
      new RegExp(`^notify\\.smtp\\.${name} is missing; \`auth: oauth2\` needs it`),
    ]),
    [{ smtp, to: { ops }, remind: '1ms' }, /^notify\.remind is out of bounds; write at least 5m and at most 365d$/],
    [{ smtp, to: { ops }, remind: '366d' }, /^notify\.remind is out of bounds/],
    [{ smtp, to: { ops }, group: '999999999d' }, /^notify\.group is out of bounds; write at least 1ms and at most 7d$/],
    [{ smtp, to: { ops }, behind: '59s' }, /^notify\.behind is out of bounds; write at least 1m and at most 365d$/],
    [{ smtp, to: { ops }, group: 'soon' }, /^notify\.group is not a duration/],
  ])('is refused with a remedy: %j', async (notify, sentence) => {
    expect(await faultsOf(withNotify(notify))).toContainEqual(expect.stringMatching(sentence))
  })

  test.each<[object, string[]]>([
    [{ smtp: { ...smtp, host: 'a b', auth: 'password' } }, ['smtp.host', 'smtp.user', 'smtp.password']],
    [{ smtp: { ...smtp, auth: 'constructor' } }, ['smtp.auth']],
    [{ smtp: { ...smtp, auth: null, password: 'x' } }, ['smtp.auth']],
    [{ smtp: null }, ['smtp']],
    [{ smtp: 'smtp.example.edu' }, ['smtp']],
    [{ to: { ops: null } }, ['to.ops']],
    [{ to: { ops: 'ops@example.edu' } }, ['to.ops']],
    [{ to: { ops: { email: ['nonsense'], slack: 'https://hooks.example/x' } } }, ['to.ops.email.0', 'to.ops']],
    ...['ftp', 'xhttps', 'httpsx'].map((scheme): [object, string[]] => [
      { console: `${scheme}://dashboard.example` },
      ['console'],
    ]),
  ])('is refused for all of its faults together, and no others: %j', async (faulty, places) => {
    const { faults } = await refusalOf(readConfiguration(withNotify({ smtp, to: { ops }, ...faulty })))
    expect(faults.map(({ where }) => where)).toEqual(places.map((place) => `notify.${place}`))
  })

  test.each(['http', 'https'])('links to a dashboard by %s', async (scheme) => {
    const address = `${scheme}://dashboard.example`
    const { file } = await readConfiguration(withNotify({ smtp, to: { ops }, console: address }))
    expect(file.notify?.console).toBe(address)
  })

  test('accepts the pipelines that exist, and names all if one does not', async () => {
    await readConfiguration(withNotify({ smtp, to: { ops: { ...ops, pipelines: ['spring'] } } }))
    const file = withNotify({ smtp, to: { ops: { ...ops, pipelines: ['winter'] } } })
    const pipelines = { ...file.pipelines, autumn: goodPipeline }
    expect((await faultsOf({ ...file, pipelines }))[0]).toMatch(/it has: spring, autumn$/)
  })

  test.each(['ftp', 'xhttps', 'httpsx'])('a heartbeat by %s is refused', async (scheme) => {
    const heartbeat = { url: `${scheme}://beat.example` }
    expect((await faultsOf({ ...goodFile, heartbeat }))[0]).toMatch(/^heartbeat\.url /)
  })

  test('keeps its secrets out of errors and of the hash of the settings', async () => {
    const planted = 'planted-secret'
    const url = `https://hooks.example/${planted}`
    const error = await refusalOf(
      readConfiguration(
        withNotify({ smtp: { ...smtp, password: planted, tls: planted }, to: { ops: { slack: url, teams: url } } }),
      ),
    )
    expect(error.message + inspect(error)).not.toContain(planted)
    const read = async (part: string) => {
      const login = { auth: 'password', user: 'a', password: part }
      const file = withNotify({ smtp: { ...smtp, ...login }, to: { slack: { slack: `${url}/${part}` } } })
      return fingerprintOf(await readConfiguration({ ...file, heartbeat: { url: `https://beat.example/${part}` } }))
    }
    expect(await read('one')).toBe(await read('two'))
    const other = withNotify({ smtp, to: { ops: { ...ops, on: ['person'] } } })
    expect(fingerprintOf(await readConfiguration(other))).not.toBe(
      fingerprintOf(await readConfiguration(withNotify({ smtp, to: { ops } }))),
    )
  })

  test('takes secrets from the environment, and from mounted files', async () => {
    const folder = await testFolder()
    await writeFile(join(folder, 'slack'), 'https://hooks.example/services/T/B/x\n')
    const file = withNotify({ to: { ops: { slack: '${SLACK_URL}' }, hook: { webhook: '${HOOK}', secret } } })
    const env = { ...goodEnv, SLACK_URL_FILE: join(folder, 'slack'), HOOK: 'https://alerts.example/' }
    const { to } = (await readConfiguration(file, env)).file.notify ?? {}
    expect(to).toMatchObject({
      ops: { slack: 'https://hooks.example/services/T/B/x' },
      hook: { webhook: 'https://alerts.example/' },
    })
    const missing = await refusalOf(readConfiguration(file, { ...env, SLACK_URL_FILE: join(folder, 'none') }))
    expect(missing.message).toContain('SLACK_URL_FILE: names a file that cannot be read')
  })
})

test.each([
  ['1ms', /^heartbeat\.every is out of bounds; write at least 15s and at most 1d$/],
  ['2d', /^heartbeat\.every is out of bounds/],
])('a heartbeat every %s is refused', async (every, sentence) => {
  expect(await faultsOf({ ...goodFile, heartbeat: { url: 'https://beat.example/1', every } })).toEqual([
    expect.stringMatching(sentence),
  ])
})

test('the bounds of durations are allowed', async () => {
  const notify = { smtp, to: { ops }, group: '7d', remind: '5m', behind: '1m' }
  const file = {
    ...withNotify(notify, { expect: { within: '3650d' } }),
    heartbeat: { url: 'https://beat.example/1', every: '15s' },
  }
  expect((await readConfiguration(file)).file).toMatchObject({ notify: { group: '7d', remind: '5m', behind: '1m' } })
})
