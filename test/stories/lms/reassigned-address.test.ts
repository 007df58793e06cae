// An e-mail address that is reassigned to another account. The ledger identifies people by e-mail address, so both
// accounts would be one person with changed data.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const everySecond = { every: '1s', sweep: '1s' }

describeWithDatabase('an e-mail address in the ledger', () => {
  test('that now belongs to another account causes no correction, and both user ids are reported', async () => {
    await using campus = await openCampus(everySecond)
    const { lms, course } = campus
    const ada = campus.enroll('ada')
    await lms.complete(ada, course)
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])

    lms.change(ada, { email: 'countess@example.org' })
    const alan = campus.enroll('alan', { email: 'ada@example.org', lastname: 'Turing' })
    await lms.complete(alan, course)
    const problems = async () => {
      const { rows } = await campus.world.app.database.query<{ sentence: string }>(
        `SELECT violations->0->>'sentence' AS sentence FROM run_row WHERE outcome = 'invalid'`,
      )
      return rows.map(({ sentence }) => sentence)
    }
    await expect
      .poll(problems, completionWait)
      .toEqual([
        expect.stringContaining(
          `learner ${ada} of campus in the ledger (i1), but the completion belongs to learner ${alan}`,
        ),
      ])
    expect(await campus.states()).toEqual(['issued'])
    expect((await campus.runCli('correct')).stdout).toBe('No changed row is waiting for a correction.\n')
    const output = (await campus.runCli('explain', 'i1')).stdout
    expect(output).toContain(`another learner has the same identity (other: ${alan}, system: campus, learner: ${ada})`)
    expect(output).not.toContain('Turing')
    // `explain` finds the waiting completion by the new holder's user id and by the address.
    const { waiting } = JSON.parse((await campus.runCli('explain', String(alan), '--json')).stdout)
    expect(waiting).toMatchObject([{ system: 'campus', learner: String(alan), runState: 'published', row: 2 }])
    expect((await campus.runCli('explain', 'ada@example.org')).stdout).toMatch(
      /i1: issued(.|\n)*learner \d+ of campus: completed FIRE-1/,
    )

    const events = await campus.runCli('events')
    expect([events.code, events.stdout]).toEqual([
      3,
      expect.stringContaining(`1 invalid completion from campus (learner ${alan}): `),
    ])

    // With separate addresses, the daily poll issues the credential automatically.
    lms.change(alan, { email: 'alan@example.org' })
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued', 'issued'])
    await expect.poll(async () => (await campus.runCli('events')).code, completionWait).toBe(0)
  })

  test('does not link a credential from a file to a profile with another name', async () => {
    await using campus = await openCampus(everySecond)
    const { lms, course, world } = campus
    const list = join(world.folder, 'list.csv')
    await writeFile(list, 'email,First Name,Last Name\nada@example.org,Ada,Lovelace\nbob@example.org,BOB,Lovelace\n')
    expect((await campus.runCli('issue', list, '--pipeline', 'spring', '--wait')).code).toBe(0)
    const [bob, alan] = [campus.enroll('bob'), campus.enroll('alan', { email: 'ada@example.org', lastname: 'Turing' })]
    for (const learner of [bob, alan]) await lms.complete(learner, course)

    const sentences = async () => {
      const { rows } = await world.app.database.query<{ sentence: string }>(
        `SELECT violations->0->>'sentence' AS sentence FROM run_row WHERE violations->0->>'rule' = 'other_learner'`,
      )
      return rows.map(({ sentence }) => sentence)
    }
    await expect.poll(sentences, completionWait).toHaveLength(1)
    const [sentence] = await sentences()
    expect(sentence).toContain('The credential i1, from list.csv')
    expect(sentence).toContain(
      `First Name … (3 characters), Last Name L… (8 characters) in the credential, First Name a… (4 characters), Last Name T… (6 characters) for learner ${alan} of campus`,
    )
    // The same name in different case is the same person.
    await expect.poll(async () => (await campus.profileOf(bob)).credstatus, completionWait).toBe('issued')
    expect(await campus.profileOf(alan)).toEqual({})
    expect((await campus.runCli('correct')).stdout).not.toMatch(/^i1/m)
    expect((await campus.runCli('explain', 'i1')).stdout).toContain(
      `another learner has the same identity (other: ${alan}, system: campus)`,
    )

    // An operator finds out that it is the same person, whose name has changed.
    const names = ['--set', 'First Name=Alan', '--set', 'Last Name=Turing']
    await campus.runCli('correct', 'i1', ...names, '--yes', '--reason', 'a new name')
    await expect.poll(async () => (await campus.profileOf(alan)).credstatus, completionWait).toBe('issued')
  })
})
