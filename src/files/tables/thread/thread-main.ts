// Runs in a reading thread: opens one source and answers requests for its rows and images. Started by
// reading-thread.ts.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { readInThisThread } from '../read-in-this-thread.ts'
import type { SourceOptions } from '../source.ts'
import { refusalsOf, toRefusal } from '../source-error.ts'
import type { OpenFile } from '../source-file.ts'
import { type ReadingReply, type Replies, type Request, type RequestKind, started } from './reading-messages.ts'

// Stack traces of the thread are never shown, and csv-parse creates an error for every row whose length differs from
// the row before: with stack traces, 400,000 of them took 16 s instead of 6.
Error.stackTraceLimit = 0

const port = parentPort as MessagePort
port.postMessage(started)

const { file, options } = workerData as { file: OpenFile; options: SourceOptions }
const refuse = refusalsOf(file.path)
const opening = readInThisThread(file, options)
const batches = opening.then((source) => source.batches()[Symbol.asyncIterator]())
// Each answer reports the error, but not all of them are awaited, and the rejection would be unhandled.
opening.catch(() => {})
batches.catch(() => {})
let sentNotices = 0

port.on('message', (request: Request) => {
  const { id } = request
  answer(request).then(
    (reply) => post({ id, reply }, reply instanceof Uint8Array ? [reply.buffer] : []),
    (error) => {
      const { code, sentence } = toRefusal(error, refuse)
      post({ id, refused: { code, sentence } }, [])
    },
  )
})

async function answer({ kind, name = '' }: Request): Promise<Replies[RequestKind]> {
  const { format, separator, header, notices, images, pictures, merged } = await opening
  switch (kind) {
    case 'open':
      sentNotices = notices.length
      return { format, separator, header, notices, pictures, images: images?.list ?? null }
    case 'next': {
      const next = await (await batches).next()
      const fresh = notices.slice(sentNotices)
      sentNotices = notices.length
      if (next.done) return { rows: null, notices: fresh, merged }
      return { rows: JSON.stringify(next.value), notices: fresh, merged: [] }
    }
    case 'image':
      if (!images) throw refuse('archive', 'The file contains no images.')
      // Copied for the transfer, because a small Buffer shares its memory with other Buffers.
      return new Uint8Array(await images.read(name))
  }
}

function post(reply: ReadingReply, transferred: ArrayBuffer[]): void {
  port.postMessage(reply, transferred)
}
