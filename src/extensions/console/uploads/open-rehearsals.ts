// Rehearses lists in the background, one after the other, so that the memory holds one at a time. A rehearsal that a
// kill interrupted begins again: what is left to do is beside the lists, not in this process.

import type { App } from '#src/app/app.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { lockOfUpload, type Upload, type Uploads } from './open-uploads.ts'
import type { Rehearsal } from './rehearsal-record.ts'
import { rehearse } from './rehearse-list.ts'

export interface Rehearsals extends AsyncDisposable {
  /** Rehearses the list, unless it is being rehearsed or was rehearsed already. */
  start(upload: Upload): void
  /** Rehearses every list that was not rehearsed to the end, in this process or in one that is gone. */
  resume(): Promise<void>
  /** How many rows have been read; null if this process does not rehearse it right now. */
  rowsRead(id: string): number | null
  /** Ends the rehearsal of a list. */
  stop(id: string): Promise<void>
}

interface Task {
  upload: Upload
  controller: AbortController
  rows: number
  done: PromiseWithResolvers<void>
}

/** A list that ends the process each time it is read must not do so forever. */
const maxTries = 3
const interrupted = `The rehearsal was interrupted ${maxTries} times, perhaps because credsync was restarted. Rehearse it again; if that does not help, ask whoever runs credsync to look at the log.`

export function openRehearsals(parts: App, uploads: Uploads): Rehearsals {
  const tasks = new Map<string, Task>()
  /** In the order in which they came. */
  const waiting = new Set<Task>()
  let isWorking = false

  const isIssued = async ({ id }: Upload) => (await parts.ledger.issuedLists.runOf(id)) !== null

  function start(upload: Upload): void {
    if (tasks.has(upload.id)) return
    const task: Task = { upload, controller: new AbortController(), rows: 0, done: Promise.withResolvers() }
    tasks.set(upload.id, task)
    waiting.add(task)
    if (!isWorking) void work()
  }

  async function work(): Promise<void> {
    isWorking = true
    for (let task = next(); task; task = next()) {
      const { signal } = task.controller
      await runTask(task).catch((error: Error) => {
        if (!signal.aborted) parts.log.event('fault', { where: 'rehearsal', error: faultName(error) })
      })
      end(task)
    }
    isWorking = false
  }

  function next(): Task | undefined {
    const [task] = waiting
    if (task) waiting.delete(task)
    return task
  }

  function end(task: Task): void {
    waiting.delete(task)
    tasks.delete(task.upload.id)
    task.done.resolve()
  }

  async function runTask(task: Task): Promise<void> {
    const { upload, controller } = task
    // A list that another process holds is rehearsed there.
    await parts.ledger.locks.withLock(
      lockOfUpload(upload.id),
      () => rehearseOnce(upload, task, controller.signal),
      false,
    )
  }

  async function rehearseOnce(upload: Upload, task: Task, signal: AbortSignal): Promise<void> {
    const before = await uploads.rehearsalOf(upload.id)
    if (!isLeft(before) || (await isIssued(upload)) || (await uploads.find(upload.id)) === null) return
    const { tries, because } = before ?? { tries: 0, because: [] }
    if (tries >= maxTries) return uploads.keepRehearsal(upload.id, { kind: 'failed', sentence: interrupted })
    await uploads.keepRehearsal(upload.id, { kind: 'under way', tries: tries + 1, because })
    const result = await rehearse(parts, {
      ...{ upload, path: uploads.pathOf(upload), because, signal },
      onRows(count) {
        signal.throwIfAborted()
        task.rows += count
      },
    })
    await uploads.keepRehearsal(upload.id, result)
  }

  async function stop(id: string): Promise<void> {
    const task = tasks.get(id)
    if (!task) return
    task.controller.abort()
    if (waiting.has(task)) end(task)
    await task.done.promise
  }

  return {
    start,
    async resume() {
      for (const upload of (await uploads.list()).reverse()) {
        if (upload.environment !== parts.ledger.environment || !isLeft(await uploads.rehearsalOf(upload.id))) continue
        if (!(await isIssued(upload))) start(upload)
      }
    },
    rowsRead: (id) => tasks.get(id)?.rows ?? null,
    stop,
    async [Symbol.asyncDispose]() {
      await Promise.all([...tasks.keys()].map(stop))
    },
  }
}

const isLeft = (rehearsal: Rehearsal | null): rehearsal is Extract<Rehearsal, { kind: 'under way' }> | null =>
  rehearsal === null || rehearsal.kind === 'under way'
