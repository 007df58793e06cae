// Compares what the code promises with a file of this folder or, with CREDSYNC_TEST_WRITE_CONTRACT=1, writes it there.

import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { compareContract } from './compare-contract.ts'

const root = resolve(import.meta.dirname, '../../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')

/** Fails if the promises differ from those in the file, and says what to do. */
export function expectContract(name: 'names.txt' | 'json.txt', promises: readonly string[]): void {
  const path = join(import.meta.dirname, name)
  const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, each = '']) => each)
  const { text, ...difference } = compareContract(readFileSync(path, 'utf8'), promises, { version, released })
  if (process.env.CREDSYNC_TEST_WRITE_CONTRACT && difference.refusals.length === 0) writeFileSync(path, text)
  else expect(difference, whatToDo).toEqual({ added: [], removed: [], refusals: [] })
}

const whatToDo =
  'Scripts rely on what test/repository/contract lists (docs/contract.md). If the difference is intended, do what ' +
  '`refusals` says, write it down with CREDSYNC_TEST_WRITE_CONTRACT=1, and tell users in the CHANGELOG what to do'
