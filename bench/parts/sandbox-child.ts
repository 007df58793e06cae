// Runs a sandbox in a separate process, so that a benchmark measures only the worker. The process gets its options as
// JSON, reports its address and keys to its parent, returns its counts on request, and exits with its parent.

import type { JournalCounts } from '#sandboxes/service/journal.ts'
import type { JournalEntry } from '#sandboxes/service/journal-entry.ts'
import { openSandbox } from '#sandboxes/service/open-sandbox.ts'
import type { SandboxSettings } from '#sandboxes/service/settings.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { numberChunks, recordOf } from './people.ts'

export interface SandboxOptions {
  settings?: Partial<SandboxSettings>
  /** The number of final requests from thirty days ago, for people that no benchmark sends. */
  settled?: number
}

export interface SandboxStarted {
  url: string
  key: string
  secret: string
  course: { uuid: string; templateUuid: string; badgeTemplateUuid: string }
}

export interface SandboxCounts extends Pick<JournalCounts, 'calls' | 'throttled' | 'recipientsAccepted'> {
  /** When each invitation was applied, in milliseconds since 1970, oldest first. */
  committedMs: number[]
  /** How many requests there are for the person with the most. */
  mostForOne: number
}

const { settings, settled = 0 }: SandboxOptions = JSON.parse(process.argv[2] ?? '{}')
const monthMs = 30 * 86_400_000
const perCall = 10_000
// The clock is a month behind while the sandbox is filled, so that the requests are a month old.
let agoMs = settled > 0 ? monthMs : 0
const clock: Clock = {
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() - agoMs),
  monotonicMs: () => systemClock.monotonicMs() + monthMs - agoMs,
}
const fillSettings = settled > 0 && { limits: { general: 1_000_000, auth: 3 }, maxBatch: perCall }
const sandbox = await openSandbox({ ...settings, ...fillSettings }, clock)
const { url, key, secret, courses } = sandbox
const course = courses[0]
if (!course) throw new Error('The sandbox has no course.')
const acceptedBefore = settled > 0 ? await fill(settled) : 0
agoMs = 0
const started: SandboxStarted = { url, key, secret, course }
process.send?.(started)
process.on('message', () => {
  const { calls, throttled, recipientsAccepted } = sandbox.journal()
  const times = Map.groupBy(sandbox.requests(), ({ student }) => student.Email).values()
  const counts: SandboxCounts = {
    calls,
    throttled,
    recipientsAccepted: recipientsAccepted - acceptedBefore,
    committedMs: sandbox
      .entries()
      .filter((entry: JournalEntry) => entry.kind === 'committed')
      .map(({ at }) => new Date(at).getTime()),
    mostForOne: Math.max(0, ...[...times].map(({ length }) => length)),
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
  const tokenResponse = await post('/api/public/identity/v1/entityaccess/token', { key, secret })
  token = tokenResponse.payload.accessToken ?? ''
  for (const numbers of numberChunks(requests, perCall))
    await post('/api/certification/v1/quickIssuance/recipients/data/upload', {
      course_uuid: course?.uuid,
      template_uuid: course?.templateUuid,
      badge_template_uuid: course?.badgeTemplateUuid,
      student: numbers.map((n) => ({ ...recordOf(n), Email: `settled${n}@example.org` })),
    })
  return requests
}
