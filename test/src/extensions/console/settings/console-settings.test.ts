// The settings of the console: what is refused, with which remedy.

import { describe, expect, test } from 'vitest'
import { fingerprintOf } from '#config/fingerprint.ts'
import { goodFile, goodPipeline, readConfiguration, refusalOf } from '#test/config/configuration-files.ts'

const url = 'https://credentials.example.edu/credsync'
const secret = 'a secret of at least 24 characters'
const operators = [{ of: 'it', role: 'operator' }]
const proxy = { secret, grants: operators }
const oidc = { issuer: 'https://login.example.edu', clientId: 'credsync', clientSecret: 'x', grants: operators }
const withConsole = (settings: object) => ({ ...goodFile, console: settings })

const faultsOf = async (file: object) =>
  (await refusalOf(readConfiguration(file))).faults.map(({ where, sentence }) => `${where} ${sentence}`)

describe('console', () => {
  test('is off unless it is configured, and needs nothing on this machine', async () => {
    expect((await readConfiguration(goodFile)).file.console).toBeUndefined()
    const { console: settings } = (await readConfiguration(withConsole({}))).file
    expect(settings).toMatchObject({ host: '127.0.0.1', port: 8081, timeZone: 'UTC', auth: { local: true } })
  })

  test.each<[object, RegExp]>([
    [{ host: '0.0.0.0' }, /^console\.url is missing; the console listens on 0\.0\.0\.0/],
    [{ url: `${url}?x=1` }, /^console\.url has a query, a fragment or credentials/],
    [
      { url: 'http://credentials.example.edu' },
      /^console\.url leads to another machine without TLS.*Begin it with https/,
    ],
    [{ timeZone: 'Berlin' }, /^console\.timeZone is not a time zone/],
    [{ url, trustedProxies: ['0.0.0.0/0'] }, /^console\.trustedProxies\.0 is neither an address/],
    [{ url, auth: { proxy } }, /^console\.trustedProxies is empty; `auth\.proxy` needs/],
    [
      { url, trustedProxies: ['10.0.0.1'], auth: { proxy: { secret: 'short', grants: operators } } },
      /^console\.auth\.proxy\.secret is shorter than 24 characters/,
    ],
    [{ auth: { oidc } }, /^console\.url is missing; `auth\.oidc` needs/],
    [{ url, auth: { oidc: { ...oidc, grants: [] } } }, /^console\.auth\.oidc\.grants is empty/],
    ...['https://ada:secret@login.example.edu', 'https://login.example.edu?realm=staff'].map(
      (issuer) =>
        [
          { url, auth: { oidc: { ...oidc, issuer } } },
          /^console\.auth\.oidc\.issuer has a query, a fragment or credentials; write only https:\/\/host\/path$/,
        ] as [object, RegExp],
    ),
    [
      { url, auth: { oidc: { ...oidc, issuer: 'http://login.example.edu' } } },
      /^console\.auth\.oidc\.issuer leads to another machine without TLS/,
    ],
    [
      { url, auth: { oidc: { ...oidc, grants: [{ of: 'registry', role: 'registrar' }] } } },
      /^console\.auth\.oidc\.grants\.0\.pipelines is missing; a registrar sees only its own/,
    ],
    [
      { url, auth: { oidc: { ...oidc, grants: [{ of: 'it', role: 'operator', pipelines: ['spring'] }] } } },
      /^console\.auth\.oidc\.grants\.0\.pipelines has no effect/,
    ],
    [
      { url, auth: { oidc: { ...oidc, grants: [{ of: 'x', role: 'viewer', pipelines: ['autumn'] }] } } },
      /^console\.auth\.oidc\.grants\.0\.pipelines names "autumn".*it has: spring/,
    ],
    [{ auth: { local: false } }, /^console\.auth lets nobody sign in/],
    ...[`${url}#top`, 'https://me@credentials.example.edu', 'https://:pass@credentials.example.edu'].map(
      (address): [object, RegExp] => [{ url: address }, /^console\.url has a query, a fragment or credentials/],
    ),
    ...['ftp', 'xhttps', 'httpsx'].flatMap((scheme): [object, RegExp][] => [
      [{ url: `${scheme}://credentials.example.edu` }, /^console\.url is not an https:\/\/ address/],
      [
        { url, auth: { oidc: { ...oidc, issuer: `${scheme}://login.example.edu` } } },
        /^console\.auth\.oidc\.issuer is not an https:\/\/ address/,
      ],
    ]),
    [{ host: 7 }, /^console\.host is not text/],
    [{ auth: null }, /^console\.auth is not a group of settings$/],
    [{ url, trustedProxies: null, auth: { proxy } }, /^console\.trustedProxies is not a list$/],
  ])('refuses %j', async (settings, fault) => {
    expect(await faultsOf(withConsole(settings))).toEqual([expect.stringMatching(fault)])
  })

  test.each<[string, object]>([
    ['an address for people, on any host', { host: '0.0.0.0', url }],
    [
      'a proxy whose secret has 24 characters',
      { url, trustedProxies: ['10.0.0.1'], auth: { proxy: { ...proxy, secret: 'x'.repeat(24) } } },
    ],
    [
      'a registrar of a pipeline that exists',
      { url, auth: { oidc: { ...oidc, grants: [{ of: 'registry', role: 'registrar', pipelines: ['spring'] }] } } },
    ],
  ])('accepts %s', async (_, settings) => {
    expect((await readConfiguration(withConsole(settings))).file.console).toMatchObject(settings)
  })

  test('names all pipelines if a grant names one that does not exist', async () => {
    const grants = [{ of: 'x', role: 'viewer', pipelines: ['winter'] }]
    const pipelines = { ...goodFile.pipelines, autumn: goodPipeline }
    const file = { ...withConsole({ url, auth: { oidc: { ...oidc, grants } } }), pipelines }
    expect(await faultsOf(file)).toEqual([expect.stringMatching(/it has: spring, autumn$/)])
  })

  test('may differ from one worker to the next', async () => {
    const [without, one] = [
      await readConfiguration(goodFile),
      await readConfiguration(withConsole({ url, auth: { oidc } })),
    ]
    expect(fingerprintOf(one)).toBe(fingerprintOf(without))
  })
})
