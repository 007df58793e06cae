// Gives a file to a separate thread that reads it, so that a malicious file exhausts neither the memory nor the time of
// this process.

import type { SourceOptions } from '#src/files/tables/source.ts'
import type { OpenFile } from '../source-file.ts'
import type { TableReading } from '../source-limits.ts'
import type { idle, ReadingReply, Replies, Request, RequestKind, started } from './reading-messages.ts'
import { keepThread, type RunningThread, takeThread } from './warm-thread.ts'

export interface ReadingThread {
  /**
   * Sends a request to the thread.
   * @throws SourceError if the thread refuses the file, runs out of memory or ends unexpectedly; the system's error if
   * the thread could not start, which is not the file's fault
   */
  ask<A extends RequestKind>(kind: A, name?: string): Promise<Replies[A]>
  /** Keeps the process running until `letGo`. A thread that no one holds does not prevent the process from exiting. */
  hold(): void
  /** Ends one `hold`; each call of `hold` needs one. */
  letGo(): void
  /** Releases the thread, which has read its file to the end, for other files. */
  release(): Promise<void>
  /** Terminates the thread, even while it is reading. Pending requests are refused. Does nothing after `release`. */
  end(): Promise<void>
}

interface PendingRequest {
  resolve(reply: Replies[RequestKind]): void
  reject(error: Error): void
}

/** Gives an open file, which must stay open until `release` or `end`, to a thread. Throws the errors of its start. */
export async function openReadingThread(
  { path, descriptor, bytes }: OpenFile,
  options: SourceOptions,
  reading: TableReading,
): Promise<ReadingThread> {
  const { limits, refuse } = reading
  const thread = await takeThread(limits.heapMegabytes)
  const { worker } = thread
  const pending = new Map<number, PendingRequest>()
  let requestCount = 0
  let holders = 0
  let failure: Error | undefined
  let released = false

  const fail = (error: Error) => {
    failure ??= error
    for (const each of pending.values()) each.reject(failure)
    pending.clear()
  }
  const onMessage = (message: typeof started | typeof idle | ReadingReply) => {
    if (typeof message === 'string') return
    const request = pending.get(message.id)
    pending.delete(message.id)
    if ('reply' in message) request?.resolve(message.reply)
    else request?.reject(refuse(message.refused.code, message.refused.sentence))
  }
  const onError = (error: unknown) => fail(failureOf(error, thread, reading))
  const onExit = () => onError(new Error('A reading thread ended unexpectedly.'))
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)

  return {
    ask<A extends RequestKind>(kind: A, name?: string) {
      const reply = new Promise<Replies[A]>((resolve, reject) => {
        if (failure) return reject(failure)
        const opened = kind === 'open' && { file: { path, descriptor, bytes }, options }
        const request: Request = { id: requestCount++, kind, ...opened, ...(name !== undefined && { name }) }
        pending.set(request.id, { resolve: resolve as PendingRequest['resolve'], reject })
        worker.postMessage(request)
      })
      // A request for the next batch may be refused before its reply is awaited.
      reply.catch(() => {})
      return reply
    },
    hold() {
      if (holders++ === 0) worker.ref()
    },
    letGo() {
      if (--holders === 0) worker.unref()
    },
    async release() {
      released = true
      fail(refuse('damaged', endedEarly))
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      await keepThread(thread, bytes)
    },
    async end() {
      if (released) return
      // Never let go, because the process must not exit before the thread has ended.
      holders++
      fail(refuse('damaged', endedEarly))
      await worker.terminate()
    },
  }
}

const endedEarly =
  'Reading the file stopped unexpectedly. Open it in the program it comes from, save it again and resend it.'

function failureOf(error: unknown, thread: RunningThread, { limits, refuse }: TableReading): Error {
  const { hasStarted, files } = thread
  if (hasStarted && (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const sentence = `Reading the file takes more memory than the limit of ${limits.heapMegabytes} MB. Save the table as CSV, or split it into smaller files.`
    return refuse('limit', sentence)
  }
  // The cause may be in an earlier file. If it is in this one, the next attempt refuses it, in a new thread.
  const isFilesFault = hasStarted && files === 1
  return isFilesFault || !(error instanceof Error) ? refuse('damaged', endedEarly) : error
}
