// Runs in the reading thread: opens one source after another and answers requests for its rows and images. Started by
// warm-thread.ts.

import { type MessagePort, parentPort } from 'node:worker_threads'
import { systemClock } from '#src/platform/time/clock.ts'
import { readInThisThread } from '../read-in-this-thread.ts'
import type { Source, SourceOptions, SourceRow } from '../source.ts'
import { refusalsOf, toRefusal } from '../source-error.ts'
import type { OpenFile } from '../source-file.ts'
import { idle, type ReadingReply, type Replies, type Request, type RequestKind, started } from './reading-messages.ts'

/** How long a thread waits for a request before it says that it is idle. */
const idleMs = 30_000

// Stack traces of the thread are never shown, and csv-parse creates an error for every row whose length differs from
// the row before: with stack traces, 400,000 of them took 16 s instead of 6.
Error.stackTraceLimit = 0

const port = parentPort as MessagePort
port.postMessage(started)

interface CurrentSource {
  path: string
  source: Promise<Source>
  batches: Promise<AsyncIterator<SourceRow[]>>
  sentNotices: number
}

let reading: CurrentSource | undefined
let quiet = new AbortController()

port.on('message', (request: Request) => {
  quiet.abort()
  quiet = new AbortController()
  const { id, file, options } = request
  if (file) reading = startReading(file, options)
  const current = reading as CurrentSource
  answer(request, current).then(
    (reply) => post({ id, reply }, reply instanceof Uint8Array ? [reply.buffer] : []),
    (error) => post({ id, refused: refusalOf(error, current.path) }, []),
  )
  systemClock.sleep(idleMs, quiet.signal).then(
    () => port.postMessage(idle),
    () => {},
  )
})

function startReading(file: OpenFile, options?: SourceOptions): CurrentSource {
  const source = readInThisThread(file, options)
  // Each answer reports the error, but not all of them are awaited here, and the rejection would be unhandled.
  source.catch(() => {})
  const batches = source.then((opened) => opened.batches()[Symbol.asyncIterator]())
  batches.catch(() => {})
  return { path: file.path, source, batches, sentNotices: 0 }
}

async function answer(request: Request, current: CurrentSource): Promise<Replies[RequestKind]> {
  const source = await current.source
  switch (request.kind) {
    case 'open': {
      const { format, separator, header, notices, images, pictures } = source
      current.sentNotices = notices.length
      return { format, separator, header, notices, pictures, images: images?.list ?? null }
    }
    case 'next':
      return readNext(source, current)
    case 'image':
      return await readImage(source, request.name ?? '', current.path)
  }
}

async function readNext(source: Source, current: CurrentSource): Promise<Replies['next']> {
  const next = await (await current.batches).next()
  const notices = source.notices.slice(current.sentNotices)
  current.sentNotices = source.notices.length
  if (!next.done) return { rows: JSON.stringify(next.value), notices, merged: [] }
  // An error that nothing awaits ends the thread here, and not while it reads another file.
  await new Promise(setImmediate)
  return { rows: null, notices, merged: source.merged }
}

/** Copies the bytes for the transfer, because a small Buffer shares its memory with other Buffers. */
async function readImage(source: Source, name: string, path: string): Promise<Replies['image']> {
  if (!source.images) throw refusalsOf(path)('archive', 'The file contains no images.')
  return new Uint8Array(await source.images.read(name))
}

function post(reply: ReadingReply, transferred: ArrayBuffer[]): void {
  port.postMessage(reply, transferred)
}

function refusalOf(error: unknown, path: string) {
  const { code, sentence } = toRefusal(error, refusalsOf(path))
  return { code, sentence }
}
