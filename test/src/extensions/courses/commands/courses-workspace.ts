// Sets up tests of the `courses` commands: a folder, a sandbox over HTTP behind a proxy, and the command line in this
// process. No ledger is opened.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import { openSandbox, type Sandbox } from '#sandboxes/service/open-sandbox.ts'
import type { Cli } from '#src/cli/cli-context.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { jpegImage, pngImage } from '#test/support/images.ts'
import { type InterferingProxy, openInterferingProxy } from '#test/support/interfering-proxy.ts'

export interface CoursesWorkspace {
  sandbox: Sandbox
  /** The proxy between the command line and the sandbox. */
  proxy: InterferingProxy
  write(name: string, content: string | Buffer): Promise<string>
  /**
   * Runs `credsync courses ARGS`.
   * @param answer the answer typed at the terminal, or a function that returns it when the command asks; without it
   * there is no terminal
   */
  run(
    args: readonly string[],
    answer?: string | (() => Promise<string>),
  ): Promise<{ code: number; stdout: string; stderr: string }>
  /** Calls that changed a course, from the sandbox's journal. */
  changes(): string[]
}

const rejectCall = () => Promise.reject(new Error('This test must not call any job.'))

export async function openCoursesWorkspace(): Promise<CoursesWorkspace> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-courses-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // Limits are not tested here and would only slow the tests. No audit begins while a test runs, however slow it is.
  const auditPace = { unassignedMs: 3_600_000, assignedMs: 0, auditMs: 0 }
  const sandbox = await openSandbox({ limits: { general: 1_000, auth: 100 }, auditPace }, systemClock)
  onTestFinished(() => sandbox.close())
  const proxy = await openInterferingProxy(sandbox.url)
  onTestFinished(() => proxy.close())
  const [course] = sandbox.courses
  const spring = { course: course?.uuid, template: course?.templateUuid, badgeTemplate: course?.badgeTemplateUuid }
  await writeFile(
    join(folder, 'credsync.yaml'),
    JSON.stringify({ service: { environment: 'development' }, pipelines: { spring } }),
  )
  const env = { CREDSYNC_BASE_URL: proxy.url, CREDSYNC_KEY: sandbox.key, CREDSYNC_SECRET: sandbox.secret }
  return {
    sandbox,
    proxy,
    async write(name, content) {
      await writeFile(join(folder, name), content)
      return name
    },
    async run(args, answer) {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()]
      const stdin = Object.assign(new PassThrough(), { isTTY: answer !== undefined })
      // The stream resumes when the command waits for the answer.
      if (answer !== undefined)
        stdin.once('resume', async () => void stdin.write(`${typeof answer === 'string' ? answer : await answer()}\n`))
      const cli: Cli = {
        argv: ['courses', ...args, '--config', 'credsync.yaml'],
        env,
        cwd: folder,
        // Pauses between checks and retries are skipped; deadlines, which have a signal, are not.
        clock: {
          ...systemClock,
          sleep: (ms, signal) => systemClock.sleep(signal ? ms : Math.min(ms, 20), signal),
        },
        random: () => 0.5,
        stdin,
        stdout,
        stderr,
        signal: new AbortController().signal,
        jobs: new Proxy({} as never, { get: () => rejectCall }),
      }
      const code = await runCommandLine(cli)
      return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }
    },
    changes: () =>
      sandbox
        .entries()
        .flatMap((entry) => (entry.kind === 'course changed' ? [`${entry.change} ${entry.course}`] : [])),
  }
}

/** Fields that the detail of a course never shows. */
export const unshown = `certificationBody: Chamber of Sandbox Trades
modules: [Arc welding, ARC-2]
label1: Welding
label2: null
label3: ''
label4: four
label5: null
`

/** A course file with every key, with names instead of uuids. */
export const wholeCourse = `name: Welding under water, advanced course
number: WET-1
category: Handwerk
templates: [Trades certificate, Certificate of attendance]
badgeTemplates: [trades_badge]
expires: true
validity: 2
validityUnit: years
recertification: Needed
public: false
description: |
  <p>Steel, "gas" &amp; water.</p>
  <p>Second line: ä ß 日本</p>
content: Theory and practice
includes: [Helmet, 'Gloves, two pairs']
competency: Level 3
competencyTags: [arc, deep water]
certificateDescription: Has shown all that is needed
admissionRequirement: Can swim
duration: 40
durationUnit: hours
format: classroom
lessons: 12
price: 1250.5
currency: EUR
languages: [German, english]
certificateCourseId: X-77
buyUrl: https://example.org/wet?a=1&b=2
partnerName: Diving Ltd
partnerUrl: https://example.org/
image: square.png
certificateImage: ./wide.jpg
${unshown}`

export async function writeWhole(workspace: CoursesWorkspace, name = 'course.yaml'): Promise<string> {
  await workspace.write('square.png', pngImage())
  await workspace.write('wide.jpg', jpegImage())
  return workspace.write(name, wholeCourse)
}
