// How many failed sign-ins are allowed, by name and by address.

import { expect, test } from 'vitest'
import { mostFailures, openSignInLimits, spanMs } from '#src/extensions/console/security/sign-in-limits.ts'
import { networkOf } from '#src/platform/network-of.ts'

const ada = { name: 'ada', address: '192.0.2.7' }

function fail(times: number, tried = ada, from = 0) {
  const limits = openSignInLimits()
  for (let at = 0; at < times; at++) limits.noteFailure(tried, from + at)
  return limits
}

test('five failures of a name from one address are allowed within fifteen minutes', () => {
  expect(fail(mostFailures.pair - 1).waitMs(ada, 10)).toBe(0)
  const limits = fail(mostFailures.pair)
  expect(limits.waitMs(ada, 10)).toBe(spanMs - 10)
  expect(limits.waitMs(ada, spanMs - 1)).toBe(1)
  expect(limits.waitMs(ada, spanMs)).toBe(0)
})

test('somebody else, and the same person elsewhere, may still try', () => {
  const limits = fail(mostFailures.pair)
  expect(limits.waitMs({ ...ada, name: 'grace' }, 10)).toBe(0)
  expect(limits.waitMs({ ...ada, address: '192.0.2.8' }, 10)).toBe(0)
})

test('an address that tries many names is refused for all of them', () => {
  const limits = openSignInLimits()
  for (let at = 0; at < mostFailures.address; at++) limits.noteFailure({ ...ada, name: `name ${at}` }, at)
  expect(limits.waitMs(ada, 100)).toBeGreaterThan(0)
  expect(limits.waitMs({ ...ada, address: '192.0.2.8' }, 100)).toBe(0)
})

test('a name that is tried from many addresses is refused from all of them', () => {
  const limits = openSignInLimits()
  for (let at = 0; at < mostFailures.name; at++) limits.noteFailure({ ...ada, address: `192.0.3.${at}` }, at)
  expect(limits.waitMs(ada, 200)).toBeGreaterThan(0)
})

test('whoever signs in starts anew', () => {
  const limits = fail(mostFailures.pair)
  limits.noteSuccess(ada, 0)
  expect(limits.waitMs(ada, 10)).toBe(0)
})

test('those who sign in are counted neither as failures of their address nor of their name, but the failures of others are', () => {
  const limits = openSignInLimits()
  const signIn = (tried: typeof ada, at: number) => {
    expect(limits.waitMs(tried, at)).toBe(0)
    limits.noteFailure(tried, at)
    limits.noteSuccess(tried, at)
  }
  for (let at = 0; at < mostFailures.name + 1; at++) {
    signIn({ ...ada, name: `name ${at}` }, at)
    signIn({ ...ada, address: `192.0.3.${at}` }, at)
  }
  for (let at = 0; at < mostFailures.address; at++) {
    expect(limits.waitMs({ ...ada, name: 'next' }, 500)).toBe(0)
    signIn({ ...ada, name: `good ${at}` }, 200 + at)
    limits.noteFailure({ ...ada, name: `other ${at}` }, 200 + at)
  }
  expect(limits.waitMs({ ...ada, name: 'next' }, 500)).toBeGreaterThan(0)
})

test('an IPv6 network of a subscriber is one address, however many addresses it has', () => {
  const limits = openSignInLimits()
  for (let at = 0; at < mostFailures.address; at++)
    limits.noteFailure({ name: `name ${at}`, address: `2001:db8:1:2:${at.toString(16)}::${at.toString(16)}` }, at)
  expect(limits.waitMs({ name: 'ada', address: '2001:db8:1:2::1' }, 100)).toBeGreaterThan(0)
  expect(limits.waitMs({ name: 'ada', address: '2001:db8:1:3::1' }, 100)).toBe(0)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['2001:DB8::1:2:3:4:5', '2001:db8:0:1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['unknown', 'unknown'],
])('%s belongs to %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('where a person has signed in before, only the person can use up the tries', () => {
  const limits = openSignInLimits()
  limits.noteFailure(ada, 0)
  limits.noteSuccess(ada, 0)
  for (let at = 0; at < mostFailures.name; at++) limits.noteFailure({ ...ada, address: `192.0.3.${at}` }, at)
  for (let at = 0; at < mostFailures.address; at++) limits.noteFailure({ ...ada, name: `name ${at}` }, at)
  expect(limits.waitMs(ada, 200)).toBe(0)
  expect(limits.waitMs({ ...ada, address: '192.0.2.8' }, 200)).toBeGreaterThan(0)
  for (let at = 0; at < mostFailures.pair; at++) limits.noteFailure(ada, 200 + at)
  expect(limits.waitMs(ada, 300)).toBeGreaterThan(0)
})
