// What goes wrong besides the kill, so that the rarer steps are walked: mischief on the wire, and what is handed over.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { peopleCsv, type World } from '#test/support/world.ts'

const invitation = '/recipients/data/upload'

interface Scene {
  /** Calls at a time, where the scene depends on their order. */
  concurrency: number | null
  prepare(world: World): Promise<void>
}

const quiet: Scene = { concurrency: null, prepare: async () => {} }

export const scenes = {
  plain: quiet,
  'a request is lost': {
    // One call at a time: what is sent after the lost one is then the control that proves its loss.
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
  // What is wanted comes when there are credentials: see desk.ts. The first look for a revocation comes to nothing.
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

/** The disk of the archive comes when it was missed. */
async function mountLate({ app, folder }: World): Promise<void> {
  while (!(await app.ledger.archives.standings())[0]?.problem) await pause(50)
  await mkdir(join(folder, 'disk'))
}

/** A list of `count` people, the first of them twice, and one row that cannot be issued. */
export function crashCsv(count: number, from = 1): string {
  const people = peopleCsv(count, from)
  const again = people.split('\n')[1]
  return `${people}${again}\nno-address,Nobody,Nowhere\n`
}
