import type { App } from '#src/app/app.ts'
import { faultName } from '#src/platform/log/fault-name.ts'

/**
 * Waits for one step of the notices, and logs its error instead of throwing it, so that the other steps still run. The
 * metric of events counts the error.
 */
export async function logFault({ log }: Pick<App, 'log'>, where: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error) => log.event('fault', { where, error: faultName(error) }))
}
