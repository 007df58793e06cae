// Lists the source files in which forgotten people stand. They belong to whoever dropped them, so they are not changed.
// Pure.

import { basename, dirname } from 'node:path'
import type { ListedSource } from '#src/ledger/erasure/erased-files.ts'

const dayMs = 86_400_000

/** The setting `files.keepDays`; `unread` where no configuration is read. */
type KeepDays = number | 'unread' | undefined

export function sourceFileLines(files: readonly ListedSource[], keepDays: KeepDays): string[] {
  if (files.length === 0) return []
  return [
    'Not ours to change, and still showing them: the credential service, and these source files:',
    ...files.map((file) => `  ${file.path} (${whenItGoes(file, keepDays)})`),
    '  Lists that were refused, or that wait for a decision, are not searched: look in their files.',
  ]
}

/** The folder of a list that was uploaded to the console. */
const uploadFolder = /[\\/]uploads[\\/][0-9a-f-]{36}[\\/]list$/

function whenItGoes({ path, filedAt }: ListedSource, keepDays: KeepDays): string {
  if (uploadFolder.test(dirname(path))) return 'uploaded to the console: goes by itself once its run has read it'
  if (!['done', 'refused'].includes(basename(dirname(path)))) return 'not in an inbox: delete it yourself'
  if (keepDays === undefined) return 'kept for ever, because files.keepDays is not set'
  if (!filedAt) return 'once its run has ended'
  if (keepDays === 'unread') return `filed on ${dayOf(filedAt, 0)}; files.keepDays says how long it is kept`
  return `goes on ${dayOf(filedAt, keepDays)} or soon after`
}

const dayOf = (date: Date, daysLater: number) =>
  new Date(new Date(date).getTime() + daysLater * dayMs).toISOString().slice(0, 10)
