// Opens the client of the service for commands that only read from the service. Does not open the ledger.

import { openRequestLimits } from '#src/app/request-limits.ts'
import { openIssuer } from '#src/issuer/issuer.ts'
import { openCourseCache } from '#src/issuing/pipelines/course-cache.ts'
import { findCourse } from '#src/issuing/pipelines/find-course.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'
import { type Cli, settingsFor } from './cli-context.ts'

export type ServiceReading = Awaited<ReturnType<typeof openServiceForReading>>

/** Makes no request yet. @throws SettingsError, BaseUrlError */
export async function openServiceForReading(cli: Cli, options: { config?: string }) {
  await using stack = new AsyncDisposableStack()
  const settings = await settingsFor(cli, options)
  const { clock, random } = cli
  const { baseUrl, key, secret } = settings
  const limits = await openRequestLimits(settings, { clock }, { mayLimitLocally: true })
  stack.defer(() => limits.close())
  const { gates, tokenStore } = limits
  const issuer = openIssuer({ baseUrl, key, secret, gates, tokenStore, clock, random })
  stack.defer(() => issuer.close())
  const pipelines = openPipelines(settings.file.pipelines)
  const cache = openCourseCache(issuer, clock)
  const closing = stack.move()
  return {
    settings,
    issuer,
    pipelines,
    /** @throws CourseUnknownError */
    course: (word: string) => findCourse(word, { pipelines, cache, listCourses: () => issuer.listCourses() }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
