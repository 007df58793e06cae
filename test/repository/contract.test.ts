// What scripts may rely on (docs/contract.md) does not change without a version that says so.

import { describe, expect, test } from 'vitest'
import { compareContract } from './contract/compare-contract.ts'
import { promisedNames } from './contract/promised-names.ts'
import { expectContract } from './contract/written-contract.ts'

test('the names that scripts use are those that are written down', () => {
  const names = promisedNames()
  const of = (kind: string) => names.filter((name) => name.startsWith(`${kind} `)).length
  // A pattern that no longer matches its file would promise nothing.
  for (const kind of ['command', 'option', 'exit code', 'variable', 'setting', 'value', 'state', 'results column'])
    expect([kind, of(kind) > 5]).toEqual([kind, true])
  for (const kind of [
    'invalid-rows column',
    'rule',
    'log event',
    'log field',
    'metric',
    'webhook member',
    'manifest key',
  ])
    expect([kind, of(kind) > 4]).toEqual([kind, true])
  expectContract('names.txt', names)
})

describe('a contract', () => {
  const compare = (current: string[], version: string, released: string[]) =>
    compareContract('1.0.0 command a\n1.1.0 option a --b\n1.2.0 option a --c\n', current, { version, released })
  const all = ['command a', 'option a --b', 'option a --c']

  test('that is kept demands nothing', () => {
    expect(compare(all, '1.1.0', ['1.1.0'])).toMatchObject({ added: [], removed: [], refusals: [] })
  })

  test.each([
    ['a minor version, after a release', '1.2.0', ['1.0.0', '1.1.0'], /promised since 1.1.0: .* version 2.0.0/],
    ['the next major version', '2.0.0', ['1.1.0', '1.0.0'], null],
    ['a version before any release', '1.2.0', [], null],
  ])('that loses a name in %s', (_, version, released, refusal) => {
    const { removed, refusals, text } = compare(['command a', 'option a --c'], version, released)
    expect(removed).toEqual(['1.1.0 option a --b'])
    expect(refusals).toEqual(refusal ? [expect.stringMatching(refusal)] : [])
    expect(text).toBe('1.0.0 command a\n1.2.0 option a --c\n')
  })

  test('loses a name freely that no release had', () => {
    const { removed, refusals } = compare(all.slice(0, 2), '1.2.0', ['1.1.0'])
    expect([removed, refusals]).toEqual([['1.2.0 option a --c'], []])
  })

  test('gets a name with the version that promises it, which is not a released one', () => {
    const { text, refusals } = compare([...all, 'state new'], '1.2.0', ['1.1.0'])
    expect([text.split('\n').at(-2), refusals]).toEqual(['1.2.0 state new', []])
    expect(compare([...all, 'state new'], '1.2.0', ['1.2.0']).refusals).toEqual([
      expect.stringContaining('raise the version'),
    ])
  })
})
