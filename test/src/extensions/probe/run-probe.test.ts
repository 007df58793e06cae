// A probe of the sandbox with default behavior and with faults. Needs a database.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import type { SandboxSettings } from '#sandboxes/service/settings.ts'
import { planProbe } from '#src/extensions/probe/probe-recipients.ts'
import { ProbeRefusedError, runProbe } from '#src/extensions/probe/run-probe.ts'
import { buildInvitation } from '#src/issuing/pipelines/build-invitation.ts'
import { scanReport } from '#src/issuing/reconcile/scan-report.ts'
import type { Findings } from '#src/ledger/probes.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openWorld, peopleCsv, type World, type WorldOptions } from '#test/support/world.ts'

/** Shorter than the default, but twenty times the usual lag of the sandbox in these tests. */
const settleMs = 400

async function probe({ app }: World, { tag = 'kxqwzm', timeoutMs = 240_000 } = {}) {
  const pipeline = app.pipelines.named('spring')
  const course = await app.courses.uuidOf(pipeline)
  const plan = planProbe(await app.issuer.fieldList(course), { 'Primary Value': 'Email' }, tag)
  const probed = await runProbe(
    {
      issuer: app.issuer,
      clock: app.clock,
      buildInvitation: (students) => buildInvitation(pipeline, course, students),
      deadlineMs: 240_000,
      timeoutMs,
      settleMs,
    },
    plan,
  )
  return { ...probed, course }
}

async function findingsOf(sandbox: Partial<SandboxSettings>, options: WorldOptions = {}): Promise<Findings> {
  await using world = await openWorld({ ...options, sandbox })
  return (await probe(world)).findings
}

describeWithDatabase('a probe', () => {
  test('determines the undocumented behavior of the sandbox', async () => {
    await using world = await openWorld({ sandbox: { reportLagMs: 150 } })
    const startedAtMs = world.app.clock.monotonicMs()
    const { findings, timedOut } = await probe(world)
    const tookMs = world.app.clock.monotonicMs() - startedAtMs
    expect(timedOut).toBe(false)
    expect(findings.duplicates).toMatchObject({ found: { verdict: 'issued twice' } })
    const { ms } = 'found' in findings.lag ? findings.lag.found : { ms: 0 }
    expect(ms).toBeGreaterThanOrEqual(100)
    expect(ms).toBeLessThanOrEqual(tookMs)
    expect('found' in findings.echoes && findings.echoes.found).toEqual(
      [
        { field: 'First Name', key: 'fname', match: 'exact', searchable: null },
        { field: 'Last Name', key: 'lname', match: 'exact', searchable: null },
        { field: 'Email', key: 'email_', match: 'exact', searchable: true },
        { field: 'Contact Number', key: 'contact_number', match: 'exact', searchable: true },
        { field: 'Register Number', key: 'reg_no', match: 'exact', searchable: true },
      ].sort((a, b) => fieldOrder.indexOf(a.field) - fieldOrder.indexOf(b.field)),
    )
    // The first person twice, then the control.
    expect(world.sandbox.requests()).toHaveLength(3)
  })

  test('leaves the ledger’s rows unchanged, and its report items belong to no row', async () => {
    await using world = await openWorld()
    const { app } = world
    const runId = await world.receive('people.csv', peopleCsv(1))
    await intake(app, { runId })
    const attemptId = (await prepareOne(app.ledger, 'spring', 10)) ?? 0
    await issue(app, { attemptId }, new AbortController().signal)
    await probe(world)
    const counts = async () => {
      const { rows } = await app.database.query(
        `SELECT (SELECT count(*) FROM issuance)::int AS issuances, (SELECT count(*) FROM attempt)::int AS attempts, (SELECT count(*) FROM run)::int AS runs,
                (SELECT count(*) FROM report_claim)::int AS claims, (SELECT count(*) FROM surplus_item)::int AS surplus`,
      )
      return rows[0]
    }
    expect(await counts()).toEqual({ issuances: 1, attempts: 1, runs: 1, claims: 0, surplus: 0 })
    const scan = await scanReport({ ...app, pageSize: 100, policy: app.tuning.policy }, '2000-01-01')
    expect(scan.complete).toBe(true)
    // The report shows four items: the row's item and three of the probe.
    expect(world.sandbox.requests()).toHaveLength(4)
    expect(await counts()).toEqual({ issuances: 1, attempts: 1, runs: 1, claims: 1, surplus: 0 })
  })

  test('reports that a repeated recipient is refused, with the service’s message', async () => {
    const { duplicates } = await findingsOf({ faults: { duplicates: 'refuse' } })
    expect(duplicates).toEqual({ found: { verdict: 'refused', words: expect.stringContaining('invited') } })
  })

  test.each(['search', '_search', 'none'] as const)(
    'finds its recipients although the service supports only %s, and says by what it can be searched',
    async (acceptedSearch) => {
      const { duplicates, echoes } = await findingsOf({ faults: { acceptedSearch } })
      expect(duplicates).toMatchObject({ found: { verdict: 'issued twice' } })
      const searchable = 'found' in echoes && echoes.found.find(({ key }) => key === 'reg_no')?.searchable
      expect(searchable).toBe(acceptedSearch !== 'none')
    },
  )

  test('reports that the report shows a value in another spelling', async () => {
    const { echoes } = await findingsOf({ faults: { spelling: { emails: 1 } } })
    expect('found' in echoes && echoes.found.find(({ key }) => key === 'email_')?.match).toBe('folded')
  })

  test('determines nothing if the report shows no one within the timeout, and sends nothing more', async () => {
    await using world = await openWorld({ sandbox: { reportLagMs: 3_600_000 } })
    const { findings, timedOut } = await probe(world, { timeoutMs: 300 })
    expect(timedOut).toBe(true)
    for (const key of ['duplicates', 'echoes', 'lag'] as const) expect(findings[key]).toHaveProperty('undetermined')
    expect(world.sandbox.requests()).toHaveLength(1)
  })

  test('stops immediately if the first valid recipient is not accepted', async () => {
    await using world = await openWorld({ pipeline: { template: '00000000-0000-4000-8000-000000000001' } })
    await expect(probe(world)).rejects.toThrow(ProbeRefusedError)
    expect(world.sandbox.requests()).toHaveLength(0)
  })
})

const fieldOrder = ['Email', 'First Name', 'Last Name', 'Contact Number', 'Register Number']
