// The lines about source files in which forgotten people stand.

import { expect, test } from 'vitest'
import { sourceFileLines } from '#src/extensions/privacy/commands/erasure-lines.ts'
import type { ListedSource } from '#src/extensions/privacy/ledger/files-to-clean.ts'

const filed = { run: 'r', path: '/inbox/done/list.csv', filedAt: new Date('2026-05-06T12:00:00Z') }

test.each<[ListedSource, Parameters<typeof sourceFileLines>[1], string]>([
  [filed, 30, 'goes on 2026-06-05 or soon after'],
  [filed, undefined, 'kept for ever, because files.keepDays is not set'],
  [filed, 'unread', 'filed on 2026-05-06; files.keepDays says how long it is kept'],
  [
    { ...filed, path: '/data/uploads/00000000-0000-4000-8000-000000000000/list/list.csv', filedAt: null },
    30,
    'uploaded to the console: goes by itself once its run has read it',
  ],
  [{ ...filed, path: '/home/ada/list.csv', filedAt: null }, 30, 'not in an inbox: delete it yourself'],
])('a source file says when it goes', (file, days, words) => {
  expect(sourceFileLines([file], days)).toEqual([
    'Not ours to change, and still showing them: the credential service, and these source files:',
    `  ${file.path} (${words})`,
    '  Lists that were refused, or that wait for a decision, are not searched: look in their files.',
  ])
  expect(sourceFileLines([], days)).toEqual([])
})
