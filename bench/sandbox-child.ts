// A sandbox in a process of its own, for benchmarks of the worker's memory: forked, it tells its address and keys once, and ends with its parent.

import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import { systemClock } from '#src/time/clock.ts'

export interface SandboxTold {
  url: string
  key: string
  secret: string
  course: { uuid: string; templateUuid: string; badgeTemplateUuid: string }
}

const { url, key, secret, courses } = await openSandbox({}, systemClock)
const course = courses[0]
if (!course) throw new Error('The sandbox has no course.')
const told: SandboxTold = { url, key, secret, course }
process.send?.(told)
process.on('disconnect', () => process.exit(0))
