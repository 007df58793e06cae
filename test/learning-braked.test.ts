// Completions that are more than the brake lets by: a person decides, and is told of completions where there is no file.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Campus, openCampus, soon } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

async function complete(campus: Campus, ...names: string[]): Promise<void> {
  for (const username of names) {
    const id = campus.enrol(username, { username, email: username === 'nobody' ? '' : `${username}@example.org` })
    await campus.lms.complete(id, campus.course)
  }
}

/** Newest first. */
const runs = ({ world }: Campus) => world.app.ledger.listRuns()

async function braked(campus: Campus): Promise<string> {
  await expect.poll(async () => (await runs(campus))[0]?.state, soon).toBe('braked')
  return (await runs(campus))[0]?.id ?? ''
}

async function page({ world }: Campus): Promise<string> {
  const folder = join(world.folder, 'outbox')
  const [name = ''] = (await readdir(folder).catch(() => [])).filter((each) => each.endsWith('.summary.txt'))
  return name && (await readFile(join(folder, name), 'utf8'))
}

describeWithDatabase('completions that are too many at once', () => {
  test('wait for a person, and are issued, or not, by their word', async () => {
    await using campus = await openCampus({ idle: true, every: '300ms', pipeline: { brake: { rows: 1 } } })
    await complete(campus, 'ada', 'byron', 'nobody')
    await campus.work()
    const run = await braked(campus)
    await expect.poll(() => page(campus), soon).toContain('2 rows would be issued, more than the 1 of brake.rows.')
    expect(await page(campus)).not.toContain('0 rows')
    expect((await campus.say('status')).stdout).toMatch(/ {2}spring {2}campus {2}braked: 2 rows would be issued/)

    const approved = await campus.say('approve', run.slice(0, 8), '--by', 'ada')
    expect([approved.code, approved.stderr]).toEqual([0, expect.not.stringContaining('changed')])
    await expect.poll(() => campus.states(), soon).toEqual(['issued', 'issued'])
    const { stdout } = await campus.say('status', '--run', run)
    expect(stdout).toContain(
      '3 rows = 2 accepted + 1 invalid + 0 skipped (in the ledger already, or twice among these)',
    )
    expect(stdout).toContain('These rows are completions, and not of a file: mend the data in campus, ')

    // One that comes by itself is none that is missing others.
    await complete(campus, 'clara')
    await expect.poll(() => campus.states(), soon).toEqual(['issued', 'issued', 'issued'])
    const later = await campus.say('status', '--run', (await runs(campus))[0]?.id ?? '')
    expect(later.stdout).toMatch(/^ {2}1 row = 1 accepted/m)
    expect(later.stdout).not.toContain('last list')

    const { learningSystems } = campus.world.app.ledger
    const askedAgain = async () => (await learningSystems.standing())[0]?.polledAt?.getTime() ?? 0
    const due = (at: string) =>
      campus.world.app.database.query('UPDATE learning_system SET due_at = $1::timestamptz, asked_at = NULL', [at])
    await due('infinity')
    await complete(campus, 'dora', 'emil')
    await due('-infinity')
    const rejected = await campus.say('reject', (await braked(campus)).slice(0, 8), '--by', 'ada')
    expect(rejected).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing of it is issued') })
    const before = await askedAgain()
    await due('-infinity')
    await expect.poll(askedAgain, soon).toBeGreaterThan(before)
    expect(await campus.states()).toEqual(['issued', 'issued', 'issued'])
    expect(await runs(campus)).toHaveLength(3)
  })
})
