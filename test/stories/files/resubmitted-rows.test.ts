// Resubmits the invalid rows of a run, through the real intake, ledger and outbox.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld, type World } from '#test/support/world.ts'

const header = 'e_mail,First Name,Last Name'

/** Receives and reads a file, and returns its run and its invalid rows. */
async function send(world: World, name: string, bytes: string | Buffer) {
  const runId = await world.receive(name, bytes)
  await intake(world.app, { runId })
  const run = await world.app.ledger.runs.find(runId)
  return { run, invalid: run?.invalidPath ? await readFile(run.invalidPath) : Buffer.alloc(0) }
}

describeWithDatabase('the invalid rows of a run', () => {
  test('are not accepted if they are resubmitted unchanged, and are accepted with the right values once they are fixed', async () => {
    await using world = await openWorld()
    const list = `${header}\nrag@example.org,van, der Berg,Jan,extra\nguard@example.org,,-\nshort@example.org,Solo\n`
    let { run, invalid } = await send(world, 'first.csv', list)
    expect(run).toMatchObject({ rows: 3, invalid: 3, accepted: 0 })
    expect(invalid.toString()).toContain('cells beyond the last column: Jan | extra')
    for (const name of ['second.csv', 'third.csv']) {
      const again = await send(world, name, Buffer.concat([invalid, Buffer.from('\r\n')]))
      expect(again.run).toMatchObject({ state: 'published', rows: 3, invalid: 3, accepted: 0 })
      ;({ run, invalid } = again)
    }
    const [titles = '', ...lines] = invalid.toString().trim().split('\r\n')
    expect(titles.match(/what_to_do/g)).toHaveLength(1)
    const fixed = lines.map((line) =>
      line
        .replace(/rag@example\.org,.*$/, 'rag@example.org,Jan,van der Berg,')
        .replace(/guard@example\.org,"",/, 'guard@example.org,Ada,')
        .replace(/short@example\.org,.*$/, 'short@example.org,Han,Solo,'),
    )
    const last = await send(world, 'fixed.csv', [titles, ...fixed].join('\r\n'))
    expect(last.run).toMatchObject({ rows: 3, invalid: 0, accepted: 3 })
    // The ledger has these people, with these names.
    const people = ['rag@example.org,Jan,van der Berg', 'guard@example.org,Ada,-', 'short@example.org,Han,Solo']
    const same = await send(world, 'same.csv', [header, ...people].join('\n'))
    expect(same.run).toMatchObject({ known: 3, changed: 0 })
  })
})
