// The data of a credential that shall take another one's place: checked by the course's field list, and of the same person, course and
// occasion. Pure, but for the keyed hashes.

import type { PipelineSettings } from '#config/schema.ts'
import type { Hasher } from '#src/issuance/identity.ts'
import { IdentityError, identify } from '#src/issuance/person.ts'
import type { Correction } from '#src/ledger/revocation.ts'
import { identityRuleOf } from '#src/pipelines/identity-rule.ts'
import { checkRecord } from '#src/recipients/check-record.ts'
import { type Field, isDateField } from '#src/recipients/field.ts'
import { roleOf } from '#src/recipients/field-role.ts'
import { findField, unknownField } from '#src/recipients/find-field.ts'
import { imageColumns } from '#src/recipients/image-column.ts'
import { maskShape, maskValue } from '#src/recipients/mask-value.ts'
import { openRowCheck } from './row-check.ts'

/** Why there can be no such correction; every sentence says what to do. */
export class CorrectionError extends Error {
  override readonly name = 'CorrectionError'
}

type Values = Readonly<Record<string, string>>

export interface Known {
  recipient: Values
  issuanceKey: Buffer
  courseUuid: string
}

export interface CorrectionTools {
  pipeline: Pick<PipelineSettings, 'columns' | 'identity' | 'occurrence' | 'correlation'> &
    Partial<Pick<PipelineSettings, 'batch'>>
  fields: readonly Field[]
  hasher: Hasher
}

/** `Last Name=Byron` and so on. A value may be empty: the field is then left out. @throws CorrectionError for one that names no field */
export function readSettings(texts: readonly string[], fields: readonly Field[]): Values {
  const values: Record<string, string> = Object.create(null)
  for (const text of texts) {
    const at = text.indexOf('=')
    if (at < 1) throw new CorrectionError('Write --set as FIELD=VALUE, such as --set "Last Name=Byron".')
    const name = text.slice(0, at).trim()
    const field = findField(name, fields)
    if (!field) throw new CorrectionError(unknownField(name, fields))
    values[field.displayName] = text.slice(at + 1).trim()
  }
  return values
}

/** @throws CorrectionError when a value breaks a rule, says who the person is, or nothing differs */
export function proposeCorrection(known: Known, change: Values, tools: CorrectionTools): Correction {
  const { recipient, violations } = checkRecord(withoutEmpty({ ...known.recipient, ...change }), tools.fields)
  if (!recipient) throw new CorrectionError(violations.map((each) => each.sentence).join('\n'))
  return identified(known, recipient, tools)
}

/** A row of a source as it would be issued today. */
export interface SourceRowAgain {
  header: readonly string[]
  format: 'csv' | 'xlsx'
  row: number
  cells: readonly string[]
  /** SHA-256 of the image that came with it, where it is another one than before. */
  image?: Buffer | null
}

/** The same from a row of a source, by today's columns. Fields that the row does not fill stay as they are. @throws CorrectionError; PlanError */
export function proposeFromRow(known: Known, again: SourceRowAgain, tools: CorrectionTools): Correction {
  const { header, format, row, cells } = again
  const check = openRowCheck({ ...tools, header, format, course: known.courseUuid })
  // The ledger keeps texts; a workbook's dates stand there as ISO.
  const kinds = cells.map((cell) => (format === 'xlsx' && /^\d{4}-\d{2}-\d{2}$/.test(cell) ? 'date' : 'text'))
  const staged = check.row({ row, cells, kinds } as Parameters<typeof check.row>[0])
  if (!staged.recipient || staged.violations) {
    const sentences = (staged.violations ?? []).map((each) => (each as { sentence?: string }).sentence ?? '')
    throw new CorrectionError(`The row ${row} is not in order today:\n${sentences.join('\n')}`)
  }
  const imageSha256 = again.image ?? null
  const changes = imageSha256 ? [imageColumnOf(header, tools.pipeline.batch?.imageColumn)] : []
  return { ...identified(known, { ...known.recipient, ...staged.recipient }, tools, changes), imageSha256 }
}

/** The title of the column that names the images. */
export function imageColumnOf(header: readonly string[], declared: string | undefined): string {
  const [index] = imageColumns(header, declared)
  return (index === undefined ? undefined : header[index]) ?? 'image'
}

/** @param changes what differs besides the fields of the record */
function identified(
  known: Known,
  recipient: Values,
  { pipeline, fields, hasher }: CorrectionTools,
  changes: readonly string[] = [],
): Correction {
  const changedFields = [...differing(known.recipient, recipient), ...changes]
  if (changedFields.length === 0)
    throw new CorrectionError('Nothing differs from the credential as it is: there is nothing to correct.')
  const { rule, faults } = identityRuleOf(pipeline, fields)
  if (faults.length > 0) throw new CorrectionError(faults.join('\n'))
  try {
    const who = identify(recipient, known.courseUuid, rule, hasher)
    if (!who.issuanceKey.equals(known.issuanceKey)) throw new CorrectionError(somebodyElse(changedFields))
    return { recipient, ...who, changedFields }
  } catch (error) {
    if (error instanceof IdentityError) throw new CorrectionError(error.message)
    throw error
  }
}

function somebodyElse(changed: readonly string[]): string {
  return `With other values for ${changed.join(', ')} it is another person, course or occasion to this pipeline (its identity, or occurrence): the ledger would not know the two as one, and a later list could issue it twice. Revoke this credential with \`credsync revoke\`, and issue the right data from a file.`
}

function differing(before: Values, after: Values): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.filter((name) => (before[name] ?? '') !== (after[name] ?? '')).sort()
}

function withoutEmpty(values: Values): Values {
  const kept: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(values)) if (value !== '') kept[name] = value
  return kept
}

/** `Last Name: L… (8 characters) → B… (5 characters)`, for each field that differs. Masked, as errors are. */
export function differenceLines(before: Values, after: Values, fields: readonly Field[]): string[] {
  return differing(before, after).map((name) => {
    const field = fields.find((each) => each.displayName === name)
    const mask = (value: string | undefined) => {
      if (!value) return '(empty)'
      if (field && roleOf(field) === 'primary value') return value
      return field && isDateField(field) ? maskShape(value) : maskValue(value)
    }
    const [from, to] = [mask(before[name]), mask(after[name])]
    return `${name}: ${from} → ${to}${from === to ? ' (they differ, though they look alike when they are masked)' : ''}`
  })
}
