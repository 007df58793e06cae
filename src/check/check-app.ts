// The live checks: database, queue, clock, token, and each pipeline against its course. Each fault says what to do about it.

import type { App } from '#src/app.ts'
import { checkRedis } from '#src/queue/redis-check.ts'
import { checkInboxes } from './check-inboxes.ts'
import { checkPipeline } from './check-pipeline.ts'
import { checkWorker } from './check-worker.ts'
import { speakable } from './speakable.ts'

export interface Check {
  what: string
  ok: boolean
  sentence: string
  /** What is worth knowing and no fault. */
  notices?: string[]
  /** Of a pipeline: the fields of its course. */
  fields?: { name: string; required: boolean }[]
  /** The error behind it, for the exit code. */
  fault?: unknown
}

/** The database's clock decides; ours only measures. Two seconds apart, log lines and dates begin to mislead. */
const mostSkewMs = 2_000

export async function checkApp(app: App): Promise<Check[]> {
  const checks = [await checkDatabase(app), await checkClock(app)]
  if (app.settings.redisUrl) checks.push(await checkQueueStore(app.settings.redisUrl.reveal()))
  checks.push(...(await checkWorker(app)), ...(await checkInboxes(app)))
  const token = await checkToken(app)
  checks.push(token)
  // Without a token every further question to the service would only repeat this fault.
  if (token.ok) for (const name of app.pipelines.names) checks.push(...(await checkPipeline(app, name)))
  checks.push(...(await checkStranded(app)))
  if (app.pipelines.names.length === 0)
    checks.push({
      what: 'pipelines',
      ok: false,
      sentence: 'there is none. Add one under pipelines; config/credsync.example.yaml shows how',
    })
  return checks
}

/** Rows of a pipeline that was renamed or removed wait for ever, and nothing else would say so. */
async function checkStranded({ ledger, pipelines }: App): Promise<Check[]> {
  const stranded = (await ledger.unsentByPipeline()).filter(({ pipeline }) => !pipelines.find(pipeline))
  return stranded.map(({ pipeline, rows }) => ({
    what: `pipeline ${pipeline}`,
    ok: false,
    sentence: `${rows} rows of it are still to be sent, and the configuration no longer has it. Bring it back under the same name`,
  }))
}

async function checkDatabase({ database, storage }: App): Promise<Check> {
  const { rows } = await database.query<{ version: string; runs: number }>(
    `SELECT current_setting('server_version') AS version, (SELECT count(*) FROM run) AS runs`,
  )
  return {
    what: 'database',
    ok: true,
    sentence: `${storage}, version ${rows[0]?.version}, ${rows[0]?.runs} runs in the ledger`,
  }
}

async function checkClock({ database, clock }: App): Promise<Check> {
  const { rows } = await database.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  const skew = Math.abs((rows[0]?.now.getTime() ?? 0) - clock.now().getTime())
  if (skew <= mostSkewMs) return { what: 'clock', ok: true, sentence: 'agrees with the database' }
  return {
    what: 'clock',
    ok: false,
    sentence: `differs from the database's by ${Math.round(skew / 1_000)} s. Let both machines keep network time (NTP)`,
  }
}

async function checkQueueStore(url: string): Promise<Check> {
  try {
    const redis = await checkRedis(url)
    const sentence =
      redis.faults.length > 0
        ? redis.faults.join(' ')
        : `version ${redis.version}, ${redis.maxmemoryPolicy}${redis.aof ? ', append-only file on' : ''}`
    return { what: 'Redis', ok: redis.faults.length === 0, sentence }
  } catch (fault) {
    return { what: 'Redis', ok: false, sentence: 'cannot be used. Check REDIS_URL and that the server runs', fault }
  }
}

async function checkToken({ issuer, settings }: App): Promise<Check> {
  try {
    await issuer.checkToken()
    return {
      what: 'token',
      ok: true,
      sentence: `${new URL(settings.baseUrl).host} accepts the keys (${settings.file.service.environment})`,
    }
  } catch (fault) {
    return { what: 'token', ok: false, sentence: speakable(fault), fault }
  }
}
