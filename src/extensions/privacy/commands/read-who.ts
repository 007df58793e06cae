// Reads who is to be forgotten or exported: from the arguments, and from a file with one WHO in each line; and how the
// settings tell people apart.

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { App } from '#src/app/app.ts'
import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { UsageError } from '#src/cli/exit-code.ts'
import { findRunId } from '#src/cli/find-run-id.ts'
import type { FieldsOf, Who } from '#src/extensions/privacy/ledger/person-records.ts'

/** The words of the arguments and of the file, each once. @throws UsageError if there are none */
export async function readWhoTexts(cwd: string, given: readonly string[], from: string | undefined): Promise<string[]> {
  const lines = from === undefined ? [] : await readLines(resolve(cwd, from), from)
  const texts = [...new Set([...given, ...lines].map((text) => text.trim()).filter((text) => text !== ''))]
  if (texts.length === 0)
    throw new UsageError(
      'Say who is to be forgotten: an e-mail address, a contact number, a register number, a credential id, an issuance id such as i42, a learner as SYSTEM:NUMBER, or RUN:ROW for a row that is invalid or was skipped; or give a file with one of these in each line (--from FILE).',
    )
  return texts
}

async function readLines(path: string, shown: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '').split(/\r?\n/)
  } catch (error) {
    throw new UsageError(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}).`)
  }
}

/** @throws UsageError if a string is RUN:ROW and there is no such run */
export async function whoOf(ledger: WholeLedger, text: string): Promise<Who> {
  const nobody = { text, issuance: null, row: null, learner: null }
  const [, runText, row] = /^([0-9a-f-]{8,36}):(\d{1,9})$/i.exec(text) ?? []
  if (runText) return { ...nobody, row: { run: await findRunId(ledger, runText), row: Number(row) } }
  const [, id] = /^i(\d{1,15})$/.exec(text) ?? []
  if (id) return { ...nobody, issuance: Number(id) }
  const [, system, learner] = /^([a-z0-9][a-z0-9-]*):(.+)$/.exec(text) ?? []
  return system && learner ? { ...nobody, learner: { system, learner } } : nobody
}

/** By the names in the settings: the service is not asked. */
export function fieldsOfPipelines({ pipelines }: Pick<App, 'pipelines'>): FieldsOf {
  return (name) => {
    const settings = pipelines.find(name)
    if (!settings) return null
    const columns = Object.entries(settings.columns).flatMap(([field, spec]) => {
      const column = typeof spec === 'string' ? spec : 'column' in spec ? spec.column : undefined
      return column === undefined ? [] : [[field, column] as const]
    })
    return { identity: settings.identity ?? [], columns: Object.fromEntries(columns) }
  }
}
