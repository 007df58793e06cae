// A rule about damage that refuses a real name can rest for its column, and for no other.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld } from '#test/support/world.ts'

describeWithDatabase('a rule that rests for one column', () => {
  test('lets its values be issued as they are, and still holds for the other columns', async () => {
    const columns = {
      'First Name': { column: 'given', allow: ['damaged_letters', 'unusual_character'] },
      'Primary Value': { value: 'Email' },
    }
    await using world = await openWorld({ pipeline: { columns } })
    const list = 'Email,given,Last Name\na@example.org,JÃ¼rg,Ada\nb@example.org,Bo,MÃ¼ller\n'
    const runId = await world.receive('list.csv', list)
    await intake(world.app, { runId })
    const run = await world.app.ledger.runs.find(runId)
    expect([run?.state, run?.refusal, run?.accepted, run?.invalid]).toEqual(['published', null, 1, 1])
    const [problem, ...others] = await world.app.ledger.violations.byKind(runId)
    expect([problem?.field, problem?.rule, others]).toEqual(['Last Name', 'damaged_letters', []])
  })
})
