// A dry run in lines for people. Pure.

import { listNames } from '#src/sources/archive/list-names.ts'
import { formatDuration } from '#src/time/duration.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { problemLines } from '#src/write-back/problem-lines.ts'
import type { RehearsalDocument } from './rehearsal-document.ts'

/** How many characters of a value a column of the small table takes. */
const widestValue = 28
const theirImage = '(image)'

export function rehearsalLines(of: RehearsalDocument): string[] {
  return [
    `Dry run of ${of.source} for ${of.pipeline}: nothing was sent and nothing was kept.`,
    `  ${countOf(of.rows, 'row')}: ${of.new} new, ${of.known} known already, ${of.changed} changed, ${of.duplicates} twice in the file, ${of.invalid} invalid`,
    ...(of.changed > 0
      ? ['  Changed rows have other data than the ledger knows: corrections, which are never issued by themselves.']
      : []),
    callsLine(of),
    ...(of.brake ? [`  The brake would stop it: ${of.brake}`] : []),
    ...of.notices.map((notice) => `  note: ${notice}`),
    ...problemLines(of.problems),
    ...recipientLines(of.recipients, of.images),
  ]
}

function callsLine({ calls, canary, atLeastMs, limit }: RehearsalDocument): string {
  if (calls === 0) return '  no call'
  const alone = canary ? ', the first with one recipient alone (the course is new or had trouble)' : ''
  return `  ${countOf(calls, 'call')}${alone}, at least ${formatDuration(atLeastMs)} at the limit of ${limit} a second`
}

/** A line for each field and a column for each recipient: there are more fields than recipients. */
function recipientLines(
  recipients: readonly Readonly<Record<string, string>>[],
  images: readonly string[] = [],
): string[] {
  if (recipients.length === 0) return []
  const fields = [...new Set(recipients.flatMap((each) => Object.keys(each)))]
  const names = images.length > 0 ? [...fields, theirImage] : fields
  const nameWidth = Math.max(...names.map((name) => name.length))
  const cells = recipients.map((each, index) => [
    ...fields.map((name) => cut(each[name] ?? '')),
    ...images.slice(index, index + 1).map((image) => cut(listNames([image]))),
  ])
  const widths = cells.map((column) => Math.max(...column.map((value) => value.length)))
  const many = recipients.length > 1 ? `first ${recipients.length} recipients` : 'first recipient'
  return [
    `  The ${many} as the service would get ${recipients.length > 1 ? 'them' : 'it'}, values masked:`,
    ...names.map((name, row) => {
      const values = cells.map((column, index) => (column[row] ?? '').padEnd(widths[index] ?? 0))
      return `    ${name.padEnd(nameWidth)}  ${values.join('  ')}`.trimEnd()
    }),
  ]
}

function cut(value: string): string {
  return value.length > widestValue ? `${value.slice(0, widestValue - 1)}…` : value
}
