// From rows of a source to rows for the ledger: columns are planned once, then each row is checked against the course's field list
// and, when it is in order, identified. Pure, but for what it remembers of the file.

import type { PipelineSettings } from '#config/schema.ts'
import type { Hasher } from '#src/issuance/identity.ts'
import { IdentityError, identify, identityOf } from '#src/issuance/person.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import { identityRuleOf } from '#src/pipelines/identity-rule.ts'
import { checkRow } from '#src/recipients/check-row.ts'
import { type ColumnFault, type ColumnPlan, type ColumnSpec, placeOf } from '#src/recipients/column-plan.ts'
import { compileRules } from '#src/recipients/compile-rules.ts'
import type { Field } from '#src/recipients/field.ts'
import { nameFieldsOf, roleOf } from '#src/recipients/field-role.ts'
import { firstRowWords } from '#src/recipients/first-row-words.ts'
import { imageColumns } from '#src/recipients/image-column.ts'
import { planColumns } from '#src/recipients/plan-columns.ts'
import { type SharedValues, uniqueWithinFile } from '#src/recipients/unique-within-file.ts'
import type { Violation } from '#src/recipients/violation.ts'
import { makeStorable } from '#src/sources/check-shape.ts'
import { columnLetters } from '#src/sources/column-letters.ts'
import { findOurColumns } from '#src/sources/our-columns.ts'
import type { Source, SourceRow } from '#src/sources/source.ts'
import { listColumns } from './list-columns.ts'
import { onePersonTwice } from './one-person-twice.ts'
import { type NamedPerson, refusedRow } from './refused-row.ts'
import { uncheckedNotices } from './unchecked-notices.ts'

export class PlanError extends Error {
  override readonly name = 'PlanError'
  /**
   * @param header what was taken as the column names, where they are what is wrong
   * @param aside what was noticed about the file, and may be the reason
   */
  constructor(faults: readonly string[], header: readonly string[] | null = null, aside: readonly string[] = []) {
    const listed = faults.map((fault) => `  - ${fault}`)
    if (header) listed.push(...[firstRowWords(header), ...aside].map((sentence) => `  ${sentence}`))
    super(`The file cannot be matched to the course:\n${listed.join('\n')}`)
  }
}

export interface RowCheck {
  row(source: SourceRow): StagedRow
  /** Which column fills which field. */
  plan: ColumnPlan
  /** Display names of the fields that hold a person's names. */
  nameFields: readonly string[]
  /** Where rows may say by different fields who they are: the fields that make a second credential for the same person legitimate. */
  primaryVaries: { occurrence: readonly string[] } | null
  /** The fields by which people and occasions are told apart. */
  identified: { identity: readonly string[]; occurrence: readonly string[] }
  notices: readonly string[]
  /** Unique values of two people that were met so far. Where there are more than at the beginning, the rows have to be checked again with them. */
  shared(): SharedValues
}

export interface RowCheckInput {
  pipeline: Pick<PipelineSettings, 'columns' | 'identity' | 'occurrence' | 'correlation'> &
    Partial<Pick<PipelineSettings, 'batch'>>
  fields: readonly Field[]
  header: readonly string[]
  course: string
  hasher: Hasher
  /** Columns of a workbook are named with their letters; csv when left out. */
  format?: Source['format']
  /** What was noticed about the file when it was opened, such as its other sheets. */
  aside?: readonly string[]
  /** What an earlier reading of the same rows found. */
  shared?: SharedValues
}

/** @throws PlanError with every fault of the columns at once */
export function openRowCheck(input: RowCheckInput): RowCheck {
  const { pipeline, fields, header, course, hasher, format = 'csv' } = input
  const ours = findOurColumns(header)
  // A course may have a field called Row or Rule: what we put into a file fills nothing.
  const theirs = header.map((name, index) => (ours.all.has(index) ? '' : name))
  const planned = planColumns(theirs, pipeline.columns as Record<string, ColumnSpec>, fields)
  const { faults } = planned
  const unread = planned.unusedColumns.filter((name) => !namesImages(name, pipeline.batch))
  const plan = format === 'xlsx' ? withLetters(planned.plan) : planned.plan
  const identity = identityRuleOf(pipeline, fields)
  const all = [...faults.map((fault) => fault.sentence), ...identity.faults]
  if (all.length > 0) throw new PlanError(all, faults.some(isAboutTitles) ? header : null, input.aside)
  const rules = compileRules(fields)
  const unique = uniqueWithinFile(fields, plan, input.shared)
  const nameFields = nameFieldsOf(fields)
  const primaryVaries = identity.rule.identity.length === 0 && !hasOnePrimary(plan)
  const twice = primaryVaries ? onePersonTwice(nameFields) : null
  const personIn = (values: Readonly<Record<string, string>>): NamedPerson | null => {
    const identityHash = identityOf(values, identity.rule, hasher)
    return identityHash && { identityHash, names: namesIn(values, nameFields) }
  }
  const notices = uncheckedNotices(rules, plan)
  if (unread.length > 0)
    notices.push(`These columns fill no field of the course and are carried along unread: ${listColumns(unread)}.`)

  return {
    notices,
    plan,
    nameFields,
    primaryVaries: primaryVaries ? { occurrence: identity.rule.occurrence } : null,
    identified: { identity: identity.rule.identity, occurrence: identity.rule.occurrence },
    shared: unique.shared,
    row(source) {
      const staged = { row: source.row, cells: source.cells.map((cell) => makeStorable(cell)) }
      const bad = (violations: object[], person?: NamedPerson | null) => refusedRow(staged, violations, person)
      if (source.problem) return bad([{ row: source.row, column: '', field: '', value: '', ...source.problem }])
      const checked = checkRow(source, plan, rules)
      const violations = [...checked.violations, ...stillMarked(source, ours.toEmpty, header)]
      const { recipient } = checked
      if (!recipient || violations.length > 0) return bad(violations, personIn(checked.values))
      try {
        const who = identify(recipient, course, identity.rule, hasher, source.occasion)
        const { identityHash } = who
        const taken = unique.check(source.row, recipient, identityHash.toString('hex'))
        taken.push(...(twice?.check(source.row, recipient) ?? []))
        return taken.length > 0
          ? bad(taken, { identityHash, names: namesIn(recipient, nameFields) })
          : { ...staged, violations: null, recipient, ...who }
      } catch (error) {
        if (!(error instanceof IdentityError)) throw error
        return bad([identityViolation(error, plan, source.row)])
      }
    },
  }
}

/** Whether every row says by the same field who it is about. */
function hasOnePrimary(plan: ColumnPlan): boolean {
  const primary = plan.find(({ field }) => roleOf(field) === 'primary value')
  return primary === undefined || primary.source.kind === 'constant'
}

function namesIn(values: Readonly<Record<string, string>>, nameFields: readonly string[]): Record<string, string> {
  return Object.fromEntries(nameFields.flatMap((field) => (values[field] ? [[field, values[field]]] : [])))
}

function isAboutTitles({ kind }: ColumnFault): boolean {
  return kind === 'column_missing' || kind === 'required_field'
}

/** A row that was refused for what its cells do not show, and came back as it was. */
function stillMarked(source: SourceRow, toEmpty: readonly number[], header: readonly string[]): Violation[] {
  const marked = toEmpty.find((index) => source.cells[index]?.trim())
  if (marked === undefined) return []
  const column = header[marked] as string
  const sentence = `The row was refused before, for what “${column}” still says. Mend it, and then empty that cell.`
  return [{ row: source.row, column, field: '', rule: 'not_mended', value: '', sentence }]
}

/** The column of the images fills no field, and is read all the same where they travel. */
function namesImages(column: string, batch: PipelineSettings['batch'] | undefined): boolean {
  return batch?.mode === 'upload' && imageColumns([column], batch.imageColumn).length > 0
}

function withLetters(plan: ColumnPlan): ColumnPlan {
  return plan.map(({ field, source }) => ({
    field,
    source: source.kind === 'column' ? { ...source, letters: columnLetters(source.index) } : source,
  }))
}

function identityViolation(error: IdentityError, plan: ColumnPlan, row: number): Violation {
  const planned = plan.find(({ field }) => field.displayName === error.field)
  const place = planned ? placeOf(planned, row) : { row, column: '', field: error.field }
  const { column, letters, field } = place
  return { row, column, ...(letters ? { letters } : {}), field, rule: 'identity', value: '', sentence: error.message }
}
