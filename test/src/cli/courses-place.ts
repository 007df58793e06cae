// A folder, a sandbox on the wire, and the command line in this process: what the commands about courses need. No ledger is opened by them.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import { runCommandLine } from '#src/cli/command-line.ts'
import type { Cli } from '#src/cli/surroundings.ts'
import { openSandbox, type Sandbox } from '#src/sandbox/open-sandbox.ts'
import { systemClock } from '#src/time/clock.ts'
import { jpegImage, pngImage } from '#test/support/images.ts'
import { type InterferingProxy, openInterferingProxy } from '#test/support/interfering-proxy.ts'

export interface CoursesPlace {
  sandbox: Sandbox
  /** Between the command line and the sandbox. */
  proxy: InterferingProxy
  write(name: string, content: string | Buffer): Promise<string>
  /** Runs `credsync courses ARGS`. With `word`, a person at a terminal says it when asked; one that is a function is called then. */
  run(
    args: readonly string[],
    word?: string | (() => Promise<string>),
  ): Promise<{ code: number; stdout: string; stderr: string }>
  /** Calls that changed a course, as the sandbox's journal has them. */
  changes(): string[]
}

const unreached = () => Promise.reject(new Error('Nothing of this is asked for here.'))

export async function openCoursesPlace(): Promise<CoursesPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-courses-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // The limits are not what is tried here, and their waits would be.
  const sandbox = await openSandbox({ limits: { general: 1_000, auth: 100 } }, systemClock)
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
    async run(args, word) {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()]
      const stdin = Object.assign(new PassThrough(), { isTTY: word !== undefined })
      // Whoever begins to read is waiting for the word.
      if (word !== undefined)
        stdin.once('resume', async () => void stdin.write(`${typeof word === 'string' ? word : await word()}\n`))
      const cli: Cli = {
        argv: ['courses', ...args, '--config', 'credsync.yaml'],
        env,
        cwd: folder,
        // Looks and tries need no pause between them; deadlines, which come with a signal, keep theirs.
        clock: {
          ...systemClock,
          sleep: (ms, signal) => systemClock.sleep(signal ? ms : Math.min(ms, 20), signal),
        },
        random: () => 0.5,
        stdin,
        stdout,
        stderr,
        signal: new AbortController().signal,
        doing: new Proxy({} as never, { get: () => unreached }),
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

/** What no detail of a course shows. */
export const unshown = `certificationBody: Chamber of Sandbox Trades
modules: [Arc welding, ARC-2]
label1: Welding
label2: null
label3: ''
label4: four
label5: null
`

/** Every key, with names in place of uuids. */
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

export async function writeWhole(place: CoursesPlace, name = 'course.yaml'): Promise<string> {
  await place.write('square.png', pngImage())
  await place.write('wide.jpg', jpegImage())
  return place.write(name, wholeCourse)
}
