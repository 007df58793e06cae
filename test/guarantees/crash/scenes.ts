// Sets up additional faults, so that rarer steps are reached: network faults and unusual lists.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { peopleCsv, type World } from '#test/support/world.ts'

const invitation = '/recipients/data/upload'

interface Scene {
  /** Maximum concurrent calls, if the scene depends on their order. */
  concurrency: number | null
  prepare(world: World): Promise<void>
}

const noFaults: Scene = { concurrency: null, prepare: async () => {} }

export const scenes = {
  plain: noFaults,
  'a request is lost': {
    // One call at a time, so that a later call is the control that proves the loss of an earlier one.
    concurrency: 1,
    prepare: async ({ wire }) => wire.spoil(invitation, 'lose-request'),
  },
  'two answers are lost': {
    concurrency: 1,
    prepare: async ({ wire }) => wire.spoil(invitation, 'lose-answer', 2),
  },
  'one batch is always lost': {
    concurrency: 1,
    prepare: async ({ wire }) => wire.spoilIfBody(invitation, '"person.3@example.org"', 'lose-request'),
  },
  'the course is not approved': {
    concurrency: null,
    prepare: async ({ wire }) => {
      const data = { approval_status_id: 1, is_active: 1, templateDetails: [], badgeTemplateDetail: [] }
      const body = JSON.stringify({ status: 200, message: 'Course details.', payload: { data }, pager: {} })
      wire.spoil('/course/detail', { status: 200, body })
    },
  },
  'certificates are archived': {
    concurrency: null,
    prepare: async (world) => {
      const { wire, settings, folder } = world
      const { spring } = settings.file.pipelines
      if (spring) spring.archive = { to: join(folder, 'disk', 'archive') }
      void mountLate(world).catch(() => {})
      wire.spoil('/downloadCertificate/', { status: 409, body: '{"status":409,"message":"Not yet."}' })
    },
  },
  // The changes are requested when the credentials exist (requester.ts). The first check of a revocation finds nothing.
  'credentials are revoked and corrected': {
    concurrency: null,
    prepare: async ({ wire }) =>
      wire.spoilIfBody(
        '/student/report',
        'credential_id',
        { status: 400, body: '{"status":400,"message":"Not now."}' },
        1,
      ),
  },
  'a file is unusable': {
    concurrency: null,
    prepare: async (world) =>
      void (await world.receive('unusable.csv', peopleCsv(3, 900).replace('e_mail', 'telephone'))),
  },
} as const satisfies Record<string, Scene>

export type SceneName = keyof typeof scenes

/** Makes the archive's disk available after the worker has reported it missing. */
async function mountLate({ app, folder }: World): Promise<void> {
  while (!(await app.ledger.archives.statuses())[0]?.problem) await pause(50)
  await mkdir(join(folder, 'disk'))
}

/** A list of `count` people with the first of them repeated, and one row that cannot be issued. */
export function crashCsv(count: number, from = 1): string {
  const people = peopleCsv(count, from)
  const firstPerson = people.split('\n')[1]
  return `${people}${firstPerson}\nno-address,Nobody,Nowhere\n`
}
