// What all senders of this process share, so that many calls at the same time do not get in each other's way.

import { type CallPlaces, openCallPlaces } from '#src/platform/limits/call-places.ts'
import { limitConcurrency } from '#src/platform/limits/limit-concurrency.ts'
import { runByOne } from '#src/platform/run-by-one.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { Tuning } from './tuning.ts'

/** A file with images is in memory several times while it is built and sent. */
const filesAtOnce = 4

/**
 * The jobs that a worker takes beside those with a place for a call: two prepare batches (one does it, and one waits to do
 * it next), and the queue exchanges others for new ones. More would only keep jobs from other workers.
 */
const jobsBesidePlaces = 4
/** While BullMQ fetches a job because it may run one more, it begins none of those that it has. So that changes seldom. */
const jobsStep = 8

export function openSenders({ perSecond, concurrency }: Pick<Tuning, 'perSecond' | 'concurrency'>, clock: Clock) {
  const places: CallPlaces = openCallPlaces({ perSecond, max: concurrency }, clock)
  return {
    places,
    jobsAtOnce: () => Math.ceil((places.count() + jobsBesidePlaces) / jobsStep) * jobsStep,
    /** If each sender prepared its next batch itself, they would spend their time waiting for the lock of picking. */
    prepareByOne: runByOne(),
    /** If each sender waited for the lock of a scan, they would use up the connections that the scan needs. */
    baselineInTurn: limitConcurrency(1),
    filesInTurn: limitConcurrency(filesAtOnce),
  }
}
