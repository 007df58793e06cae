// The pauses between tries to deliver one message.

import type { BackoffCurve } from '#src/platform/backoff.ts'

/** It is tried for as long as it takes: what waits meanwhile is collected in the next message, so nothing piles up. */
export const retryCurve: BackoffCurve = { baseMs: 60_000, capMs: 3_600_000, jitter: 0.2 }
