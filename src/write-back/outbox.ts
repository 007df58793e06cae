// Where results go: a folder of the data directory. File names are made of the source's name for people and the run's id for
// certainty; the source's name is only ever text, never a path.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openTableWriter, type TableWriter } from '#src/sources/table-writer.ts'

export interface Outbox {
  /**
   * Opens a table of the run. It replaces an earlier one of its kind when it is closed, and not before.
   * @throws TableWriteError; and what making the folder throws
   */
  open(
    run: { id: string; sourceName: string },
    table: { kind: 'results' | 'invalid'; format: 'csv' | 'xlsx'; header: string[] },
  ): Promise<TableWriter & { path: string }>
}

export function openOutbox(dataDir: string): Outbox {
  const folder = join(dataDir, 'outbox')
  return {
    async open(run, { kind, format, header }) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${safeName(run.sourceName)}.${run.id.slice(0, 8)}.${kind}.${format}`)
      return { ...(await openTableWriter(path, { format, header })), path }
    },
  }
}

const mostNameBytes = 120

export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
  return shortened(plain) || 'source'
}

/** File systems count bytes and take 255: a name of 80 Devanagari letters with our ending was too long. Never cuts a letter in two. */
function shortened(name: string): string {
  let kept = ''
  for (const letter of name) {
    if (Buffer.byteLength(kept + letter) > mostNameBytes) break
    kept += letter
  }
  return kept
}
