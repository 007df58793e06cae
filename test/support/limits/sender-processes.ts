// Starts a strict server and several processes that share its limit, and collects what they did.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SenderOptions, SenderReport } from './sender.ts'
import type { ServerReport, StrictOptions } from './strict-server.ts'

export interface Senders {
  /** Sends SIGKILL to the last running process. */
  kill(): void
  /** Returns what the server has received so far. */
  seen(): Promise<ServerReport>
  /** Stops all processes. */
  end(): Promise<Result>
}

export interface Result {
  /** The reports of the processes that were not killed. */
  done: SenderReport[]
  server: ServerReport
}

export interface SendersOptions extends Omit<SenderOptions, 'serviceUrl'> {
  processes: number
  server: StrictOptions
  /** Another sender program, which takes the same options and makes the same reports. */
  sender?: string
}

/** Starts the server and the processes. Resolves once all of them are sending. */
export async function startSenders({
  processes,
  server,
  sender = pathOf('sender.ts'),
  ...orders
}: SendersOptions): Promise<Senders> {
  const strict = start(pathOf('strict-server.ts'), server)
  const { url: serviceUrl } = await nextMessage<{ url: string }>(strict)
  const senders = Array.from({ length: processes }, () => start(sender, { ...orders, processes, serviceUrl }))
  await Promise.all(senders.map((sender) => nextMessage(sender)))
  return {
    kill: () => void senders.pop()?.kill('SIGKILL'),
    seen: () => requestReport<ServerReport>(strict),
    async end() {
      const done = await Promise.all(senders.map((sender) => requestReport<SenderReport>(sender)))
      const seen = await requestReport<ServerReport>(strict)
      for (const child of [...senders, strict]) child.disconnect()
      return { done, server: seen }
    },
  }
}

/** Returns the send times of all processes, oldest first, in milliseconds of the machine's clock. */
export function sendsOf({ done }: Result): number[] {
  return done.flatMap((entry) => entry.sends).sort((a, b) => a - b)
}

/** Returns the highest number of sends in any interval of `windowMs`; none if that is zero or less. */
export function maxInWindow(times: readonly number[], windowMs = 1_000): number {
  let count = 0
  let from = 0
  for (const [to, at] of times.entries()) {
    while (from <= to && (times[from] ?? at) <= at - windowMs) from += 1
    count = Math.max(count, to - from + 1)
  }
  return count
}

const pathOf = (name: string) => join(import.meta.dirname, name)

function start(program: string, orders: object): ChildProcess {
  return fork(program, [JSON.stringify(orders)])
}

function requestReport<Answer>(child: ChildProcess): Promise<Answer> {
  const answer = nextMessage<Answer>(child)
  child.send('report')
  return answer
}

async function nextMessage<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, 'message')
  return answer as Answer
}
