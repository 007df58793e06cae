// The file that lists erasures outside the ledger: a backup brings forgotten people back, and only this file knows. It
// holds keyed hashes and ids, no personal data, and is only ever appended to. Reads and writes the file only.

import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { RecordedErasure } from '#src/extensions/privacy/ledger/recorded-erasures.ts'
import { flushFolder } from '#src/files/tables/make-folders.ts'

const hash = z.string().regex(/^([0-9a-f]{2})+$/)

const recordedErasure: z.ZodType<RecordedErasure> = z.object({
  // First, so that a line that was cut short can still be found.
  erasure: z.uuid(),
  ledger: z.uuid(),
  environment: z.string(),
  at: z.iso.datetime(),
  revokes: z.boolean(),
  releases: z.boolean(),
  issuances: z.array(z.object({ course: z.string(), key: hash })),
  rows: z.array(z.object({ run: z.uuid(), row: z.int() })),
  completions: z.array(
    z.object({ system: z.string(), pipeline: z.string(), course: z.string(), learner: z.string(), at: z.string() }),
  ),
})

export interface ErasuresFile {
  path: string
  /** Reads all lines, of every ledger. @throws ErasuresUnreadableError */
  read(): Promise<ErasureLines>
  /** Appends those erasures that the file does not list yet, and flushes them to disk. */
  append(erasures: readonly RecordedErasure[]): Promise<void>
}

export interface ErasureLines {
  erasures: RecordedErasure[]
  /** The numbers of lines that cannot be read, unless they were written again after a kill. */
  damaged: number[]
  /** Whether the last line was cut short, as by a kill. */
  isCutShort: boolean
}

/** Nobody can tell whether the ledger has brought people back. Its message says what to do. */
export class ErasuresUnreadableError extends Error {
  override readonly name = 'ErasuresUnreadableError'
}

export const erasuresFile = (dataDir: string) => join(dataDir, 'erasures.jsonl')

/** @param makeFolder creates the data directory if it does not exist */
export function openErasuresFile(dataDir: string, makeFolder: () => Promise<void>): ErasuresFile {
  const path = erasuresFile(dataDir)
  return {
    path,
    read: async () => parseErasures(await readText(path)),
    async append(erasures) {
      const text = await readText(path)
      const listed = new Set(parseErasures(text).erasures.map(({ erasure }) => erasure))
      const lines = erasures.filter(({ erasure }) => !listed.has(erasure)).map((each) => `${JSON.stringify(each)}\n`)
      if (lines.length === 0) return
      await makeFolder()
      // Ends a line that was cut short before the next one begins.
      const separator = text === '' || text.endsWith('\n') ? '' : '\n'
      await using file = await open(path, 'a', 0o600)
      await file.writeFile(separator + lines.join(''))
      await file.sync()
      await flushFolder(dirname(path))
    },
  }
}

/** Pure. */
function parseErasures(text: string): ErasureLines {
  const lines = text.split('\n')
  const parsed = lines.map(readLine)
  const damaged = lines.flatMap((line, at) => {
    if (line === '' || parsed[at]) return []
    // A kill cuts a line short, and the worker that comes next writes the same line again.
    const wasRepeated = lines.some((other, later) => later > at && parsed[later] && other.startsWith(line))
    return wasRepeated ? [] : [at + 1]
  })
  const isCutShort = damaged.at(-1) === lines.length
  return {
    erasures: parsed.filter((each) => each !== null),
    damaged: isCutShort ? damaged.slice(0, -1) : damaged,
    isCutShort,
  }
}

function readLine(line: string): RecordedErasure | null {
  try {
    return recordedErasure.parse(JSON.parse(line))
  } catch {
    return null
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new ErasuresUnreadableError(
      `${path} cannot be read (${code}). Give the account of this process permission to read it. Do not remove it: it shows whether a restored ledger has brought back people who were forgotten.`,
      { cause: error },
    )
  }
}
