// A list of three people that was handed in to a console and rehearsed, and what a person does with it.

import { join } from 'node:path'
import { openUploads, type Upload } from '#src/extensions/console/uploads/open-uploads.ts'
import type { FinishedRehearsal } from '#src/extensions/console/uploads/rehearsal-record.ts'
import { type ConsoleWorld, type ConsoleWorldOptions, openConsoleWorld } from './console-world.ts'
import { mountSmallDisk } from './small-disk.ts'
import { until } from './until.ts'
import { peopleCsv } from './world.ts'

interface RehearsedOptions extends ConsoleWorldOptions {
  disk?: boolean
  /** What happens before the list is handed in. */
  before?: (console: ConsoleWorld) => Promise<unknown>
}

/** A console with a list that was rehearsed. No worker reads what is issued. */
export async function openRehearsed(options: RehearsedOptions = {}) {
  await using stack = new AsyncDisposableStack()
  const console = stack.use(await openConsoleWorld(options))
  const { app, folder } = console.world
  if (options.disk) stack.use(await mountSmallDisk(join(folder, 'uploads'), { kibibytes: 400_000, files: 20 }))
  const uploads = openUploads(folder)
  const cookie = await console.signedIn('registrar')
  const content = peopleCsv(3)
  await options.before?.(console)
  const { headers } = await console.ask('/upload', {
    cookie,
    upload: { fields: { pipeline: 'spring' }, file: { name: 'list.csv', content } },
  })
  const id = String(headers.location).replace('/upload/', '')
  const rehearsal = async () => (await uploads.rehearsalOf(id)) as FinishedRehearsal | null
  await until('the rehearsal to end', async () => (await rehearsal())?.kind === 'finished')
  await app.ledger.locks.withLock(`upload:${id}`, async () => {})
  const { at, basis } = (await rehearsal()) as FinishedRehearsal
  const form = { rehearsed: at, sha256: basis.sha256 }
  const act = (what: string) => console.ask(`/upload/${id}/${what}`, { cookie, form })
  const closing = stack.move()
  return {
    ...{ console, app, uploads, id, cookie, upload: (await uploads.find(id)) as Upload, act },
    issue: () => act('issue'),
    show: () => console.ask(`/upload/${id}`, { cookie }),
    runs: () => app.ledger.runs.list(),
    async issuers() {
      const acts = await app.ledger.consoleActs.page({ before: null, limit: 50 })
      return acts.filter((each) => each.act === 'issued a list').map(({ by, run, why }) => ({ by, run, why }))
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
