// Describes a dry run in lines for people. Pure.

import type { DryRunDocument } from '#src/issuing/intake/dry-run-document.ts'
import { countOf, problemLines } from '#src/issuing/results/run-summary.ts'
import { safeName } from '#src/platform/text.ts'
import { formatDuration } from '#src/platform/time/duration.ts'

/** The maximum number of characters of a value in the table of recipients. */
const maxValueLength = 28
const imageLabel = '(image)'

export function dryRunLines(document: DryRunDocument): string[] {
  return [
    `Dry run of ${document.source} for ${document.pipeline}: nothing was sent and nothing was stored.`,
    `  ${countOf(document.rows, 'row')}: ${document.new} new, ${document.known} already known, ${document.changed} changed, ${document.duplicates} twice in the file, ${document.notMeant > 0 ? `${document.notMeant} not meant, ` : ''}${document.invalid} invalid`,
    ...(document.changed > 0
      ? ['  Changed rows differ from the ledger: corrections, which are never issued automatically.']
      : []),
    callsLine(document),
    ...(document.brake ? [`  The brake would stop the run: ${document.brake}`] : []),
    ...(document.reportShows ? [`  The run would wait for an operator: ${document.reportShows}`] : []),
    ...document.notices.map((notice) => `  note: ${notice}`),
    ...problemLines(document.problems),
    ...recipientLines(document.recipients, document.images),
  ]
}

function callsLine({ calls, canary, atLeastMs, limit }: DryRunDocument): string {
  if (calls === 0) return '  no calls'
  const canaryWords = canary ? ', the first with one recipient alone (the course is new or had trouble)' : ''
  return `  ${countOf(calls, 'call')}${canaryWords}, at least ${formatDuration(atLeastMs)} at the limit of ${limit} per second`
}

/** Returns a table with a line per field and a column per recipient, because there are more fields than recipients. */
function recipientLines(
  recipients: readonly Readonly<Record<string, string>>[],
  images: readonly string[] = [],
): string[] {
  if (recipients.length === 0) return []
  const fields = [...new Set(recipients.flatMap((recipient) => Object.keys(recipient)))]
  const names = images.length > 0 ? [...fields, imageLabel] : fields
  const nameWidth = Math.max(...names.map((name) => name.length))
  const cells = recipients.map((recipient, index) => [
    ...fields.map((name) => shortened(recipient[name] ?? '')),
    ...images.slice(index, index + 1).map((image) => shortened(safeName(image, maxValueLength))),
  ])
  const widths = cells.map((column) => Math.max(...column.map((value) => value.length)))
  const subject = recipients.length > 1 ? `first ${recipients.length} recipients` : 'first recipient'
  return [
    `  The ${subject} as the service would receive ${recipients.length > 1 ? 'them' : 'it'}, values masked:`,
    ...names.map((name, row) => {
      const values = cells.map((column, index) => (column[row] ?? '').padEnd(widths[index] ?? 0))
      return `    ${name.padEnd(nameWidth)}  ${values.join('  ')}`.trimEnd()
    }),
  ]
}

function shortened(value: string): string {
  return value.length > maxValueLength ? `${value.slice(0, maxValueLength - 1)}…` : value
}
