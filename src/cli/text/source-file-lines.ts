// Lists the source files in which forgotten people stand. They belong to whoever dropped them, so they are not changed.
// Pure.

import { basename, dirname } from 'node:path'
import type { ListedSource } from '#src/ledger/erasure/erased-files.ts'

const dayMs = 86_400_000

/** @param keepDays the setting `files.keepDays` */
export function sourceFileLines(files: readonly ListedSource[], keepDays: number | undefined): string[] {
  if (files.length === 0) return []
  return [
    'Not ours to change, and still showing them: the credential service, and these source files:',
    ...files.map((file) => `  ${file.path} (${whenItGoes(file, keepDays)})`),
  ]
}

function whenItGoes({ path, filedAt }: ListedSource, keepDays: number | undefined): string {
  if (!['done', 'refused'].includes(basename(dirname(path)))) return 'not in an inbox: delete it yourself'
  if (keepDays === undefined) return 'kept for ever, because files.keepDays is not set'
  if (!filedAt) return 'once its run has ended'
  return `goes on ${new Date(new Date(filedAt).getTime() + keepDays * dayMs).toISOString().slice(0, 10)} or soon after`
}
