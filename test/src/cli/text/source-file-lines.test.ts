// The lines about source files in which forgotten people stand.

import { expect, test } from 'vitest'
import { sourceFileLines } from '#src/cli/text/source-file-lines.ts'

const filed = { run: 'r', path: '/inbox/done/list.csv', filedAt: new Date('2026-05-06T12:00:00Z') }

test.each([
  [filed, 30, 'goes on 2026-06-05 or soon after'],
  [filed, undefined, 'kept for ever, because files.keepDays is not set'],
  [{ ...filed, path: '/home/ada/list.csv', filedAt: null }, 30, 'not in an inbox: delete it yourself'],
])('a source file says when it goes', (file, days, words) => {
  expect(sourceFileLines([file], days)).toEqual([
    'Not ours to change, and still showing them: the credential service, and these source files:',
    `  ${file.path} (${words})`,
  ])
  expect(sourceFileLines([], days)).toEqual([])
})
