// Retention: deletes the data of people whose lists are older than their pipeline keeps data. Deliberately slow: a turn
// empties a few thousand rows and a few hundred people, so that a new setting does not occupy the database for hours,
// and can be reverted before everything is gone.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { App } from '#src/app/app.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import { nameFieldsOf } from '#src/domain/recipient/field-role.ts'
import type { Retention } from '#src/extensions/privacy/ledger/retention.ts'
import { refusalOf } from '#src/issuing/intake/refusing-errors.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'

type RetentionTools = Pick<App, 'ledger' | 'settings' | 'pipelines' | 'issuer' | 'log' | 'clock'>

const perTurn = { rows: 10_000, people: 500 }

/** Runs one turn. @returns whether there may be more to do soon */
export async function expireData(tools: RetentionTools): Promise<boolean> {
  let isBusy = false
  const now = tools.clock.now()
  const retentions = Object.entries(tools.settings.file.pipelines).flatMap(([pipeline, { retentionDays: days }]) =>
    days === undefined ? [] : [{ pipeline, days, now }],
  )
  const work = async () => {
    for (const retention of retentions) isBusy = (await expireDataOf(tools, retention)) || isBusy
  }
  if (retentions.length > 0) await tools.ledger.locks.withLock('retention', work, false)
  return isBusy
}

async function expireDataOf(tools: RetentionTools, retention: Retention): Promise<boolean> {
  const { ledger, log } = tools
  const { pipeline } = retention
  let rows = 0
  let isBusy = true
  // A turn may take several lists, because they may be small.
  for (let lists = 0; isBusy && rows < perTurn.rows && lists < 100; lists++) {
    const turn = await ledger.retention.expireRows(retention, perTurn.rows - rows)
    rows += turn.rows
    isBusy = turn.isBusy
  }
  const comparisons = await readComparisons(tools, pipeline)
  const ruleOf = (course: string) => comparisons.get(course) ?? null
  const people = await ledger.retention.expirePeople(retention, { ruleOf, limit: perTurn.people })
  if (rows + people.emptied > 0) log.event('retention.emptied', { pipeline, rows, count: people.emptied })
  return isBusy || people.seen === perTurn.people
}

/** @throws if the service does not answer: without the fields, nobody could be recognized later */
async function readComparisons({ ledger, pipelines, issuer }: RetentionTools, pipeline: string) {
  const known = new Map<string, PersonComparison>()
  const settings = pipelines.named(pipeline)
  for (const course of await ledger.retention.courses(pipeline))
    try {
      known.set(course, personComparison(settings, await issuer.fieldList(course)))
    } catch (error) {
      // If the service no longer has the course, the fields are chosen by their roles.
      if (refusalOf(error) === null) throw error
    }
  return known
}

/** Returns by which fields the people of a pipeline are compared. */
function personComparison(
  settings: PipelineSettings,
  fields: readonly { name: string; displayName: string }[],
): PersonComparison {
  const { identity, occurrence } = identityRuleOf(settings, fields).rule
  return { identity, occurrence, nameFields: nameFieldsOf(fields) }
}
