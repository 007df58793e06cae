// The people's side of a simulation: lists of recipients that come in, and everything that is told back about them.

import { openRowCheck } from '#src/intake/row-check.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { Outbox } from '#src/write-back/outbox.ts'

export interface Told {
  email: string
  status: string
  credentialId: string
}

export interface Source {
  /** Hands over a list of people by their numbers, as reading a file does: all of it at once. */
  bring(name: string, people: readonly number[]): Promise<void>
  /** Results go here instead of to files. */
  outbox: Outbox
  /** Each line of each results file, when it was written. */
  onTold: (told: Told) => void
}

export const emailOf = (person: number) => `person.${person}@example.org`
const header = ['Email', 'First Name', 'Last Name']

export function openSource(
  ledger: Ledger,
  course: string,
  fields: Parameters<typeof openRowCheck>[0]['fields'],
): Source {
  const source: Source = {
    async bring(name, people) {
      const file = { pipeline: 'spring', sourceName: name, sourcePath: `/inbox/${name}`, sourceSha256: name }
      const { run } = await ledger.receiveRun(file)
      const pipeline = { columns: { 'Primary Value': { value: 'Email' } }, identity: [], occurrence: [] }
      const check = openRowCheck({ pipeline, fields, header, course, hasher: ledger.hasher })
      await ledger.clearStaged(run.id)
      const rows = people.map((person, index) =>
        check.row({ row: index + 2, cells: [emailOf(person), `Ada${person}`, 'Lovelace'] }),
      )
      await ledger.stageRows(run.id, rows)
      await ledger.publishRun(run.id, { courseUuid: course, format: 'csv', header, notices: [] }, rows.length)
    },
    onTold: () => {},
    outbox: {
      async summarize() {},
      async open(run, { kind, header: columns }) {
        const lines: string[][] = []
        const at = (line: readonly string[], column: string) => line[columns.indexOf(column)] ?? ''
        return {
          path: `/outbox/${run.id}.${kind}`,
          async write(cells) {
            lines.push(cells)
          },
          async close() {
            if (kind === 'results')
              for (const line of lines)
                source.onTold({
                  email: at(line, 'Email'),
                  status: at(line, 'status'),
                  credentialId: at(line, 'credential_id'),
                })
          },
          async abort() {},
        }
      },
    },
  }
  return source
}
