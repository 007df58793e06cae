// Somebody of whom nothing was forgotten but an invalid row or a completion is released by their address: the ledger no
// longer has it, only its hash.

import { expect, test } from 'vitest'
import { type Campus, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const everySecond = { every: '1s', sweep: '1s' }

/** Hands a list over, and waits until it is final. @returns the outcomes of its rows */
async function list({ world }: Campus, name: string, ...rows: string[]): Promise<string[]> {
  const run = await world.receive(name, ['email,firstname,lastname', ...rows, ''].join('\n'))
  await expect
    .poll(async () => (await world.app.ledger.runs.find(run))?.settledAt ?? null, completionWait)
    .not.toBe(null)
  const { rows: outcomes } = await world.app.database.query<{ outcome: string }>(
    'SELECT outcome FROM run_row WHERE run_id = $1 ORDER BY row_number',
    [run],
  )
  return outcomes.map(({ outcome }) => outcome)
}

/** Runs `credsync forget`, and waits until the worker has carried it out. @returns what the command printed */
async function forget(campus: Campus, ...args: string[]): Promise<string> {
  const { code, stderr } = await campus.runCli('forget', ...args, '--reason', 'a letter', '--yes')
  expect([code, stderr]).toEqual([0, expect.stringContaining('is written')])
  await expect.poll(async () => await campus.world.app.ledger.erasures.open(), completionWait).toEqual([])
  return stderr
}

const kept = async ({ world: { app } }: Campus) =>
  (await app.database.query('SELECT FROM erased_person UNION ALL SELECT FROM erased_identifier')).rowCount

describeWithDatabase('somebody who is released by their address', () => {
  test('after an invalid row was forgotten, is issued by the next list', async () => {
    await using campus = await openCampus(everySecond)
    const ada = 'ada@example.org,Ada,'
    expect(await list(campus, 'first.csv', ada, 'bea@example.org,Bea,')).toEqual(['invalid', 'invalid'])
    await forget(campus, 'ada@example.org')
    expect(await list(campus, 'second.csv', `${ada}King`)).toEqual(['invalid'])
    // The refused row has a name of its own, so the address may be of two people. Its sentence names the forgotten row.
    const refused = await campus.world.app.database.query<{ name: string }>(
      `SELECT substring(violations->0->>'sentence' FROM 'credsync forget ([0-9a-f]{8}:2) --release') AS name FROM run_row WHERE violations->0->>'rule' = 'forgotten_identity'`,
    )
    const output = await forget(campus, refused.rows[0]?.name ?? '', '--release')
    expect(output).toContain('keyed hashes are deleted as well')
    expect(await kept(campus)).toBe(0)
    expect(await list(campus, 'third.csv', `${ada}King`, 'bea@example.org,Bea,King')).toEqual(['accepted', 'accepted'])
    expect(await campus.states()).toEqual(['issued', 'issued'])
  })

  test('after a completion was forgotten, is reported by the learning system as anybody else', async () => {
    await using campus = await openCampus({ ...everySecond, pipeline: { brake: { rows: 0 } } })
    const { lms, course, world } = campus
    const learners = async () =>
      (
        await world.app.database.query<{ learner: string }>(
          `SELECT left(learner, 10) AS learner FROM completion WHERE state <> 'same' OR run_id IS NULL ORDER BY id`,
        )
      ).rows.map(({ learner }) => learner)
    const ada = campus.enroll('ada')
    await lms.complete(ada, course)
    await expect.poll(learners, completionWait).toEqual([String(ada)])
    await forget(campus, `campus:${ada}`)
    expect(await learners()).toEqual(['forgotten:'])
    await forget(campus, 'ada@example.org', '--release')
    expect(await kept(campus)).toBe(0)
    await expect.poll(learners, completionWait).toEqual(['forgotten:', String(ada)])
  })
})
