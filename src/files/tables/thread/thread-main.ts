// Runs in the reading thread: opens one source and answers requests for its rows and images. Started by
// reading-thread.ts.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { readInThisThread } from '../read-in-this-thread.ts'
import type { Source } from '../source.ts'
import { asRefusal, refusalsOf } from '../source-error.ts'
import { encodeRows } from './encode-rows.ts'
import { type ReadingInput, type ReadingReply, type Replies, type Request, started } from './reading-messages.ts'

// Stack traces of the thread are never shown, and csv-parse creates an error for every row whose length differs from
// the row before: with stack traces, 400,000 of them took 16 s instead of 6.
Error.stackTraceLimit = 0

const port = parentPort as MessagePort
const { file, options } = workerData as ReadingInput
port.postMessage(started)

const opening = readInThisThread(file, options)
// Each answer reports the error, but there may be no request yet, and the rejection would be unhandled.
opening.catch(() => {})
const batches = opening.then((source) => source.batches()[Symbol.asyncIterator]())
batches.catch(() => {})
let sentNotices = 0

port.on('message', (request: Request) => {
  answer(request).then(
    (reply) => post({ id: request.id, reply }, reply instanceof Uint8Array ? [reply.buffer] : []),
    (error) => post({ id: request.id, refused: refusalOf(error) }, []),
  )
})

async function answer(request: Request): Promise<Replies[Request['kind']]> {
  const source = await opening
  switch (request.kind) {
    case 'open': {
      const { format, separator, header, notices, images } = source
      sentNotices = notices.length
      return { format, separator, header, notices, images: images?.list ?? null }
    }
    case 'next':
      return readNext(source)
    case 'image':
      return await readImage(source, request.name ?? '')
  }
}

async function readNext(source: Source): Promise<Replies['next']> {
  const next = await (await batches).next()
  const notices = source.notices.slice(sentNotices)
  sentNotices = source.notices.length
  const merged = next.done ? source.merged : []
  return { rows: next.done ? null : encodeRows(next.value, source.header.length), notices, merged }
}

/** Copies the bytes for the transfer, because a small Buffer shares its memory with other Buffers. */
async function readImage(source: Source, name: string): Promise<Replies['image']> {
  if (!source.images) throw refusalsOf(file.path)('archive', 'The file contains no images.')
  return new Uint8Array(await source.images.read(name))
}

function post(reply: ReadingReply, transferred: ArrayBuffer[]): void {
  port.postMessage(reply, transferred)
}

function refusalOf(error: unknown) {
  const { code, sentence } = asRefusal(
    error,
    refusalsOf(file.path),
    'damaged',
    'The file could not be read to its end. Save it again and resend it.',
  )
  return { code, sentence }
}
