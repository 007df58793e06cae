// Mutants in src/platform/limits that survive and do no harm.

import type { HarmlessByFile } from './harmless-by-file.ts'

export const limits: HarmlessByFile = {
  'src/platform/limits/bottleneck-gate.ts': [
    {
      line: 'if (rest > 0 && pausedUntil > giveUpAt) throw new GateShutError(name, rest)',
      mutants: [['rest > 0', 'rest >= 0']],
      why: 'The work could not have waited any longer anyway.',
    },
    {
      line: 'limiter.stop({ dropWaitingJobs: true }).catch(() => {})',
      mutants: [['{ dropWaitingJobs: true }', '{}']],
      why: 'It is the default of the library.',
    },
  ],
  'src/platform/limits/local-slots.ts': [
    {
      line: 'const spacingMs = (1_000 + marginMs) / limit',
      mutants: [['(1_000 + marginMs) / limit', '(1_000 + marginMs) * limit']],
      why: 'Until these sends would count no more, the due time alone decides.',
    },
    {
      line: 'let pace: Pace = { log: Array.from({ length: limit }, (_, i) => opened - (limit - 1 - i) * spacingMs), due: opened }',
      mutants: [
        ['limit - 1 - i', 'limit - 1 + i'],
        ['limit - 1', 'limit + 1'],
      ],
      why: 'Until these sends would count no more, the due time alone decides.',
    },
    {
      line: 'pace = { log: [...pace.log.slice(1), now], due }',
      mutants: [['pace.log.slice(1)', 'pace.log']],
      why: 'It changes no send: it takes more memory with each, which no test measures.',
    },
  ],
  'src/platform/limits/pace.ts': [
    {
      line: 'const oldest = log.length >= limit ? log[log.length - limit] : undefined',
      mutants: [['log.length >= limit', 'true']],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/platform/limits/pauses.ts': [
    {
      line: 'const length = before && before.since <= now ? before.until - before.since : 0',
      mutants: [['before.since <= now', 'before.since < now']],
      why: 'A pause that begins now and is over has no length.',
    },
    {
      line: 'const followsSoon = before !== null && length > 0 && now - before.until < Math.max(soonMs, length)',
      mutants: [
        ['length > 0', 'true'],
        ['length > 0', 'length >= 0'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/platform/limits/remote-clock.ts': [
    {
      line: 'const agrees = Math.abs(offset - known.offset) <= doubt + doubtMs(answeredMs) + roundingMs',
      mutants: [
        [
          'Math.abs(offset - known.offset) <= doubt + doubtMs(answeredMs) + roun…',
          'Math.abs(offset - known.offset) < doubt + doubtMs(answeredMs) + round…',
        ],
      ],
      why: 'The two never agree to the last digit.',
    },
    {
      line: 'if (!agrees || doubt <= doubtMs(answeredMs)) known = { offset, doubt, at: answeredMs }',
      mutants: [['doubt <= doubtMs(answeredMs)', 'doubt < doubtMs(answeredMs)']],
      why: 'Two measurements of the same precision are equally good.',
    },
  ],
  'src/platform/limits/slot-names.ts': [
    {
      line: "const scope = gate === 'auth' ? [origin, 'auth'] : [origin, key.reveal(), 'endpoint', gate]",
      mutants: [
        ["'auth'", '""'],
        ["'endpoint'", '""'],
      ],
      why: 'A part of a name that only has to differ from the others.',
    },
    {
      line: ".update(JSON.stringify(['credsync slots', ...scope]))",
      mutants: [["'credsync slots'", '""']],
      why: 'A part of a name that only has to differ from the others.',
    },
  ],
  'src/platform/limits/waiters.ts': [
    {
      line: "signal?.addEventListener('abort', onAbort, { once: true })",
      mutants: [
        ['{ once: true }', '{}'],
        ['true', 'false'],
      ],
      why: 'The listener is removed when the waiter leaves.',
    },
  ],
}
