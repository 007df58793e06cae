// The floor of sending: the same bodies, at the pace of the limit and no slower, by the client that the worker uses, and nothing else.

import { Pool } from 'undici'
import { prepareInvitation } from '#src/issuer/invitation-body.ts'
import { systemClock as clock } from '#src/time/clock.ts'
import { recordOf, thousands } from './people.ts'
import type { SandboxTold } from './sandbox-child.ts'

const atOnce = 4

/** @param limit calls a second */
export async function barePosts(
  { url, key, secret, course }: SandboxTold,
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
  const signedIn = await post('/api/public/identity/v1/entityaccess/token', {}, JSON.stringify({ key, secret }))
  const { payload } = JSON.parse(signedIn) as { payload: { accessToken: string } }
  const headers = { authorization: `Bearer ${payload.accessToken}` }
  const to = {
    courseUuid: course.uuid,
    templateUuid: course.templateUuid,
    badgeTemplateUuid: course.badgeTemplateUuid,
  }
  const batches = thousands(rows, size)
  const started = clock.monotonicMs()
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const numbers of batches) {
        const due = (next++ / limit) * 1_000
        await clock.sleep(Math.max(0, due - (clock.monotonicMs() - started)))
        const { body } = prepareInvitation({ ...to, students: numbers.map(recordOf) })
        await post('/api/certification/v1/quickIssuance/recipients/data/upload', headers, body)
      }
    }),
  )
  await pool.close()
}
