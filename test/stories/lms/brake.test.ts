// More completions than the brake allows: an operator decides, and the messages mention completions because there is no
// file.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issueElsewhere, students } from '#test/src/cli/issued-elsewhere.ts'
import { type Campus, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'

async function complete(campus: Campus, ...names: string[]): Promise<void> {
  for (const username of names) {
    const id = campus.enroll(username, { username, email: username === 'nobody' ? '' : `${username}@example.org` })
    await campus.lms.complete(id, campus.course)
  }
}

/** The newest run comes first. */
const listRuns = ({ world }: Campus) => world.app.ledger.runs.list()

async function idOfBrakedRun(campus: Campus): Promise<string> {
  await expect.poll(async () => (await listRuns(campus))[0]?.state, completionWait).toBe('braked')
  return (await listRuns(campus))[0]?.id ?? ''
}

async function summary({ world }: Campus): Promise<string> {
  const folder = join(world.folder, 'outbox')
  const [name = ''] = (await readdir(folder).catch(() => [])).filter((each) => each.endsWith('.summary.txt'))
  return name && (await readFile(join(folder, name), 'utf8'))
}

/** Waits until the ledger has accepted this many rows for issuing. */
const untilAccepted = (campus: Campus, rows: number) =>
  until(`${rows} to be taken`, async () => (await campus.states()).length === rows)

async function untilBraked(campus: Campus): Promise<string> {
  await until('the newest run to be braked', async () => (await listRuns(campus))[0]?.state === 'braked')
  return (await listRuns(campus))[0]?.id ?? ''
}

describeWithDatabase('completions that arrive one at a time', () => {
  test('result in credentials until the daily limit is reached; the rest wait behind one run and need one decision', async () => {
    await using campus = await openCampus({ idle: true, every: '300ms', pipeline: { brake: { perDay: 2 } } })
    await campus.startWorker()
    await complete(campus, 'ada')
    await untilAccepted(campus, 1)
    await complete(campus, 'byron')
    await untilAccepted(campus, 2)
    await complete(campus, 'clara')
    const thirdRun = await untilBraked(campus)
    expect((await campus.runCli('status')).stdout).toContain(
      'together with the 2 issued in the last 24 hours more than the limit of 2 (brake.perDay).',
    )

    const { completions } = campus.world.app.ledger
    await complete(campus, 'dora')
    await complete(campus, 'emil')
    await until('two that wait', async () => (await completions.counts())[0]?.ready === 2)
    expect(await completions.waiting()).toEqual([])
    expect(await listRuns(campus)).toHaveLength(3)

    await campus.runCli('approve', thirdRun.slice(0, 8), '--by', 'ada')
    await untilAccepted(campus, 3)
    const lastRun = await untilBraked(campus)
    expect((await listRuns(campus)).map(({ state }) => state)).toEqual([
      'braked',
      'published',
      'published',
      'published',
    ])
    expect((await campus.world.app.ledger.runs.find(lastRun))?.brake?.accepted).toBe(2)
    await campus.runCli('approve', lastRun.slice(0, 8), '--by', 'ada')
    await untilAccepted(campus, 5)
  })

  test('wait for an operator if the report already shows their course', async () => {
    await using campus = await openCampus({ idle: true, every: '300ms' })
    await issueElsewhere(campus.world, students(3))
    await complete(campus, 'ada')
    await campus.startWorker()
    const run = await untilBraked(campus)
    expect((await campus.runCli('status', '--run', run)).stdout).toContain(
      'The report already shows 3 credentials called',
    )
    // Another completion in the meantime waits for the same decision.
    await complete(campus, 'byron')
    await until(
      'both to be braked',
      async () => (await listRuns(campus)).filter(({ state }) => state === 'braked').length === 2,
    )
    expect(campus.world.sandbox.requests()).toHaveLength(3)
    for (const { id } of await listRuns(campus)) await campus.runCli('approve', id, '--by', 'ada')
    await untilAccepted(campus, 2)
  })
})

describeWithDatabase('too many completions in one run', () => {
  test('wait for an operator, who decides whether the credentials are issued', async () => {
    await using campus = await openCampus({ idle: true, every: '300ms', pipeline: { brake: { rows: 1 } } })
    await complete(campus, 'ada', 'byron', 'nobody')
    await campus.startWorker()
    const run = await idOfBrakedRun(campus)
    await expect
      .poll(() => summary(campus), completionWait)
      .toContain('2 rows would be issued, more than the limit of 1 (brake.rows).')
    expect(await summary(campus)).not.toContain('0 rows')
    // The people who would get a credential, and those who would not.
    const output = (await campus.runCli('status', '--run', run)).stdout
    expect(output).toMatch(/^ {4}would be issued: learner \d+, ada Lovelace, ada@example\.org, completed \d{4}-/m)
    expect(output).toMatch(/would be issued: .* byron .*invalid, not issued: learner \d+, nobody Lovelace, completed/s)
    const { people } = JSON.parse((await campus.runCli('status', '--run', run, '--json')).stdout)
    expect(people).toMatchObject([
      { heldAs: 'issue' },
      { heldAs: 'issue' },
      { heldAs: 'invalid', learner: expect.any(String) },
    ])
    const table = (
      await readFile(join(campus.world.folder, 'outbox', `campus.${run.slice(0, 8)}.waiting.csv`), 'utf8')
    ).split('\r\n')
    expect(table[0]).toMatch(/^\ufeff?if approved,/)
    expect(table.slice(1, 4).map((line) => line.split(',')[0])).toEqual([
      'would be issued',
      'would be issued',
      '"invalid',
    ])
    expect(await summary(campus)).toContain('The people to whom it would issue credentials are listed in .waiting.csv')
    expect((await campus.runCli('status')).stdout).toMatch(/ {2}spring {2}campus {2}braked: 2 rows would be issued/)

    const approved = await campus.runCli('approve', run.slice(0, 8), '--by', 'ada')
    expect([approved.code, approved.stderr]).toEqual([0, expect.not.stringContaining('changed')])
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued', 'issued'])
    const { stdout } = await campus.runCli('status', '--run', run)
    expect(stdout).toContain(
      '3 rows = 2 accepted + 1 invalid + 0 skipped (in the ledger already, or twice among these)',
    )
    expect(stdout).toContain('These rows are completions, not rows of a file: fix the data in campus, ')

    await complete(campus, 'clara')
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued', 'issued', 'issued'])
    const laterStatus = await campus.runCli('status', '--run', (await listRuns(campus))[0]?.id ?? '')
    expect(laterStatus.stdout).toMatch(/^ {2}1 row = 1 accepted/m)

    const { learningSystems } = campus.world.app.ledger
    const lastPolledMs = async () => (await learningSystems.statuses())[0]?.polledAt?.getTime() ?? 0
    const setDueAt = (at: string) =>
      campus.world.app.database.query('UPDATE learning_system SET due_at = $1::timestamptz, asked_at = NULL', [at])
    await setDueAt('infinity')
    await complete(campus, 'dora', 'emil')
    await setDueAt('-infinity')
    const rejected = await campus.runCli('reject', (await idOfBrakedRun(campus)).slice(0, 8), '--by', 'ada')
    expect(rejected).toMatchObject({ code: 0, stderr: expect.stringContaining('none of it is issued') })
    const explanation = (await campus.runCli('explain', 'dora@example.org')).stdout
    expect(explanation).toMatch(/waits +run \S+ was rejected by ada, so no one in it gets a credential/)
    expect(explanation).not.toContain('events replay')
    const polledBefore = await lastPolledMs()
    await setDueAt('-infinity')
    await expect.poll(lastPolledMs, completionWait).toBeGreaterThan(polledBefore)
    expect(await campus.states()).toEqual(['issued', 'issued', 'issued'])
    expect(await listRuns(campus)).toHaveLength(3)
  })
})
