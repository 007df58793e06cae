// The ledger's verbs that only read what concerns learning systems, inboxes and archives.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { target } from '#test/guarantees/interleavings/scene-additions.ts'
import type { Verb } from '#test/guarantees/interleavings/verb.ts'

const systems = ['campus', 'seminar', 'gradebook', 'other']
const each = async <Answer>(names: readonly string[], read: (name: string) => Promise<Answer>) => {
  const answers: Record<string, Answer> = {}
  for (const name of names) answers[name] = await read(name)
  return answers
}
const ofCompletions =
  (read: (ledger: WholeLedger, run: string) => Promise<unknown>): Verb['run'] =>
  (ledger, { runs }) =>
    read(ledger, runs.completions)

const all = Array.from({ length: 60 }, (_, index) => index + 1)

export const systemReadings: Verb[] = [
  { name: 'archives.due', run: (ledger) => ledger.archives.due('spring', 10) },
  { name: 'archives.ofIssuances', run: async (ledger) => [...(await ledger.archives.ofIssuances(all))] },
  { name: 'archives.recordOf', run: (ledger) => ledger.archives.recordOf('spring') },
  { name: 'archives.statuses', run: (ledger) => ledger.archives.statuses() },
  { name: 'completions.columnsOf', run: ofCompletions((ledger, run) => ledger.completions.columnsOf(run)) },
  { name: 'completions.counts', run: (ledger) => ledger.completions.counts() },
  { name: 'completions.invalid', run: (ledger) => ledger.completions.invalid() },
  { name: 'completions.known', run: (ledger) => ledger.completions.known('campus', 'spring') },
  { name: 'completions.waiting', run: (ledger) => ledger.completions.waiting() },
  { name: 'completions.ofIssuances', run: async (ledger) => [...(await ledger.completions.ofIssuances(all))] },
  { name: 'deliveries.counts', run: (ledger) => ledger.deliveries.counts() },
  { name: 'deliveries.due', run: (ledger) => ledger.deliveries.due(target, 10) },
  { name: 'deliveries.goneReason', run: (ledger) => ledger.deliveries.goneReason('campus') },
  {
    name: 'deliveries.shown',
    run: (ledger) => ledger.deliveries.shown('spring', { system: 'campus', learner: 'l0' } as never),
  },
  { name: 'deliveries.ofIssuances', run: async (ledger) => [...(await ledger.deliveries.ofIssuances(all))] },
  { name: 'deliveries.waiting', run: (ledger) => ledger.deliveries.waiting([target]) },
  { name: 'deliveries.refusedTargets', run: (ledger) => ledger.deliveries.refusedTargets() },
  { name: 'drift.due', run: (ledger) => ledger.drift.due('campus', 'campus', 10) },
  { name: 'elsewhere.held', run: ofCompletions((ledger, run) => ledger.elsewhere.held(run)) },
  { name: 'elsewhere.ofPerson', run: (ledger) => each(['l0', 'l1', 'l2'], ledger.elsewhere.ofPerson) },
  { name: 'inboundEvents.counts', run: (ledger) => ledger.inboundEvents.counts() },
  { name: 'inboundEvents.find', run: (ledger) => each(['1', '2', '3'], (id) => ledger.inboundEvents.find(Number(id))) },
  {
    name: 'inboundEvents.strange',
    run: async (ledger) => [
      await ledger.inboundEvents.strange(null, 9),
      await ledger.inboundEvents.strange('campus', 9),
    ],
  },
  { name: 'inboundEvents.unprocessed', run: (ledger) => ledger.inboundEvents.unprocessed('campus', 10) },
  { name: 'inboundEvents.waiting', run: (ledger) => ledger.inboundEvents.waiting() },
  { name: 'inboxes.namedFiles', run: (ledger) => ledger.inboxes.namedFiles(['/inbox/old.csv', '/in/staged.csv']) },
  { name: 'inboxes.pipelinesToFile', run: (ledger) => ledger.inboxes.pipelinesToFile() },
  { name: 'inboxes.statuses', run: (ledger) => ledger.inboxes.statuses() },
  { name: 'inboxes.unfiled', run: (ledger) => ledger.inboxes.unfiled('spring') },
  { name: 'learningSystems.dueOf', run: (ledger) => each(systems, ledger.learningSystems.dueOf) },
  { name: 'learningSystems.statuses', run: (ledger) => ledger.learningSystems.statuses() },
]
