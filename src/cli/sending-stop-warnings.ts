// Compares the ledger with the mark in the data directory, for commands that only read: the worker that would stop
// sending may not be running.

import { howToResume } from '#src/ledger/attempts/sending-stopped-message.ts'
import { doubtOf } from '#src/ledger/attempts/sending-stops.ts'
import { keepInFile } from '#src/ledger/mark/keep-in-file.ts'
import type { LedgerReading } from './open-ledger-for-reading.ts'

/**
 * Returns a sentence for each environment that would send nothing although no stop is recorded yet. The mark in Redis
 * is not read, because these commands open only the database.
 * @param stopped environments that are already stopped and reported separately
 */
export async function sendingStopWarnings(reading: LedgerReading, stopped: readonly string[]): Promise<string[]> {
  const { ledger, database, dataDir } = reading
  const { where, read } = keepInFile(dataDir, async () => {})
  const marksFile = await read()
  const marks = marksFile.marks.filter((mark) => mark.ledger === ledger.id && !stopped.includes(mark.environment))
  const lines: string[] = []
  for (const mark of marks) {
    const witness = { where, mark, other: null, isUnreadable: false }
    const { doubt } = await doubtOf(database, mark.environment, [witness])
    if (doubt) lines.push(`Nothing will be sent for ${mark.environment}: ${doubt}. ${howToResume}.`)
  }
  if (marksFile.isUnreadable)
    lines.push(`${where} cannot be parsed; \`credsync check\` shows whether anything can be sent.`)
  return lines
}
