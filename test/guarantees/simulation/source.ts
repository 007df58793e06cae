// The source of a simulation: submits lists of recipients, and collects all results reported about them.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { textOf } from '#src/files/tables/table-cell.ts'
import { openRowCheck } from '#src/issuing/intake/row-check.ts'
import type { Outbox } from '#src/issuing/results/outbox.ts'

export interface ReportedRow {
  email: string
  status: string
  credentialId: string
}

export interface Source {
  /** Submits a list of people by their numbers, all at once, as reading a file does. */
  submit(name: string, people: readonly number[]): Promise<void>
  /** Results are written here instead of to files. */
  outbox: Outbox
  /** Called with each line of each results file when the file is closed. */
  onReported: (row: ReportedRow) => void
}

export const emailOf = (person: number) => `person.${person}@example.org`
const header = ['Email', 'First Name', 'Last Name']

export function openSource(
  ledger: WholeLedger,
  course: string,
  fields: Parameters<typeof openRowCheck>[0]['fields'],
): Source {
  const source: Source = {
    async submit(name, people) {
      const file = { pipeline: 'spring', sourceName: name, sourcePath: `/inbox/${name}`, sourceSha256: name }
      const { run } = await ledger.runs.receive(file)
      const pipeline = { columns: { 'Primary Value': { value: 'Email' } }, identity: [], occurrence: [] }
      const check = openRowCheck({ pipeline, fields, header, course, hasher: ledger.hasher })
      await ledger.intake.clear(run.id)
      const rows = people.map((person, index) =>
        check.row({ row: index + 2, cells: [emailOf(person), `Ada${person}`, 'Lovelace'] }),
      )
      await ledger.intake.stage(run.id, rows)
      await ledger.intake.publish(run.id, { courseUuid: course, format: 'csv', header, notices: [] }, rows.length)
    },
    onReported: () => {},
    outbox: {
      async summarize() {},
      pathFor: async () => '/outbox',
      async open(run, { kind, header: columns }) {
        const lines: string[][] = []
        const at = (line: readonly string[], column: string) => line[columns.indexOf(column)] ?? ''
        return {
          path: `/outbox/${run.id}.${kind}`,
          async write(cells) {
            lines.push(cells.map(textOf))
          },
          async close() {
            if (kind === 'results')
              for (const line of lines)
                source.onReported({
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
