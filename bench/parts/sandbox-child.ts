// A sandbox in a process of its own, so that a benchmark measures the worker alone. Forked with its orders as JSON, it tells its address
// and keys once, its counts whenever it is asked, and ends with its parent.

import type { JournalCounts } from '#src/sandbox/journal.ts'
import type { JournalEntry } from '#src/sandbox/journal-entry.ts'
import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import type { SandboxSettings } from '#src/sandbox/settings.ts'
import { type Clock, systemClock } from '#src/time/clock.ts'
import { recordOf, thousands } from './people.ts'

export interface SandboxOrders {
  settings?: Partial<SandboxSettings>
  /** Requests that were made thirty days ago, of people whom no benchmark sends, and are final. */
  settled?: number
}

export interface SandboxTold {
  url: string
  key: string
  secret: string
  course: { uuid: string; templateUuid: string; badgeTemplateUuid: string }
}

export interface SandboxCounts extends Pick<JournalCounts, 'calls' | 'throttled' | 'recipientsAccepted'> {
  /** When each invitation was applied, in milliseconds since 1970, oldest first. */
  committedMs: number[]
}

const { settings, settled = 0 }: SandboxOrders = JSON.parse(process.argv[2] ?? '{}')
const month = 30 * 86_400_000
const perCall = 10_000
let agoMs = settled > 0 ? month : 0
const clock: Clock = {
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() - agoMs),
  monotonicMs: () => systemClock.monotonicMs() + month - agoMs,
}
const forFilling = settled > 0 && { limits: { general: 1_000_000, auth: 3 }, maxBatch: perCall }
const sandbox = await openSandbox({ ...settings, ...forFilling }, clock)
const { url, key, secret, courses } = sandbox
const course = courses[0]
if (!course) throw new Error('The sandbox has no course.')
const before = settled > 0 ? await fill(settled) : 0
agoMs = 0
const told: SandboxTold = { url, key, secret, course }
process.send?.(told)
process.on('message', () => {
  const { calls, throttled, recipientsAccepted } = sandbox.journal()
  const counts: SandboxCounts = {
    calls,
    throttled,
    recipientsAccepted: recipientsAccepted - before,
    committedMs: sandbox
      .entries()
      .filter((entry: JournalEntry) => entry.kind === 'committed')
      .map(({ at }) => new Date(at).getTime()),
  }
  process.send?.(counts)
})
process.on('disconnect', () => process.exit(0))

async function fill(requests: number): Promise<number> {
  let token = ''
  const post = async (path: string, body: object): Promise<{ payload: { accessToken?: string } }> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return (await answer.json()) as { payload: { accessToken?: string } }
  }
  const signedIn = await post('/api/public/identity/v1/entityaccess/token', { key, secret })
  token = signedIn.payload.accessToken ?? ''
  for (const numbers of thousands(requests, perCall))
    await post('/api/certification/v1/quickIssuance/recipients/data/upload', {
      course_uuid: course?.uuid,
      template_uuid: course?.templateUuid,
      badge_template_uuid: course?.badgeTemplateUuid,
      student: numbers.map((n) => ({ ...recordOf(n), Email: `settled${n}@example.org` })),
    })
  return requests
}
