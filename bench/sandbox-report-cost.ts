// Measures whether a page of the sandbox's report costs more as the report grows (10,000 and 100,000 requests). Prints
// ratios to a baseline from the same run, because milliseconds depend on the machine. The baseline is the same call
// with an empty response: HTTP, token check, envelope.
// Run by hand: node bench/sandbox-report-cost.ts

import { openSandbox, type Sandbox } from '#sandboxes/service/open-sandbox.ts'
import { systemClock } from '#src/platform/time/clock.ts'

const paths = {
  token: '/api/public/identity/v1/entityaccess/token',
  invite: '/api/certification/v1/quickIssuance/recipients/data/upload',
  report: '/api/certification/v1/certificate/student/report',
}
const course = { certificate_name: 'Safety at Work' }
const queries: [string, object, object][] = [
  ['a page of 1000, all courses', {}, { recordsPerPage: 1_000 }],
  ['page 10 of 1000, one course', course, { pageNumber: 10, recordsPerPage: 1_000 }],
  ['page 50 of 1000, all courses', {}, { pageNumber: 50, recordsPerPage: 1_000 }],
  ['one person', { email_: 'p0x77@example.org' }, {}],
]

const few = await measure(1)
const many = await measure(10)
console.log(`${'times the baseline'.padEnd(32)}${'10,000 rows'.padStart(14)}${'100,000 rows'.padStart(14)}`)
for (const [name] of queries)
  console.log(`${name.padEnd(32)}${ratio(few.get(name)).padStart(14)}${ratio(many.get(name)).padStart(14)}`)
console.log('Page 50 does not exist among 10,000 and costs the baseline there.')

function ratio(value: number | undefined): string {
  return `${(value ?? Number.NaN).toFixed(1)} x`
}

/**
 * Fills a sandbox with that many batches of 10,000 and returns the cost of each query as a multiple of the baseline.
 */
async function measure(batches: number): Promise<Map<string, number>> {
  const limits = { general: 1_000_000, auth: 3 }
  const sandbox = await openSandbox({ limits, maxBatch: 10_000, reportLagMs: 0 }, systemClock)
  try {
    const post = await signIn(sandbox)
    for (let batch = 0; batch < batches; batch++) await post(paths.invite, invitation(sandbox, batch))
    const report = (search: object, page: object) => post(paths.report, { search: JSON.stringify(search), ...page })
    const floor = await fastest(() => report({ email_: 'nobody@example.org' }, {}))
    const costs = new Map<string, number>()
    for (const [name, search, page] of queries) costs.set(name, (await fastest(() => report(search, page))) / floor)
    return costs
  } finally {
    await sandbox.close()
  }
}

/** Returns the shortest time of twenty calls, which excludes the effect of other load on the machine. */
async function fastest(ask: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 20; run++) {
    const from = systemClock.monotonicMs()
    await ask()
    best = Math.min(best, systemClock.monotonicMs() - from)
  }
  return best
}

/** Returns an invitation. Every fifth batch is for the second course, the others for the first. */
function invitation(sandbox: Sandbox, batch: number): object {
  const to = sandbox.courses[batch % 5 === 0 ? 1 : 0]
  const student = Array.from({ length: 10_000 }, (_, n) => ({
    Email: `p${batch}x${n}@example.org`,
    'First Name': 'Ada',
    'Last Name': 'Lovelace',
    'Primary Value': 'Email',
  }))
  return { course_uuid: to?.uuid, template_uuid: to?.templateUuid, badge_template_uuid: to?.badgeTemplateUuid, student }
}

async function signIn(sandbox: Sandbox) {
  let token = ''
  const post = async (path: string, body: object): Promise<{ payload: { accessToken?: string } }> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return (await answer.json()) as { payload: { accessToken?: string } }
  }
  token = (await post(paths.token, { key: sandbox.key, secret: sandbox.secret })).payload.accessToken ?? ''
  return post
}
