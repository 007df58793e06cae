// Write back: what became of each row is told to where it came from. For a file that is a results file beside it in the outbox.

import { done, type Verdict } from '#src/queue/verdict.ts'
import { openTableWriter } from '#src/sources/table-writer.ts'
import { invalidHeader, invalidLine, resultHeader, resultLine } from '#src/write-back/lines.ts'
import { resultFormat } from '#src/write-back/result-format.ts'
import type { Tools } from './tools.ts'

type WriteBackTools = Pick<Tools, 'ledger' | 'outbox' | 'log'>

export async function writeBack(tools: WriteBackTools, { runId }: { runId: string }): Promise<Verdict> {
  const version = await tools.ledger.wantedVersion(runId)
  if (version === null) return done()
  await writeResults(tools, runId)
  await tools.ledger.noteTold(runId, version)
  return done()
}

/** Every row of the source, in its order, with what became of it. Keyed by the ledger's rows, never by position in an answer. */
async function writeResults({ ledger, outbox, log }: WriteBackTools, runId: string): Promise<void> {
  const run = await ledger.findRun(runId)
  if (run?.state !== 'published' || !run.header) return
  const format = resultFormat(run)
  const path = await outbox.pathFor(run, `results.${format}`)
  const writer = await openTableWriter(path, { format, header: resultHeader(run.header) })
  const width = run.header.length
  try {
    await ledger.readResultRows(runId, ['accepted', 'skipped', 'invalid'], async (rows) => {
      for (const row of rows) await writer.write(resultLine(row, width))
    })
    await writer.close()
  } catch (error) {
    await writer.abort()
    throw error
  }
  await ledger.noteRunPaths(runId, { results: path })
  log.event('results.written', { run: runId, rows: run.rows })
}

/** The rows that were not taken, each with its rule and what to do, ready to be mended and issued again. */
export async function writeInvalidRows(
  { ledger, outbox }: Pick<Tools, 'ledger' | 'outbox'>,
  runId: string,
): Promise<void> {
  const run = await ledger.findRun(runId)
  if (!run?.header || run.invalid === 0) return
  const format = resultFormat(run)
  const path = await outbox.pathFor(run, `invalid.${format}`)
  const writer = await openTableWriter(path, { format, header: invalidHeader(run.header) })
  const width = run.header.length
  try {
    await ledger.readResultRows(runId, ['invalid'], async (rows) => {
      for (const row of rows) await writer.write(invalidLine(row, width))
    })
    await writer.close()
  } catch (error) {
    await writer.abort()
    throw error
  }
  await ledger.noteRunPaths(runId, { invalid: path })
}
