// Publishes the first list of a course together with what the report already shows for that course, or postpones it
// until the report can be read. Reads the report of the service and writes to the ledger.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import { checkFirstList, maxPeopleSearched } from '#src/issuing/reconcile/check-first-list.ts'
import type { FirstList } from '#src/ledger/runs/first-list.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { LimitsClosedError } from '#src/platform/limits/limits-closed-error.ts'
import { snooze, type Verdict } from '#src/platform/queue/verdict.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import type { Tools } from './job-tools.ts'

/**
 * The first list cannot be published yet and must be tried again. The message is shown to people who are waiting for
 * the run.
 */
export class FirstListWaitsError extends Error {
  override readonly name = 'FirstListWaitsError'
}

export interface StagedList {
  runId: string
  course: string
  pipeline: PipelineSettings
  fields: readonly Field[]
}

type FirstListTools = Pick<Tools, 'ledger' | 'issuer' | 'tuning'>

/**
 * Publishes the lists of a course one at a time until the report has been checked. A second list does not queue behind
 * the lock, where a stalled worker could block it: it is tried again later and then uses the result of the first.
 * @throws FirstListWaitsError
 */
export async function publishWithReport(
  tools: FirstListTools,
  list: StagedList,
  publish: (firstList?: FirstList) => Promise<unknown>,
): Promise<void> {
  const { ledger } = tools
  if ((await ledger.firstList.status(list.course)) === 'settled') return void (await publish())
  const work = async () => {
    await publish(await checkReport(tools, list))
    return true
  }
  if (!(await ledger.locks.withLock(`first-list:${list.course}`, work, false)))
    throw new FirstListWaitsError('Another first list of this course is being checked against the report.')
}

async function checkReport(tools: FirstListTools, list: StagedList): Promise<FirstList | undefined> {
  const { ledger, issuer, tuning } = tools
  const { runId, course, pipeline, fields } = list
  const people = await ledger.firstList.sample(runId, course, maxPeopleSearched)
  // The list would not issue any credential.
  if (people.length === 0) return undefined
  const { correlation } = identityRuleOf(pipeline, fields).rule
  const readers = { issuer, ledger, pageSize: tuning.pageSize }
  try {
    return { shows: await checkFirstList(readers, { course, people, correlation }) }
  } catch (error) {
    // This process is stopping, which says nothing about the report: the reason from before remains.
    if (error instanceof LimitsClosedError) throw error
    throw new FirstListWaitsError(
      `The report must be checked for credentials of this course before its first list is taken, and could not be read: ${safeMessage(error)}`,
    )
  }
}

/** Records why the run is waiting. @returns a verdict to try again before the sweep assumes that the job was lost */
export async function waitForReport(
  { ledger, log, tuning }: Pick<Tools, 'ledger' | 'log' | 'tuning'>,
  { id, pipeline }: Run,
  why: FirstListWaitsError,
): Promise<Verdict> {
  await ledger.firstList.noteWaiting(id, why.message)
  log.event('run.waits', { run: id, pipeline, reason: 'report-not-asked' })
  return snooze(tuning.lostAfterMs / 3, 'report-not-asked')
}
