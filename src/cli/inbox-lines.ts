// The inboxes as `status` tells of them: when each was looked at last, and what was missed. Pure.

import type { InboxLook } from '#src/ledger/inboxes.ts'
import { minuteOf } from '#src/time/minute.ts'
import { countOf } from '#src/write-back/count-of.ts'

/** A night that was missed is told for so long. */
const toldMs = 7 * 86_400_000

export function inboxLines(looks: readonly InboxLook[], now: Date): string[] {
  return looks.flatMap((look) => {
    const parts = [look.lookedAt ? `looked at ${minuteOf(look.lookedAt)}` : 'not looked at yet']
    if (look.filesAt) parts.push(`${countOf(look.files, 'file')} taken at ${minuteOf(look.filesAt)}`)
    if (look.missedAt && look.caughtUpAt && now.getTime() - look.caughtUpAt.getTime() < toldMs)
      parts.push(
        `missed ${minuteOf(look.missedAt)}${look.missed > 1 ? ` and ${look.missed - 1} more` : ''}, caught up at ${minuteOf(look.caughtUpAt)}`,
      )
    const line = `inbox ${look.pipeline}: ${parts.join('; ')}${look.lookedAt ? ' UTC' : ''}${look.problem ? `. ${look.problem}` : ''}`
    return [line, ...leftLines(look.leftLying)]
  })
}

function leftLines(lying: InboxLook['leftLying']): string[] {
  if (!lying) return []
  const named = lying.examples.slice(0, 3).map(({ name, why }) => `  not taken: ${name}: ${why}`)
  return lying.count > named.length ? [...named, `  and ${countOf(lying.count - named.length, 'more file')}`] : named
}

/** What `status --json` tells of an inbox. */
export function inboxDocument(look: InboxLook): object {
  const { pipeline, lookedAt, files, filesAt, missedAt, missed, caughtUpAt, problem, leftLying } = look
  return { pipeline, lookedAt, files, filesAt, missedAt, missed, caughtUpAt, problem, leftLying }
}
