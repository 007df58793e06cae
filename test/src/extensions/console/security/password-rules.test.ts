// Which passwords are refused, because attackers try them first.

import { expect, test } from 'vitest'
import { passwordFault } from '#src/extensions/console/security/password-rules.ts'

const fault = (password: string, name = 'grace') => passwordFault(password, password, name)

test.each([
  ...['password1234', 'Password123!', '123456789012', 'qwertyuiop12', 'qwerty123456', '1q2w3e4r5t6y', 'iloveyou1234'],
  ...[
    'Welcome12345',
    'letmein12345',
    'administrator',
    'Summer2026!!',
    'P@ssw0rd2026',
    'passwordpassword',
    'changeme1234',
  ],
  ...['aaaaaaaaaaaa', 'abcabcabcabc', '987654321098', 'zaq12wsxcde3', 'unbelievable', 'correcthorsebatterystaple'],
])('%s is refused', (password) => {
  expect(fault(password)).toContain('attackers try first')
})

test.each(['ada-and-bicycles', 'AdaLovelace-xk27', '4d4-and-bicycles', 'my Credsync kite!', 'cr3d5ync kite wv'])(
  '%s is refused for Ada, because a name is in it',
  (password) => {
    expect(fault(password, 'ada.lovelace@example.org')).toContain('your name or that of this program')
  },
)

test.each(['Grace#2099-Uni!', 'gracegrace7429', 'g-r-a-c-e 77 kx', 'cred-sync-2031-kx'])(
  '%s is refused for Grace',
  (password) => {
    expect(fault(password, 'grace@uni.edu')).toContain('your name or that of this program')
  },
)

test.each([
  ...['twelve bicycles and a kite', 'kQ7#vm2xTz9p', 'brisk lantern oath tundra', 'xkvqwmzjtrpb', 'Zoë fährt nach Köln'],
  ...['my dragon loves football on monday', '7302 1986 4450 2817 9931'],
])('%s may be used', (password) => {
  expect(fault(password)).toBeNull()
})

test('what is too short, too long or typed otherwise is refused', () => {
  expect(fault('kQ7#vm2xTz9')).toContain('12 or more')
  expect(fault('kQ7#vm2xTz9p'.repeat(20))).toContain('more than 200')
  expect(passwordFault('kQ7#vm2xTz9p', 'kQ7#vm2xTz9q', 'grace')).toContain('differ')
})
