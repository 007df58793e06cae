// Which hosts and origins are the console's own, and where its links lead.

import { describe, expect, test } from 'vitest'
import { isFromOwnPage } from '#src/extensions/console/security/http-security.ts'
import { ownAddress } from '#src/extensions/console/security/own-address.ts'
import { withoutBase } from '#src/extensions/console/serve-console.ts'

describe('without an address, the console is used on this machine only', () => {
  const own = ownAddress(undefined, 8081)

  test.each(['127.0.0.1:8081', 'localhost:8081', '[::1]:8081', '127.0.0.2:8081'])('%s is its own', (host) => {
    expect(own.isOwnHost(host)).toBe(true)
  })

  test.each([
    ...[
      'evil.example',
      'evil.example:8081',
      '127.0.0.1',
      '127.0.0.1:8080',
      '192.0.2.7:8081',
      'localhost.evil.example:8081',
    ],
    ...[
      '127.0.0.1:8081@evil.example',
      'evil.example#127.0.0.1:8081',
      '127.0.0.1.evil.example:8081',
      '',
      '127.0.0.1:8081/',
    ],
  ])('%s is not', (host) => {
    expect(own.isOwnHost(host)).toBe(false)
  })

  test('a request without a host is refused', () => {
    expect(own.isOwnHost(undefined)).toBe(false)
  })

  test('only origins of this machine with its port are its own', () => {
    expect(['http://127.0.0.1:8081', 'http://localhost:8081'].map(own.isOwnOrigin)).toEqual([true, true])
    const foreign = ['http://evil.example:8081', 'http://127.0.0.1:8080', 'https://127.0.0.1:8081', 'null', undefined]
    expect(foreign.map(own.isOwnOrigin)).toEqual(foreign.map(() => false))
  })
})

describe('with an address', () => {
  const own = ownAddress('https://credentials.example.edu/credsync/', 8081)

  test('its host is that of the address, in any case and with the usual port', () => {
    const hosts = ['credentials.example.edu', 'CREDENTIALS.example.edu', 'credentials.example.edu:443']
    expect(hosts.map(own.isOwnHost)).toEqual([true, true, true])
  })

  test.each(['127.0.0.1:8081', 'localhost:8081', 'credentials.example.edu:8081', 'example.edu'])(
    '%s is not',
    (host) => {
      expect(own.isOwnHost(host)).toBe(false)
    },
  )

  test('its origin has no path', () => {
    expect(own.isOwnOrigin('https://credentials.example.edu')).toBe(true)
    expect(own.isOwnOrigin('http://credentials.example.edu')).toBe(false)
  })

  test('every link begins with its path', () => {
    expect(own.base).toBe('/credsync')
    expect(own.link('/runs')).toBe('https://credentials.example.edu/credsync/runs')
  })

  test.each([
    ['/credsync/runs?state=open', '/runs?state=open'],
    ['/credsync', '/'],
    ['/credsync?x=1', '/?x=1'],
    ['/runs', '/runs'],
    ['/credsyncing', '/credsyncing'],
  ])('a proxy may pass on %s', (url, path) => {
    expect(withoutBase(url, '/credsync')).toBe(path)
  })
})

describe('a request that changes something', () => {
  const own = ownAddress('https://credentials.example.edu', 8081)
  const origin = 'https://credentials.example.edu'

  test.each<[boolean, string, Record<string, string>]>([
    [true, 'of a page of the console', { 'sec-fetch-site': 'same-origin', origin }],
    [true, 'of a browser that says only the origin', { origin }],
    [false, 'of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [false, 'of another host of the same site', { 'sec-fetch-site': 'same-site', origin }],
    [false, 'that a person typed', { 'sec-fetch-site': 'none' }],
    [false, 'of another origin', { origin: 'https://evil.example' }],
    [false, 'of a frame without an origin', { origin: 'null' }],
    [false, 'of a program that says nothing', {}],
  ])('%s for one %s', (allowed, _, headers) => {
    expect(isFromOwnPage(headers, own)).toBe(allowed)
  })
})
