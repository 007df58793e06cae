// A probe against the sandbox as it usually is, and as it can be.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import type { Findings } from '#src/ledger/probes.ts'
import { invitationOf } from '#src/pipelines/invitation-of.ts'
import { ProbeRefusedError, runProbe } from '#src/probe/run-probe.ts'
import { planProbe } from '#src/probe/throwaway-people.ts'
import { scanReport } from '#src/reconcile/scan-report.ts'
import type { SandboxSettings } from '#src/sandbox/settings.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld, peopleCsv, type World, type WorldOptions } from '#test/support/world.ts'

/** The least wait that is still twenty times the sandbox's lag. */
const settleMs = 400

async function probe({ app }: World, { tag = 'kxqwzm', timeoutMs = 20_000 } = {}) {
  const pipeline = app.pipelines.named('spring')
  const course = await app.courses.uuidOf(pipeline)
  const plan = planProbe(await app.issuer.fieldList(course), { 'Primary Value': 'Email' }, tag)
  const probed = await runProbe(
    {
      issuer: app.issuer,
      clock: app.clock,
      invitationOf: (students) => invitationOf(pipeline, course, students),
      deadlineMs: 10_000,
      timeoutMs,
      settleMs,
    },
    plan,
  )
  return { ...probed, course }
}

async function found(sandbox: Partial<SandboxSettings>, options: WorldOptions = {}): Promise<Findings> {
  await using world = await openWorld({ ...options, sandbox })
  return (await probe(world)).findings
}

describeWithDatabase('a probe', () => {
  test('finds out what the sandbox leaves unsaid', async () => {
    await using world = await openWorld({ sandbox: { reportLagMs: 150 } })
    const { findings, timedOut } = await probe(world)
    expect(timedOut).toBe(false)
    expect(findings.duplicates).toMatchObject({ found: { verdict: 'issued twice' } })
    expect(findings.badRecipient).toEqual({
      found: { verdict: 'all refused', broke: 'First Name is empty', words: expect.stringContaining('First Name') },
    })
    expect(findings.spellings).toEqual({ found: { search: 'filters', _search: 'filters' } })
    expect(findings.page).toEqual({ found: { largest: 1_000, seenBy: 'pager', capped: true } })
    const { ms } = 'found' in findings.lag ? findings.lag.found : { ms: 0 }
    expect(ms).toBeGreaterThanOrEqual(100)
    expect(ms).toBeLessThan(20_000)
    expect('found' in findings.echoes && findings.echoes.found).toEqual(
      [
        { field: 'First Name', key: 'fname', match: 'exact', searchable: null },
        { field: 'Last Name', key: 'lname', match: 'exact', searchable: null },
        { field: 'Email', key: 'email_', match: 'exact', searchable: true },
        { field: 'Contact Number', key: 'contact_number', match: 'exact', searchable: true },
        { field: 'Register Number', key: 'reg_no', match: 'exact', searchable: true },
      ].sort((a, b) => fieldOrder.indexOf(a.field) - fieldOrder.indexOf(b.field)),
    )
    // Twice the first, the control; the batch was refused.
    expect(world.sandbox.requests()).toHaveLength(3)
  })

  test('leaves the rows of the ledger as they are, and its items are nobody’s to the ledger', async () => {
    await using world = await openWorld()
    const { app } = world
    const runId = await world.receive('people.csv', peopleCsv(1))
    await intake(app, { runId })
    const attemptId = (await app.ledger.prepareAttempt('spring', 10)) ?? 0
    await issue(app, { attemptId }, new AbortController().signal)
    await probe(world)
    const counts = async () => {
      const { rows } = await app.database.query(
        `SELECT (SELECT count(*) FROM issuance)::int AS issuances, (SELECT count(*) FROM attempt)::int AS attempts, (SELECT count(*) FROM run)::int AS runs,
                (SELECT count(*) FROM claim)::int AS claims, (SELECT count(*) FROM surplus_item)::int AS surplus`,
      )
      return rows[0]
    }
    expect(await counts()).toEqual({ issuances: 1, attempts: 1, runs: 1, claims: 0, surplus: 0 })
    const scan = await scanReport({ ...app, pageSize: 100, policy: app.tuning.policy }, '2000-01-01')
    expect(scan.complete).toBe(true)
    // The report shows four: the row's item and three of the probe.
    expect(world.sandbox.requests()).toHaveLength(4)
    expect(await counts()).toEqual({ issuances: 1, attempts: 1, runs: 1, claims: 1, surplus: 0 })
  })

  test('says when the same recipient is refused, and in which words', async () => {
    const { duplicates } = await found({ mischief: { duplicates: 'refuse' } })
    expect(duplicates).toEqual({ found: { verdict: 'refused', words: expect.stringContaining('invited') } })
  })

  test.each([
    ['take the good, answer 400', 'good taken'],
    ['take the good, answer 200', 'good taken'],
    ['refuse the batch', 'all refused'],
  ] as const)('says what one bad recipient does to a service that would %s', async (badRecipient, verdict) => {
    expect((await found({ mischief: { badRecipient } })).badRecipient).toMatchObject({ found: { verdict } })
  })

  test.each([
    ['search', { search: 'filters', _search: 'is ignored' }],
    ['_search', { search: 'is ignored', _search: 'filters' }],
    ['none', { search: 'is ignored', _search: 'is ignored' }],
  ] as const)('says which spelling of a search is heard: %s', async (heardSearch, verdicts) => {
    const { spellings, duplicates, echoes } = await found({ mischief: { heardSearch } })
    expect(spellings).toEqual({ found: verdicts })
    expect(duplicates).toMatchObject({ found: { verdict: 'issued twice' } })
    const searchable = 'found' in echoes && echoes.found.find(({ key }) => key === 'reg_no')?.searchable
    expect(searchable).toBe(heardSearch !== 'none')
  })

  test('says that a value comes back in another spelling', async () => {
    const { echoes } = await found({ mischief: { spelling: { emails: 1 } } })
    expect('found' in echoes && echoes.found.find(({ key }) => key === 'email_')?.match).toBe('folded')
  })

  test('sees a page that is cut short though the pager repeats the wish', async () => {
    await using world = await openWorld({ sandbox: { mischief: { cappedPages: { records: 2, pager: 'wish' } } } })
    await probe(world, { tag: 'first' })
    const { findings } = await probe(world, { tag: 'other' })
    expect(findings.page).toEqual({ found: { largest: 2, seenBy: 'rows', capped: true } })
  })

  test('concludes nothing when nobody shows within the timeout, and sends nothing more', async () => {
    await using world = await openWorld({ sandbox: { reportLagMs: 3_600_000 } })
    const { findings, timedOut } = await probe(world, { timeoutMs: 300 })
    expect(timedOut).toBe(true)
    for (const key of ['duplicates', 'echoes', 'spellings', 'lag', 'badRecipient'] as const)
      expect(findings[key]).toHaveProperty('undetermined')
    expect(world.sandbox.requests()).toHaveLength(1)
  })

  test('stops at once when not even one good recipient is taken', async () => {
    await using world = await openWorld({ pipeline: { template: '00000000-0000-4000-8000-000000000001' } })
    await expect(probe(world)).rejects.toThrow(ProbeRefusedError)
    expect(world.sandbox.requests()).toHaveLength(0)
  })
})

const fieldOrder = ['Email', 'First Name', 'Last Name', 'Contact Number', 'Register Number']
