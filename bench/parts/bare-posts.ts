// The minimum cost of sending: only posts the same bodies, exactly at the rate limit and with the worker's HTTP client.

import { Pool } from 'undici'
import { prepareInvitation } from '#src/issuer/sending/invitation-body.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { numberChunks, recordOf } from './people.ts'
import type { SandboxStarted } from './sandbox-child.ts'

const atOnce = 4

/** @param limit in calls per second */
export async function barePosts(
  { url, key, secret, course }: SandboxStarted,
  rows: number,
  size: number,
  limit: number,
): Promise<void> {
  const pool = new Pool(url, { connections: atOnce })
  async function post(path: string, headers: Record<string, string>, body: string): Promise<string> {
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`The sandbox answered ${answer.statusCode} to a bare call: ${text}`)
    return text
  }
  const tokenResponse = await post('/api/public/identity/v1/entityaccess/token', {}, JSON.stringify({ key, secret }))
  const { payload } = JSON.parse(tokenResponse) as { payload: { accessToken: string } }
  const headers = { authorization: `Bearer ${payload.accessToken}` }
  const target = {
    courseUuid: course.uuid,
    templateUuid: course.templateUuid,
    badgeTemplateUuid: course.badgeTemplateUuid,
  }
  const batches = numberChunks(rows, size)
  const startedAtMs = clock.monotonicMs()
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const numbers of batches) {
        const dueMs = (next++ / limit) * 1_000
        await clock.sleep(Math.max(0, dueMs - (clock.monotonicMs() - startedAtMs)))
        const { body } = prepareInvitation({ ...target, students: numbers.map(recordOf) })
        await post('/api/certification/v1/quickIssuance/recipients/data/upload', headers, body)
      }
    }),
  )
  await pool.close()
}
