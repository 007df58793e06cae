// A run that continues believes only verdicts about the same code and the same tests.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { codeDigest } from './journal.ts'

test.each(['src/issuing/brake.ts', 'test/src/brake.test.ts', 'config/new.ts'])(
  'a change in %s makes earlier verdicts worthless',
  (file) => {
    const root = mkdtempSync(join(tmpdir(), 'credsync-digest-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    for (const folder of ['src/issuing', 'test/src', 'config']) mkdirSync(join(root, folder), { recursive: true })
    for (const name of ['src/issuing/brake.ts', 'test/src/brake.test.ts']) writeFileSync(join(root, name), 'one')
    const before = codeDigest(root)
    expect(codeDigest(root)).toBe(before)
    writeFileSync(join(root, file), 'two')
    expect(codeDigest(root)).not.toBe(before)
  },
)
