// Who asks for looks into inboxes: the sweep, from the ledger's memory; and the queue's own timer, which is a hint and may be lost.

import { dueLook, firstMemory } from '#src/inbox/when-to-look.ts'
import type { Tools } from './tools.ts'

type WatchTools = Pick<Tools, 'ledger' | 'inboxes' | 'queues' | 'clock'>

/** Asks for a look wherever one is due, or a finished run's file is still to be put away. */
export async function askForLooks({ ledger, inboxes, queues, clock }: WatchTools): Promise<number> {
  if (inboxes.all.length === 0) return 0
  const looks = new Map((await ledger.inboxes.looks()).map((look) => [look.pipeline, look]))
  const toFile = await ledger.inboxes.pipelinesToFile()
  let asked = 0
  for (const { pipeline, schedule } of inboxes.all) {
    const now = clock.now()
    const memory = looks.get(pipeline) ?? (await ledger.inboxes.lookOf(pipeline, firstMemory(schedule, now)))
    const retrying = memory.againAt !== null && memory.againAt <= now
    if (!toFile.has(pipeline) && !retrying && !dueLook(schedule, memory, now)) continue
    if (await ledger.inboxes.take(pipeline)) asked += Number(await queues.ask('collect', { pipeline }))
  }
  return asked
}

/** Sets the queue's timers, and has each inbox tended once: a kill may have left files behind that are due at no time. */
export async function beginWatching({ inboxes, queues }: WatchTools): Promise<void> {
  await queues.schedule(
    'collect',
    inboxes.all.map(({ pipeline, schedule: { everyMs, text, timeZone } }) => ({
      id: `inbox-${pipeline}`,
      payload: { pipeline },
      at: everyMs === null ? { pattern: text, tz: timeZone } : { every: everyMs },
    })),
  )
  for (const { pipeline } of inboxes.all) await queues.ask('collect', { pipeline })
}
