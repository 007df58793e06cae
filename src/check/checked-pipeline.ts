// Types shared by the checks of one pipeline: the pipeline, its course, and the parts of the app that the checks use.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { App } from '#src/app/app.ts'
import type { Parts, ServicePart } from './open-parts.ts'

export type PipelineTools = ServicePart & Pick<Parts, 'pipelines' | 'ledger' | 'clock' | 'tuning' | 'settings'>

export interface CheckedPipeline {
  name: string
  pipeline: PipelineSettings
  /** The course's uuid. */
  uuid: string
}

export type CheckedCourse = Awaited<ReturnType<App['issuer']['courseDetail']>>
