// I7: every job that the ledger can name is done again, three times, after everything has come to rest. Nothing may be sent, and nothing
// may change.

import { expect } from 'vitest'
import { processorsFor } from '#jobs/processors.ts'
import type { Tools } from '#jobs/tools.ts'
import { type Payload, type QueueName, queueNames } from '#src/queue/queues.ts'
import type { World } from '#test/support/world.ts'

type Job = { [Name in QueueName]: { name: Name; payload: Payload<Name> } }[QueueName]

const times = 3
const nobody = '00000000-0000-4000-8000-000000000000'

/** Call it when no worker runs. Jobs that the replayed ones ask for are done as well; a job that fails is a finding. */
export async function replayEverything(world: World): Promise<void> {
  const before = await standing(world)
  const asked: Job[] = []
  const ask = async (name: QueueName, payload: Job['payload']) => asked.push({ name, payload } as Job) > 0
  const tools: Tools = { ...world.app, queues: { ask } as unknown as Tools['queues'] }
  const faults: string[] = []
  for (let time = 0; time < times; time++)
    for (const job of [...(await jobsOf(world)), ...asked.splice(0)])
      await run(tools, job).catch((error: Error) =>
        faults.push(`${job.name} ${JSON.stringify(job.payload)}: ${error.name}`),
      )
  expect({ ...(await standing(world)), faults, 'asked for': asked.filter((job) => job.name !== 'sweep') }).toEqual({
    ...before,
    faults: [],
    'asked for': [],
  })
}

function run(tools: Tools, { name, payload }: Job): Promise<unknown> {
  const process = processorsFor(tools)[name] as (payload: unknown, context: { signal: AbortSignal }) => Promise<unknown>
  return process(payload, { signal: new AbortController().signal })
}

async function jobsOf({ app }: World): Promise<Job[]> {
  const { rows: attempts } = await app.database.query<{ id: number }>('SELECT id FROM attempt ORDER BY id DESC')
  const { rows: runs } = await app.database.query<{ id: string }>('SELECT id FROM run ORDER BY id')
  const runIds = [...runs.map((run) => run.id), nobody]
  const jobs: Record<QueueName, Job[]> = {
    // Inboxes, archives and learning systems have tests of their own, which do everything twice.
    collect: [],
    learning: [],
    archive: [],
    intake: runIds.map((runId) => ({ name: 'intake', payload: { runId } })),
    issue: [...attempts.map(({ id }) => String(id)), '987654321'].map((attemptId) => ({
      name: 'issue',
      payload: { attemptId },
    })),
    reconcile: [{ name: 'reconcile', payload: { environment: app.ledger.environment } }],
    'write-back': runIds.map((runId) => ({ name: 'write-back', payload: { runId } })),
    sweep: [{ name: 'sweep', payload: {} }],
  }
  return queueNames.flatMap((name) => jobs[name])
}

async function standing({ app, sandbox, wire }: World) {
  const { rows } = await app.database.query<{ rows: unknown; attempts: unknown; told: unknown }>(
    `SELECT (SELECT json_agg(json_build_array(id, state, attempt_id, credential_id) ORDER BY id) FROM issuance) AS rows,
            (SELECT json_agg(json_build_array(id, phase, outcome) ORDER BY id) FROM attempt) AS attempts,
            (SELECT json_agg(json_build_array(run_id, told) ORDER BY run_id) FROM write_back) AS told`,
  )
  return {
    requests: sandbox.requests().length,
    invitations: wire.seen.filter((path) => path.includes('quickIssuance/recipients')).length,
    ...rows[0],
  }
}
