// For commands that only read from the service: its client is opened, the ledger is not.

import type { Settings } from '#config/settings.ts'
import { openAllowance } from '#src/allowance.ts'
import { type Issuer, openIssuer } from '#src/issuer/issuer.ts'
import { openCourseDesk } from '#src/pipelines/course-desk.ts'
import { type FoundCourse, findCourse } from '#src/pipelines/find-course.ts'
import { openPipelines, type Pipelines } from '#src/pipelines/pipelines.ts'
import { type Cli, settingsFor } from './surroundings.ts'

export interface ServiceReading extends AsyncDisposable {
  settings: Settings
  issuer: Issuer
  pipelines: Pipelines
  /** @throws CourseUnknownError */
  course(word: string): Promise<FoundCourse>
}

/** Nothing is asked of the service yet. @throws SettingsError, BaseUrlError */
export async function readService(cli: Cli, options: { config?: string }): Promise<ServiceReading> {
  await using stack = new AsyncDisposableStack()
  const settings = await settingsFor(cli, options)
  const { clock, random } = cli
  const { baseUrl, key, secret } = settings
  const allowance = await openAllowance(settings, { clock }, { mayGoAlone: true })
  stack.defer(() => allowance.close())
  const { gates, tokenStore } = allowance
  const issuer = openIssuer({ baseUrl, key, secret, gates, tokenStore, clock, random })
  stack.defer(() => issuer.close())
  const pipelines = openPipelines(settings.file.pipelines)
  const desk = openCourseDesk(issuer, clock)
  const closing = stack.move()
  return {
    settings,
    issuer,
    pipelines,
    course: (word) => findCourse(word, { pipelines, desk, listCourses: () => issuer.listCourses() }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
