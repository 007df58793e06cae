// I7: after all work is finished, runs every job that can be derived from the ledger three more times. Nothing may be
// sent and nothing may change.

import { expect } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { processorsFor } from '#jobs/processors.ts'
import { type Payload, type QueueName, queueNames } from '#src/platform/queue/queues.ts'
import { withParts } from '#test/support/with-parts.ts'
import type { World } from '#test/support/world.ts'

type Job = { [Name in QueueName]: { name: Name; payload: Payload<Name> } }[QueueName]

const repetitions = 3
const unknownRunId = '00000000-0000-4000-8000-000000000000'

/**
 * Repeats all jobs, including those that the replayed jobs enqueue. No worker may be running. A job that fails is
 * reported as a finding.
 */
export async function replayEverything(world: World): Promise<void> {
  const before = await currentState(world)
  const enqueued: Job[] = []
  const enqueue = async (name: QueueName, payload: Job['payload']) => enqueued.push({ name, payload } as Job) > 0
  const tools = withParts(world.app, { queues: { enqueue } as unknown as ExtensionTools['queues'] })
  const failures: string[] = []
  for (let time = 0; time < repetitions; time++)
    for (const job of [...(await jobsOf(world)), ...enqueued.splice(0)])
      await run(tools, job).catch((error: Error) =>
        failures.push(`${job.name} ${JSON.stringify(job.payload)}: ${error.name}`),
      )
  expect({
    ...(await currentState(world)),
    failures,
    enqueued: enqueued.filter((job) => job.name !== 'sweep'),
  }).toEqual({
    ...before,
    failures: [],
    enqueued: [],
  })
}

function run(tools: ExtensionTools, { name, payload }: Job): Promise<unknown> {
  const process = processorsFor(tools)[name] as (payload: unknown, context: { signal: AbortSignal }) => Promise<unknown>
  return process(payload, { signal: new AbortController().signal })
}

async function jobsOf({ app }: World): Promise<Job[]> {
  const { rows: attempts } = await app.database.query<{ id: number }>('SELECT id FROM attempt ORDER BY id DESC')
  const { rows: runs } = await app.database.query<{ id: string }>('SELECT id FROM run ORDER BY id')
  const runIds = [...runs.map((run) => run.id), unknownRunId]
  const jobs: Record<QueueName, Job[]> = {
    // Inboxes, archives and learning systems have separate tests that repeat every job.
    collect: [],
    learning: [],
    archive: [],
    intake: runIds.map((runId) => ({ name: 'intake', payload: { runId } })),
    issue: [...attempts.map(({ id }) => String(id)), '987654321'].map((attemptId) => ({
      name: 'issue',
      payload: { attemptId },
    })),
    reconcile: [{ name: 'reconcile', payload: { kind: 'follow', environment: app.ledger.environment } }],
    'write-back': runIds.map((runId) => ({ name: 'write-back', payload: { runId } })),
    sweep: [{ name: 'sweep', payload: {} }],
  }
  return queueNames.flatMap((name) => jobs[name])
}

async function currentState({ app, sandbox, wire }: World) {
  const { rows } = await app.database.query<{ rows: unknown; attempts: unknown; delivered: unknown }>(
    `SELECT (SELECT json_agg(json_build_array(id, state, attempt_id, credential_id) ORDER BY id) FROM issuance) AS rows,
            (SELECT json_agg(json_build_array(id, phase, outcome) ORDER BY id) FROM attempt) AS attempts,
            (SELECT json_agg(json_build_array(run_id, written) ORDER BY run_id) FROM write_back) AS delivered`,
  )
  return {
    requests: sandbox.requests().length,
    invitations: wire.seen.filter((path) => path.includes('quickIssuance/recipients')).length,
    ...rows[0],
  }
}
