// The ledger's verbs of the console. They concern tables that no other verb writes, so they stand apart. Each writing
// verb first adds what it needs.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { Verb } from '#test/guarantees/interleavings/verb.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'

const at = new Date('2026-01-05T12:00:00Z')
const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000)
const hash = (name: string) => Buffer.alloc(32, name)
const link = (name: string) => ({ hash: hash(name), endsAt: later(60) })
const registrar = { role: 'registrar', pipelines: ['spring'] } as const
const noPassword = { password: null }
const both = { local: true, provided: true }

async function addAda({ consolePeople, consoleSessions }: WholeLedger): Promise<void> {
  await consolePeople.add('ada', registrar, link('ada'), 'margaret', at)
  await consoleSessions.begin(hash('local'), 'ada', noPassword, at)
  await consoleSessions.begin(hash('provided'), 'ada', { role: 'operator', pipelines: null }, at)
}

/** @param run on a console where Ada may sign in, and is signed in twice */
const withAda = (name: string, run: (ledger: WholeLedger) => Promise<unknown>, variant?: string): Verb => ({
  ...{ name, ...(variant !== undefined && { variant }) },
  async run(ledger) {
    await addAda(ledger)
    return run(ledger)
  },
})

export const consoleVerbs: readonly Verb[] = [
  withAda('consolePeople.add', ({ consolePeople }) =>
    consolePeople.add('grace', { role: 'viewer', pipelines: null }, link('grace'), 'margaret', at),
  ),
  withAda(
    'consolePeople.add',
    ({ consolePeople }) =>
      consolePeople.add('ada', { role: 'operator', pipelines: null }, link('again'), 'margaret', later(1)),
    'again',
  ),
  withAda('consolePeople.remove', async ({ consolePeople }) => [
    await consolePeople.remove('nobody'),
    await consolePeople.remove('ada'),
  ]),
  withAda('consolePeople.useLink', async ({ consolePeople }) => [
    await consolePeople.useLink(hash('nobody'), 'scrypt', at),
    await consolePeople.useLink(hash('ada'), 'scrypt', later(60)),
    await consolePeople.useLink(hash('ada'), 'scrypt', later(59)),
    await consolePeople.useLink(hash('ada'), 'another', later(59)),
  ]),
  withAda('consoleSessions.begin', async ({ consoleSessions }) => [
    await consoleSessions.begin(hash('new'), 'ada', noPassword, later(30)),
    await consoleSessions.begin(hash('of another password'), 'ada', { password: 'scrypt' }, later(30)),
    await consoleSessions.begin(hash('of nobody'), 'grace', noPassword, later(30)),
  ]),
  withAda('consolePeople.changePassword', async ({ consolePeople, consoleSessions }) => {
    const change = (from: string) => consolePeople.changePassword('ada', from, 'another', hash('local'))
    await consolePeople.useLink(hash('ada'), 'scrypt', at)
    await consoleSessions.begin(hash('elsewhere'), 'ada', { password: 'scrypt' }, at)
    return [await change('wrong'), await change('scrypt'), await change('scrypt')]
  }),
  withAda('consoleSessions.endAll', async ({ consoleSessions }) => [
    await consoleSessions.endAll('nobody'),
    await consoleSessions.endAll('ada'),
  ]),
  withAda('consoleSessions.end', ({ consoleSessions }) => consoleSessions.end(hash('local'))),
  withAda('consoleSessions.find', async ({ consoleSessions }) => [
    await consoleSessions.find(hash('nobody'), at, { ...both, extends: true }),
    await consoleSessions.find(hash('local'), later(29), { ...both, extends: true }),
    await consoleSessions.find(hash('local'), later(58), { ...both, extends: false }),
    await consoleSessions.find(hash('local'), later(58), { extends: false, local: false, provided: true }),
    await consoleSessions.find(hash('local'), later(59), { ...both, extends: false }),
    await consoleSessions.find(hash('provided'), later(1), { ...both, extends: false }),
    await consoleSessions.find(hash('provided'), later(1), { extends: false, local: true, provided: false }),
  ]),
  {
    name: 'consoleActs.note',
    run: ({ consoleActs }, { runs, ids }) =>
      consoleActs.note({ by: 'ada', act: 'looked', run: runs.settled, issuance: ids.get(3) ?? 0, detail: 'why' }, at),
  },
  {
    name: 'consoleActs.expire',
    async run({ consoleActs }) {
      const acts = ['issued a list', 'looked', 'decided', 'looked', 'looked again']
      for (const [minutes, act] of acts.entries()) await consoleActs.note({ by: 'ada', act }, later(minutes))
      return [await consoleActs.expire(later(4), 2), await consoleActs.expire(later(4), 2)]
    },
  },
]

const newest = { before: null, limit: 3 }

export const consoleReadings: readonly Verb[] = [
  {
    name: 'consoleActs.decided',
    async run({ consoleActs }) {
      const id = await consoleActs.note({ by: 'ada', act: 'decided', detail: 'It is sent again.' }, at)
      const other = await consoleActs.note({ by: 'ada', act: 'looked', detail: 'i3' }, at)
      return [
        await consoleActs.decided(id, 'ada', at),
        await consoleActs.decided(id, 'grace', at),
        await consoleActs.decided(id, 'ada', later(1)),
        await consoleActs.decided(other, 'ada', at),
      ]
    },
  },
  { name: 'consoleActs.page', run: ({ consoleActs }) => consoleActs.page({ before: null, limit: 100 }) },
  { name: 'consolePeople.list', run: ({ consolePeople }) => consolePeople.list() },
  { name: 'consolePeople.passwordOf', run: ({ consolePeople }) => consolePeople.passwordOf('ada') },
  { name: 'consolePeople.byLink', run: ({ consolePeople }) => consolePeople.byLink(hash('ada'), at) },
  {
    name: 'consoleReadings.needed',
    run: async ({ consoleReadings: readings }) => [await readings.needed(null), await readings.needed(['autumn'])],
  },
  { name: 'consoleReadings.obstacles', run: ({ consoleReadings: readings }) => readings.obstacles() },
  {
    name: 'consoleReadings.withSurplus',
    async run({ consoleReadings: readings }, { runs }) {
      const found: string[] = []
      for (const [name, run] of Object.entries(runs)) found.push(`${name}: ${await readings.withSurplus(run, 2)}`)
      return found
    },
  },
  { name: 'consoleReadings.workers', run: ({ consoleReadings: readings }) => readings.workers() },
  {
    name: 'consoleReadings.recipients',
    run: ({ consoleReadings: readings }, { ids }) => readings.recipients([3, 4].map((person) => ids.get(person) ?? 0)),
  },
  {
    name: 'consoleReadings.visibleItems',
    async run({ consoleReadings: readings }, { ids }) {
      const items = [
        { key: 'item-a', fingerprint: 'a', certificateName: 'Fire safety' },
        { key: 'item-b', fingerprint: 'b', certificateName: null },
      ]
      const visible = (scope: string[] | null) => readings.visibleItems(items, ids.get(3) ?? 0, scope)
      return [await visible(null), await visible(['spring']), await visible(['autumn'])]
    },
  },
  {
    name: 'consoleReadings.stateForRehearsal',
    run: async ({ consoleReadings: readings }) => [
      await readings.stateForRehearsal(aCourse),
      await readings.stateForRehearsal(otherCourse),
    ],
  },
  {
    name: 'issuedLists.runOf',
    async run({ issuedLists, runs }) {
      const [source, upload] = [
        { pipeline: 'spring', sourceName: 'a', sourcePath: '/a', sourceSha256: 'a' },
        'an upload',
      ]
      const { run } = await issuedLists.receive(source, { upload, by: 'ada' }, at)
      const found = await issuedLists.runOf(upload)
      return [found === run.id, (await runs.find(run.id))?.sourcePath, await issuedLists.runOf('another')]
    },
  },
  {
    name: 'issuedLists.unfinished',
    async run({ issuedLists }) {
      const found = ['received.csv', 'another'].map((sourceSha256) =>
        issuedLists.unfinished({ pipeline: 'spring', sourceSha256 }),
      )
      return [
        ...(await Promise.all(found)),
        await issuedLists.unfinished({ pipeline: 'autumn', sourceSha256: 'received.csv' }),
      ]
    },
  },
  {
    name: 'runPages.page',
    async run({ runPages }) {
      const first = await runPages.page({ scope: null }, newest)
      return [first, await runPages.page({ scope: null }, { before: first.at(-1)?.cursor ?? null, limit: 2 })]
    },
  },
  {
    ...{ name: 'runPages.page', variant: 'by phase' },
    async run({ runPages }) {
      const found: Record<string, unknown> = {}
      for (const phase of ['open', 'braked', 'settled', 'refused'] as const) {
        const runs = await runPages.page({ scope: ['spring'], phase }, { before: null, limit: 100 })
        found[phase] = runs.map(({ id }) => id)
      }
      return found
    },
  },
  {
    name: 'runPages.lastLists',
    run: async ({ runPages }) => (await runPages.lastLists(['autumn', 'spring', 'none'])).map(({ id }) => id),
  },
  {
    name: 'runPages.unsettled',
    run: async ({ runPages }) => (await runPages.unsettled(['spring'], 100)).map(({ id }) => id),
  },
  {
    name: 'runPages.visible',
    async run({ runPages }, { runs }) {
      const some = [runs.settled, runs.braked, '00000000-0000-4000-8000-00000000000c']
      const count = async (scope: string[] | null) => (await runPages.visible(some, scope)).length
      return [await count(null), await count(['spring']), await count(['autumn'])]
    },
  },
  {
    name: 'runPages.isVisible',
    run: async ({ runPages }, { runs }) => [
      await runPages.isVisible(runs.settled, null),
      await runPages.isVisible(runs.settled, ['spring']),
      await runPages.isVisible(runs.settled, ['autumn']),
      await runPages.isVisible('no id', null),
    ],
  },
]
