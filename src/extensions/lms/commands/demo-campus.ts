// What `demo --lms` needs of a learning system: its learners, what happens there, and what it shows in the end. One file
// for each kind of system implements it.

import { randomBytes } from 'node:crypto'
import type { Settings } from '#config/settings.ts'
import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import type { App } from '#src/app/app.ts'

export interface DemoLearner {
  id: string
  name: string
}

export interface Campus {
  /** What the system is called, such as Moodle. */
  name: string
  /** The page of documentation about it. */
  page: string
  learners: readonly [DemoLearner, DemoLearner, DemoLearner]
  settings: Settings
  /** Where outcomes are shown, such as “the profile”. */
  place: string
  /** What is shown there, in the order of the table. The last one is the status. */
  fields: readonly string[]
  /** Makes the system send its events to this address of the worker. @returns what is sent where */
  sendTo(url: string): string
  /** The first learner completes the course, and an event reports it. */
  completeWithEvent(): Promise<void>
  /**
   * The other two complete the course, without the event of the first, and the first completion is reported again.
   * @returns lines that say what happened
   */
  completeWithoutEvent(): Promise<string[]>
  /** What the system shows of a learner's credential, by field; empty texts for what it does not show. */
  shown(app: App, learner: DemoLearner): Promise<Record<string, string>>
  /** The number of events sent, by channel. */
  events(): Record<string, number>
  close(): Promise<void>
}

export const pipelineName = 'fire-safety'

/** The learners' names and numbers, the same in every system. */
export const people = [
  { firstname: 'Ada', lastname: 'Lovelace', idnumber: 'E-1001' },
  { firstname: 'Grace', lastname: 'Hopper', idnumber: 'E-1002' },
  { firstname: 'Alan', lastname: 'Turing', idnumber: 'E-1003' },
] as const

export const newSecret = (): string => randomBytes(16).toString('hex')

/** The pipeline of `demo --lms`, which issues the completions of one course of the system `campus`. */
export function campusPipeline(sandbox: Sandbox, code: string, target: object): object {
  const [course] = sandbox.courses
  if (!course) throw new Error('The sandbox has no course.')
  return {
    pipelines: {
      [pipelineName]: {
        course: course.uuid,
        template: course.templateUuid,
        badgeTemplate: course.badgeTemplateUuid,
        source: { system: 'campus', course: code },
        columns: { Email: 'email', 'Primary Value': { value: 'Email' } },
        options: { publicLink: true },
        writeBack: [target],
      },
    },
    reconcile: { every: '500ms', slowest: '2s' },
    web: { port: 0 },
  }
}
