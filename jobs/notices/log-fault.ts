// Logs the error of one step of the notices, so that the other steps run all the same.

import type { App } from '#src/app/app.ts'
import { faultName } from '#src/platform/log/fault-name.ts'

/** Waits for the work. The metric of events counts its error. */
export async function logFault({ log }: Pick<App, 'log'>, where: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error) => log.event('fault', { where, error: faultName(error) }))
}
