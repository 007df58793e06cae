// What an extension may do in a worker. Every member is optional.

import type { App } from '#src/app/app.ts'
import type { CoreApp } from '#src/app/open-core.ts'
import type { WorkName } from '#src/cli/job-actions.ts'
import type { Tools } from './job-tools.ts'

/** The parts of the app that jobs of extensions may use: those of the core's jobs, and what extensions add. */
export type ExtensionTools = Tools & Pick<App, 'ledger'> & Omit<App, keyof CoreApp>

export interface ExtensionJobs {
  /** Called before the worker takes a job. @param inboxes whether it is a worker of `start` */
  prepare?(app: App, chosenWork: ReadonlySet<WorkName>, inboxes: boolean): Promise<void>
  /** In each sweep: queues jobs for what is due. @returns how many */
  queueDue?(tools: ExtensionTools): Promise<number>
  /** What a worker of `start` does slowly besides the sweep. A turn returns whether there may be more to do soon. */
  turns?: Readonly<Record<string, (app: App) => Promise<boolean>>>
}
