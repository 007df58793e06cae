// Where the outcomes of a pipeline are told, each under a name that stays the same when the configuration is written in another order.

import { createHash } from 'node:crypto'
import type { WriteBackSettings } from '#config/system-settings.ts'

export interface Target {
  pipeline: string
  /** `moodle-profile college` */
  name: string
  settings: WriteBackSettings
  /** Whether it shows one credential for each learner; else it is told every change of every credential. */
  showsOne: boolean
}

export function targetsOf(pipeline: string, writeBack: readonly WriteBackSettings[]): Target[] {
  return writeBack.map((settings) => ({
    pipeline,
    name: nameOf(settings),
    settings,
    showsOne: settings.to !== 'webhook',
  }))
}

function nameOf(settings: WriteBackSettings): string {
  switch (settings.to) {
    case 'moodle-profile':
      return `moodle-profile ${settings.system}`
    case 'moodle-assignment':
      return `moodle-assignment ${settings.system} ${settings.assignment}`
    case 'canvas-columns':
      return `canvas-columns ${settings.system}`
    case 'lti':
      return `lti ${settings.system} ${digest(settings.lineItem)}`
    case 'webhook':
      return `webhook ${new URL(settings.url).host} ${digest(settings.url)}`
  }
}

/** An address may hold what is nobody's business. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)
