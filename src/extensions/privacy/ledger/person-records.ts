// The records of the ledger that may be of one person, with what connects them: identifiers, names, accounts of
// learning systems, and corrections. Reads the database page by page, and keeps only what matches.

import { foldedNameOf, identifiersInText, identifiersOf } from '#src/domain/credential/forgotten-person.ts'
import { isPersonName } from '#src/domain/recipient/field-role.ts'
import { isForgottenSql } from '#src/extensions/lms/ledger/forget-learners.ts'
import { isOfItsPerson } from '#src/ledger/forgotten-people.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/index-lookups.ts'

type Recipient = Readonly<Record<string, string>>

export interface RowName {
  run: string
  row: number
}

/** Ids of issuances and completions, and names of rows that led to no issuance. */
export interface Records {
  ids: number[]
  rows: RowName[]
  completions: number[]
}

/** One person, as an operator names them. */
export interface Who {
  /** An address, a number or the id of a credential. */
  text: string
  /** What the text names for certain. */
  issuance: number | null
  row: RowName | null
  learner: { system: string; learner: string } | null
}

/** What the settings say of a pipeline, as far as it helps to read its records. */
export interface PipelineFields {
  identity: readonly string[]
  /** The title of the column that fills a field, by the name of the field. */
  columns: Readonly<Record<string, string>>
}

/** Null for a pipeline that is no longer configured: then fields and columns are taken by their names. */
export type FieldsOf = (pipeline: string) => PipelineFields | null

/** A record, read for its person. */
export interface PersonRecord {
  kind: 'issuance' | 'row' | 'completion'
  id: number
  /** Of a row that led to no issuance, or that was skipped with other data. */
  row: RowName | null
  pipeline: string
  /** Null for a completion of a pipeline that never had a list. */
  course: string | null
  recipient: Recipient | null
  identifiers: readonly string[]
  /** Folded; empty if there is none. */
  name: string
  /** Of a completion: an address is none, because several people may use it. */
  account: string | null
  /** The issuances of the same person for certain: those of its line of corrections, or the one that it led to. */
  linked: readonly number[]
  /** The issuance that a row names, maybe as somebody else. */
  names: number | null
  /** The row that was made of a completion. */
  madeOf: RowName | null
}

interface StoredRecord {
  id: number
  row?: RowName
  pipeline: string
  course: string | null
  recipient?: Recipient | null
  header?: readonly string[]
  cells?: readonly string[] | Recipient
  account?: readonly [system: string, learner: string]
  linked?: readonly number[]
  names?: number | null
  changed?: readonly string[] | null
  madeOf?: RowName | null
}

export function recordsOf(records: Iterable<PersonRecord>): Records {
  const all = [...records]
  const ids = (kind: PersonRecord['kind']) =>
    all.flatMap((record) => (record.kind === kind ? [record.id] : [])).sort((a, b) => a - b)
  return { ids: ids('issuance'), rows: all.flatMap(({ row }) => row ?? []), completions: ids('completion') }
}

const pageSize = 10_000

const courseOf = (alias: string) =>
  `coalesce(run.course_uuid, (SELECT o.course_uuid FROM run o WHERE o.environment = ${alias}.environment AND o.pipeline = ${alias}.pipeline AND o.course_uuid IS NOT NULL ORDER BY o.received_at DESC LIMIT 1))`

/** SQL: an issuance with everything that corrects it, and that it corrects: their ids. @param id SQL for its id */
export const lineOfCorrections = (id: string) => `ARRAY(
  WITH RECURSIVE earlier AS (SELECT own.id, own.corrects FROM issuance own WHERE own.id = ${id} UNION SELECT o.id, o.corrects FROM earlier JOIN issuance o ON o.id = earlier.corrects),
    line AS (SELECT id FROM earlier UNION SELECT n.id FROM line JOIN issuance n ON n.corrects = line.id)
  SELECT id::int FROM line)`

const issuancesWith = (linked: string) =>
  `SELECT i.id, i.pipeline, i.course_uuid AS course, i.recipient, ${linked} AS linked FROM issuance i WHERE i.environment = $1`

const isOfItsOwn = `(r.issuance_id IS NULL OR NOT ${isOfItsPerson('r')})`
const rows = `SELECT 0 AS id, json_build_object('run', r.run_id, 'row', r.row_number) AS row, run.pipeline, run.course_uuid AS course, run.header, r.cells, r.issuance_id AS names, r.changed_fields AS changed
  FROM run_row r JOIN run ON run.id = r.run_id WHERE run.environment = $1 AND ${isOfItsOwn}`

const ownIssuance = `(SELECT r.issuance_id FROM run_row r WHERE r.run_id = c.run_id AND r.row_number = c.row_number AND ${isOfItsPerson('r')})`
const completions = `SELECT c.id, c.pipeline, ${courseOf('c')} AS course, c.cells, json_build_array(c.system, c.learner) AS account,
    CASE WHEN c.run_id IS NOT NULL THEN json_build_object('run', c.run_id, 'row', c.row_number) END AS "madeOf", array_remove(ARRAY[${ownIssuance}], NULL)::int[] AS linked
  FROM completion c LEFT JOIN run ON run.id = c.run_id WHERE c.environment = $1 AND NOT ${isForgottenSql('c.learner')}`

export class PersonRecords {
  readonly #sql: Sql
  readonly #environment: string
  readonly #fieldsOf: FieldsOf
  readonly #records = new Map<string, PersonRecord>()
  readonly #byIdentifier = new Map<string, Set<PersonRecord>>()
  readonly #byAccount = new Map<string, Set<PersonRecord>>()
  /** Rows, and completions of which they were made, by run and row. */
  readonly #byRow = new Map<string, Set<PersonRecord>>()
  /** Completions that led to an issuance, and rows that name it. */
  readonly #ofIssuance = new Map<number, Set<PersonRecord>>()
  readonly #searched = new Set<string>()
  readonly #followed = new Set<PersonRecord>()

  constructor(sql: Sql, environment: string, fieldsOf: FieldsOf) {
    this.#sql = sql
    this.#environment = environment
    this.#fieldsOf = fieldsOf
  }

  /** The records that each WHO names; undefined for a WHO that is an address or a number, or names nothing. */
  async named(whos: readonly Who[]): Promise<(PersonRecord[] | undefined)[]> {
    const texts = whos.flatMap(({ text, issuance, row }) => (issuance === null && row === null ? [text] : []))
    const { rows: byCredential } = await this.#sql.query<{ id: number; text: string }>(
      'SELECT id, credential_id AS text FROM issuance WHERE environment = $1 AND credential_id = ANY($2::text[])',
      [this.#environment, texts],
    )
    const { rows: ofRows } = await this.#sql.query<RowName & { id: number | null }>(
      `SELECT r.run_id AS run, r.row_number AS row, CASE WHEN NOT ${isOfItsOwn} THEN r.issuance_id END AS id
       FROM unnest($1::uuid[], $2::int[]) n(run, row) JOIN run_row r ON r.run_id = n.run AND r.row_number = n.row`,
      [whos.flatMap(({ row }) => row?.run ?? []), whos.flatMap(({ row }) => row?.row ?? [])],
    )
    const ids = [...whos.flatMap(({ issuance }) => issuance ?? []), ...byCredential.map(({ id }) => id)]
    await this.#loadIssuances([...ids, ...ofRows.flatMap(({ id }) => id ?? [])])
    await this.#load('row', `${rows} AND (r.run_id, r.row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))`, [
      ofRows.map(({ run }) => run),
      ofRows.map(({ row }) => row),
    ])
    await this.#loadAccounts(whos.flatMap(({ learner }) => (learner ? [[learner.system, learner.learner]] : [])))
    return whos.map(({ text, issuance, row, learner }) => {
      const found = ofRows.find((each) => each.run === row?.run && each.row === row.row)
      const id = issuance ?? found?.id ?? byCredential.find((each) => each.text === text)?.id
      if (id !== undefined) return this.#issuances([id])
      if (row) return [...this.#records.values()].filter((each) => each.row && keyOfRow(each.row) === keyOfRow(row))
      const account = learner && this.#byAccount.get(JSON.stringify([learner.system, learner.learner]))
      return account ? [...account] : undefined
    })
  }

  /** Reads all records for those with one of these identifiers that were not searched for yet. */
  async search(values: readonly string[]): Promise<void> {
    const wanted = new Set(values.filter((value) => !this.#searched.has(value)))
    if (wanted.size === 0) return
    for (const value of wanted) this.#searched.add(value)
    const isWanted = ({ identifiers }: PersonRecord) => identifiers.some((value) => wanted.has(value))
    await this.#scan(
      'issuance',
      `${issuancesWith("'{}'::int[]")} AND i.recipient IS NOT NULL AND i.id > $2 ORDER BY i.id LIMIT ${pageSize}`,
      isWanted,
    )
    await this.#scan(
      'completion',
      `${completions} AND c.id > $2 AND ${ownIssuance} IS NULL ORDER BY c.id LIMIT ${pageSize}`,
      isWanted,
    )
    for (let after: RowName = { run: '00000000-0000-0000-0000-000000000000', row: 0 }; ; ) {
      const page = await this.#load(
        'row',
        `${rows} AND r.cells <> '[]' AND (r.run_id, r.row_number) > ($2, $3) ORDER BY r.run_id, r.row_number LIMIT ${pageSize}`,
        [after.run, after.row],
        isWanted,
      )
      const last = page.at(-1)?.row
      if (!last) return
      after = last
    }
  }

  /** Loads records by their ids, and what is certainly of the same people, whatever its name. */
  async connected({ ids, rows: names, completions: completionIds }: Records): Promise<PersonRecord[]> {
    await this.#loadIssuances(ids)
    await this.#load('row', `${rows} AND (r.run_id, r.row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))`, [
      names.map(({ run }) => run),
      names.map(({ row }) => row),
    ])
    await this.#load('completion', `${completions} AND c.id = ${eachOf('$2')}`, [completionIds])
    const chosen = new Set(this.#records.values())
    while (await this.follow([...chosen], { isSearched: false }))
      for (const record of chosen) for (const each of this.#certain(record)) chosen.add(each)
    return [...chosen].sort((a, b) => a.kind.localeCompare(b.kind) || a.id - b.id)
  }

  withIdentifier(values: readonly string[]): PersonRecord[] {
    return [...new Set(values.flatMap((value) => [...(this.#byIdentifier.get(value) ?? [])]))]
  }

  /**
   * Adds to `chosen` what is of the person of the seeds, as far as it was loaded: their line of corrections, their
   * accounts, and what has an identifier and a name of theirs. What has an identifier and another name is in `others`.
   */
  gather(seeds: readonly PersonRecord[], chosen: Set<PersonRecord>, others: Set<PersonRecord>): void {
    const names = new Set([...chosen].map(({ name }) => name))
    // A record without a name may be anybody's.
    const isNamed = ({ name }: PersonRecord) => name !== '' && names.has(name)
    const toLook = [...seeds]
    const take = (record: PersonRecord) => {
      if (chosen.has(record)) return
      chosen.add(record)
      others.delete(record)
      names.add(record.name)
      toLook.push(...this.#certain(record))
    }
    for (const record of [...chosen]) toLook.push(...this.#certain(record))
    for (let size = -1; size !== chosen.size; ) {
      size = chosen.size
      for (let record = toLook.shift(); record; record = toLook.shift()) take(record)
      for (const record of [...chosen].flatMap((each) => this.#alike(each)))
        if (chosen.has(record)) continue
        else if (isNamed(record)) take(record)
        else others.add(record)
    }
  }

  /** What is of the same person, whatever its name. */
  #certain({ id, kind, account, linked, row, madeOf }: PersonRecord): PersonRecord[] {
    const ofIssuance = kind === 'issuance' ? [...(this.#ofIssuance.get(id) ?? [])] : []
    const at = row ?? madeOf
    return [
      ...this.#issuances(linked),
      ...ofIssuance.filter((record) => record.linked.includes(id)),
      ...(account === null ? [] : (this.#byAccount.get(account) ?? [])),
      ...(at === null ? [] : (this.#byRow.get(keyOfRow(at)) ?? [])),
    ]
  }

  /** What is of the same person if the name says so. */
  #alike({ id, kind, identifiers }: PersonRecord): PersonRecord[] {
    const ofIssuance = kind === 'issuance' ? [...(this.#ofIssuance.get(id) ?? [])] : []
    return [...ofIssuance, ...this.withIdentifier(identifiers)]
  }

  /** Loads what is connected with these records. @returns whether there was anything new to look for */
  async follow(chosen: readonly PersonRecord[], { isSearched = true } = {}): Promise<boolean> {
    const fresh = chosen.filter((record) => !this.#followed.has(record))
    if (fresh.length === 0) return false
    for (const record of fresh) this.#followed.add(record)
    const own = fresh.flatMap(({ id, kind, linked }) => (kind === 'issuance' ? id : linked))
    await this.#loadIssuances(own)
    const ids = [...new Set(this.#issuances(own).flatMap(({ linked }) => linked))]
    await this.#loadIssuances(ids)
    await this.#load('row', `${rows} AND r.issuance_id = ${eachOf('$2')}`, [ids])
    const ofRows = `SELECT run_id, row_number FROM run_row WHERE issuance_id = ${eachOf('$2')}`
    await this.#load('completion', `${completions} AND (c.run_id, c.row_number) IN (${ofRows})`, [ids])
    const named = 'IN (SELECT * FROM unnest($2::uuid[], $3::int[]))'
    const namesOf = (at: readonly RowName[]) => [at.map(({ run }) => run), at.map(({ row }) => row)]
    const made = namesOf(fresh.flatMap(({ madeOf }) => madeOf ?? []))
    await this.#load('row', `${rows} AND (r.run_id, r.row_number) ${named}`, made)
    const ofOwn = namesOf(fresh.flatMap(({ row }) => row ?? []))
    await this.#load('completion', `${completions} AND (c.run_id, c.row_number) ${named}`, ofOwn)
    await this.#loadAccounts(fresh.flatMap(({ account }) => (account === null ? [] : [JSON.parse(account)])))
    if (isSearched) await this.search(fresh.flatMap(({ identifiers }) => identifiers))
    return true
  }

  #issuances(ids: readonly number[]): PersonRecord[] {
    return ids.flatMap((id) => this.#records.get(`issuance ${id}`) ?? [])
  }

  async #loadIssuances(ids: readonly number[]): Promise<void> {
    await this.#load('issuance', `${issuancesWith(lineOfCorrections('i.id'))} AND i.id = ${eachOf('$2')}`, [ids])
  }

  async #loadAccounts(accounts: readonly (readonly string[])[]): Promise<void> {
    await this.#load(
      'completion',
      `${completions} AND (c.system, c.learner) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
      [accounts.map(([system]) => system), accounts.map(([, learner]) => learner)],
    )
  }

  async #scan(kind: PersonRecord['kind'], text: string, isWanted: (record: PersonRecord) => boolean): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined; )
      after = (await this.#load(kind, text, [after], isWanted)).at(-1)?.id
  }

  /** @returns all that was read. Only what is wanted is kept */
  async #load(
    kind: PersonRecord['kind'],
    text: string,
    values: readonly unknown[],
    isWanted: (record: PersonRecord) => boolean = () => true,
  ): Promise<StoredRecord[]> {
    const { rows: stored } = await this.#sql.query<StoredRecord>(text, [this.#environment, ...values])
    for (const each of stored) {
      const record = recordOf(kind, each, this.#fieldsOf(each.pipeline))
      if (isWanted(record)) this.#keep(record)
    }
    return stored
  }

  #keep(record: PersonRecord): void {
    const { kind, id, row, linked } = record
    const key = row ? keyOfRow(row) : `${kind} ${id}`
    const known = this.#records.get(key)
    // A search does not read lines of corrections.
    if (known && kind === 'issuance' && linked.length > 0) known.linked = linked
    if (known) return
    this.#records.set(key, record)
    for (const value of record.identifiers) addTo(this.#byIdentifier, value, record)
    if (record.account !== null) addTo(this.#byAccount, record.account, record)
    const at = row ?? record.madeOf
    if (at) addTo(this.#byRow, keyOfRow(at), record)
    for (const issuance of kind === 'completion' ? linked : [record.names ?? []].flat())
      addTo(this.#ofIssuance, issuance, record)
  }
}

const keyOfRow = ({ run, row }: RowName) => `${run}:${row}`

function addTo<Key>(index: Map<Key, Set<PersonRecord>>, key: Key, record: PersonRecord): void {
  const known = index.get(key)
  if (known) known.add(record)
  else index.set(key, new Set([record]))
}

function recordOf(kind: PersonRecord['kind'], stored: StoredRecord, fields: PipelineFields | null): PersonRecord {
  const { id, pipeline, course, row = null, names = null, account, changed, madeOf = null } = stored
  // A row with other data than its issuance is of the same person if the name is the same.
  const isSame = names !== null && changed?.some((field) => isPersonName({ name: field, displayName: field })) === false
  const linked = isSame ? [names] : (stored.linked ?? [])
  const recipient = kind === 'issuance' ? (stored.recipient ?? null) : recipientOfCells(stored, fields)
  // An address is no account of its own: somebody else may complete another course under it.
  const isAccount = account !== undefined && !account[1].includes('@')
  const ofLearner = account && !isAccount ? identifiersInText(account[1]) : []
  return {
    ...{ kind, id, row, pipeline, course, recipient, linked, names, madeOf },
    identifiers: [...new Set([...(recipient ? identifiersOf(recipient, fields?.identity ?? []) : []), ...ofLearner])],
    name: recipient ? foldedNameOf(recipient) : '',
    account: isAccount ? JSON.stringify(account) : null,
  }
}

/** What a row or a completion says, by the names of fields, or of columns that fill no field for certain. */
function recipientOfCells({ header, cells = [] }: StoredRecord, fields: PipelineFields | null): Recipient {
  const texts = Array.isArray(cells)
    ? Object.fromEntries(cells.map((cell, at) => [header?.[at] ?? `${at}`, cell]))
    : cells
  const fieldOf = Object.fromEntries(Object.entries(fields?.columns ?? {}).map(([field, column]) => [column, field]))
  const named = Object.entries(texts).map(([title, text]) => [fieldOf[title] ?? title, text.trim()])
  return Object.fromEntries(named.filter(([, text]) => text !== ''))
}
