// Ledger verbs that delete what is old. The scene has one list that is old enough.

import { aRecipient, aStagedRow } from '#test/support/domain-objects.ts'
import { publication, winter } from './scene.ts'
import { isReadTwice, type Verb } from './verb.ts'

const retention = { pipeline: 'winter', days: 30, now: new Date('2100-01-01') }

export const retentionVerbs: readonly Verb[] = [
  { name: 'retention.expireRows', run: (ledger) => ledger.retention.expireRows(retention, 9) },
  {
    name: 'retention.expirePeople',
    run: async (ledger) => {
      while ((await ledger.retention.expireRows(retention, 9)).isBusy);
      return ledger.retention.expirePeople(retention, { ruleOf: () => null, limit: 9 })
    },
  },
  {
    ...{ name: 'intake.publish', variant: 'old people', mayThrow: isReadTwice },
    run: async (ledger) => {
      const source = { pipeline: 'winter', sourceName: 'again.csv', sourcePath: '/in/again.csv', sourceSha256: 'again' }
      const { run } = await ledger.runs.receive(source)
      const rows = [61, 62, 64].map((person, at) => aStagedRow(at + 2, aRecipient(person), ledger.hasher, winter))
      await ledger.intake.stage(run.id, rows)
      return ledger.intake.publish(run.id, { ...publication, courseUuid: winter.course }, rows.length)
    },
  },
]
