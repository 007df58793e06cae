// A ledger whose notices are decided and sent by a clock that the test moves, to a real mail server and a real receiver
// of hooks.

import type { SMTPServerOptions } from 'smtp-server'
import { parseFileSettings } from '#config/settings.ts'
import type { NoticeTools } from '#jobs/notices/decide-notices.ts'
import { decisionRound } from '#jobs/notices/notice-loop.ts'
import { openMessageSender } from '#jobs/notices/send-messages.ts'
import { targetsOf } from '#src/extensions/lms/sync/targets-of-pipeline.ts'
import { targetKinds } from '#src/extensions/lms/targets/registry.ts'
import { openNotices } from '#src/extensions/notices/open-notices.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import type { EventFields, EventName } from '#src/platform/log/events.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openMailServer, type TestMailServer } from './mail-server.ts'
import { openScriptedServer, type ScriptedServer } from './scripted-server.ts'
import { openTestLedger, type TestLedger } from './test-ledger.ts'

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export interface NoticeWorld extends AsyncDisposable {
  ledger: TestLedger
  mail: TestMailServer
  hooks: ScriptedServer
  tools: NoticeTools
  logged: { event: EventName; fields: EventFields }[]
  now(): Date
  /** Replaces the pipelines of the configuration, and the recipients if there are some, as a restart with another file does. */
  configure(pipelines: Record<string, Record<string, unknown>>, to?: Record<string, unknown>): void
  /** Moves the clock and runs one round, and another after half a minute, when changes have settled. */
  pass(ms: number): Promise<void>
  /** Sets the clock and runs a round. */
  at(iso: string): Promise<void>
  round(): Promise<void>
  subjects(): string[]
}

export interface NoticeWorldOptions {
  /** Added to the recipients; the default is `ops`, by e-mail, for everything. */
  notify?: (ports: { hooks: string }) => Record<string, unknown>
  pipeline?: Record<string, unknown>
  /** For the mail server. */
  mail?: SMTPServerOptions
  now?: string
}

export async function openNoticeWorld(options: NoticeWorldOptions = {}): Promise<NoticeWorld> {
  await using stack = new AsyncDisposableStack()
  const ledger = stack.use(await openTestLedger())
  const mail = stack.use(await openMailServer(options.mail))
  const hooks = await openScriptedServer()
  stack.defer(() => hooks.close())
  const wire = openLmsHttp(systemClock)
  stack.defer(() => wire.close())
  let time = new Date(options.now ?? systemClock.now()).getTime()
  const clock = { ...systemClock, now: () => new Date(time) }
  const course = '11111111-1111-4111-8111-111111111111'
  const noticesOf = (pipelines: Record<string, Record<string, unknown>>, to?: Record<string, unknown>) => {
    const ids = { course, template: course, badgeTemplate: course }
    const file = parseFileSettings({
      service: { environment: 'development' },
      pipelines: Object.fromEntries(Object.entries(pipelines).map(([name, own]) => [name, { ...ids, ...own }])),
      notify: {
        smtp: { host: '127.0.0.1', port: mail.port, from: 'credsync@example.org', tls: 'none' },
        to: { ops: { email: ['ops@example.org'] } },
        ...options.notify?.({ hooks: hooks.url }),
        ...(to && { to }),
      },
    })
    const targets = Object.entries(file.pipelines).flatMap(([name, pipeline]) => targetsOf(name, pipeline, targetKinds))
    return openNotices(file, { send: wire.send, clock }, targets)
  }
  const logged: NoticeWorld['logged'] = []
  const tools: NoticeTools = {
    ledger: ledger.ledger,
    notices: noticesOf({ spring: options.pipeline ?? {} }),
    log: { event: (event, fields = {}) => void logged.push({ event, fields }) },
    clock,
    random: () => 0,
  }
  let sender = openMessageSender(tools, new AbortController().signal)
  const round = async () => {
    await decisionRound(tools)
    await sender.round()
    await sender.idle()
  }
  const closing = stack.move()
  return {
    ...{ ledger, mail, hooks, tools, logged, round },
    now: clock.now,
    configure(pipelines, to) {
      tools.notices = noticesOf(pipelines, to)
      sender = openMessageSender(tools, new AbortController().signal)
    },
    async pass(ms) {
      time += ms
      await round()
      time += 30_000
      await round()
    },
    async at(iso) {
      time = new Date(iso).getTime()
      await round()
    },
    subjects: () => mail.received.map((each) => each.headers.find(({ name }) => name === 'subject')?.value ?? ''),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
