// A strict server and the processes that share its limit, and what came of it.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Done, Orders } from './sender.ts'
import type { Seen, StrictOptions } from './strict-server.ts'

export interface Crew {
  /** SIGKILL to the last process that still runs. */
  kill(): void
  /** Ends all. */
  end(): Promise<Result>
}

export interface Result {
  /** Of those that were not killed. */
  done: Done[]
  server: Seen
}

export interface CrewOptions extends Omit<Orders, 'serviceUrl'> {
  processes: number
  server: StrictOptions
  /** Another program that sends, with the same orders and answers. */
  sender?: string
}

/** Starts the server and the processes; all of them send when this resolves. */
export async function startCrew({
  processes,
  server,
  sender = here('sender.ts'),
  ...orders
}: CrewOptions): Promise<Crew> {
  const strict = start(here('strict-server.ts'), server)
  const { url: serviceUrl } = await told<{ url: string }>(strict)
  const senders = Array.from({ length: processes }, () => start(sender, { ...orders, processes, serviceUrl }))
  await Promise.all(senders.map((sender) => told(sender)))
  return {
    kill: () => void senders.pop()?.kill('SIGKILL'),
    async end() {
      const done = await Promise.all(senders.map((sender) => asked<Done>(sender)))
      const seen = await asked<Seen>(strict)
      for (const child of [...senders, strict]) child.disconnect()
      return { done, server: seen }
    },
  }
}

/** Sends of all processes, oldest first, milliseconds of the machine's clock. */
export function sendsOf({ done }: Result): number[] {
  return done.flatMap((each) => each.sends).sort((a, b) => a - b)
}

/** The most that any second of any phase holds. */
export function mostInASecond(times: readonly number[]): number {
  let most = 0
  let from = 0
  for (const [to, at] of times.entries()) {
    while ((times[from] ?? at) <= at - 1_000) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

const here = (name: string) => join(import.meta.dirname, name)

function start(program: string, orders: object): ChildProcess {
  return fork(program, [JSON.stringify(orders)])
}

function asked<Answer>(child: ChildProcess): Promise<Answer> {
  const answer = told<Answer>(child)
  child.send('tell')
  return answer
}

async function told<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, 'message')
  return answer as Answer
}
