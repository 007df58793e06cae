// What the tables say about people, in their comments: no column that may hold something of a person lacks one, the
// planner samples none that is personal, and docs/personal-data.md shows them. After a change on purpose, write the page anew
// with CREDSYNC_TEST_WRITE_INVENTORY=1.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, testDatabase } from '#test/support/database.ts'
import { inventoryPage, personalColumns } from '#test/support/personal-columns.ts'

interface Column {
  table: string
  column: string
  /** Whether it can hold text of any kind. */
  isFree: boolean
  comment: string | null
  /** Its statistics target. */
  target: number
}

/** Every column of the ledger's tables and views. */
async function columnsOfLedger(): Promise<Column[]> {
  await using created = await testDatabase()
  await using database = openDatabase(created.url)
  const { rows } = await database.query<Column>(
    `SELECT c.relname AS table, a.attname AS column, coalesce(a.attstattarget, -1) AS target,
            a.atttypid <> ALL('{bigint, integer, boolean, uuid, date, timestamptz, bigint[]}'::regtype[]) AS "isFree",
            col_description(c.oid, a.attnum) AS comment
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'credsync'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped`,
  )
  return rows
}

/** Names of columns that hold nothing of a person, whatever their table: names, states and sentences of ours. */
const harmless = new Set(
  `act adopted_as adopts applied_at away_because base_url braked_because certificate_name change changed_fields configuration
  content_type course detail doubt environment error error_code event facts findings first_list first_list_shows folder format
  found_by from_state hash_key header held_as invalid_path key_check kind link_hash lock outcome
  pause_reason phase pipeline pipelines refusal refused_by report_status results_path role rule schedule separator state store
  subject system target terms to_state token_hash type used_folder waits_because waits_for wanted way work`.split(
    /\s+/,
  ),
)
/** The same of columns whose name says something about a person in another table. */
const harmlessHere = new Set([
  ...['archive', 'inbound_event', 'inbox_look', 'learning_system', 'notice_message', 'scan', 'write_back'].map(
    (table) => `${table}.problem`,
  ),
  ...['notice.key', 'notice_message.words', 'sending_stop.reason', 'migration.name', 'migration.sha256'],
])

describeWithDatabase('the inventory of personal data', () => {
  test('says of each column that can hold text what it says about people', async () => {
    const unsaid = (await columnsOfLedger()).filter(
      ({ table, column, isFree, comment }) =>
        isFree && !harmless.has(column) && !harmlessHere.has(`${table}.${column}`) && comment === null,
    )
    expect(unsaid.map(({ table, column }) => `${table}.${column}`)).toEqual([])
  })

  test('says it in one of three ways', async () => {
    const form = /^(personal: .*\. Why: .*\. Forgotten: .*\.|pseudonymous: .*|staff: .*)$/
    const others = (await columnsOfLedger()).filter(({ comment }) => comment !== null && !form.test(comment))
    expect(others).toEqual([])
  })

  test('agrees with the columns of which the planner keeps no samples', async () => {
    const withoutSamples = (await columnsOfLedger()).filter(({ target }) => target === 0)
    const names = (columns: readonly { table: string; column: string }[]) =>
      columns.map(({ table, column }) => `${table}.${column}`).toSorted()
    expect(names(withoutSamples)).toEqual(names(personalColumns))
  })

  test('is what docs/personal-data.md shows', () => {
    const path = join(import.meta.dirname, '../../../../../docs/personal-data.md')
    const page = readFileSync(path, 'utf8')
    const [start, end] = ['<!-- inventory -->\n\n', '\n\n<!-- end of inventory -->']
    const [before = '', rest = ''] = page.split(start)
    const [shown, after = ''] = rest.split(end)
    if (process.env.CREDSYNC_TEST_WRITE_INVENTORY === '1')
      writeFileSync(path, `${before}${start}${inventoryPage()}${end}${after}`)
    else expect(shown).toBe(inventoryPage())
  })
})
