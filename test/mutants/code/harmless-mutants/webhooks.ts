// Mutants in src/lms/webhooks that survive and do no harm.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted here

import type { HarmlessByFile } from './harmless-by-file.ts'

export const webhooks: HarmlessByFile = {
  'src/lms/webhooks/address-range.ts': [
    {
      line: "const [address = '', bits, ...rest] = text.split('/')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/webhooks/allowed-address.ts': [
    {
      line: "const [address = '', bits] = range.split('/')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: 'const isAllowed = isIP(address) !== 0 && allowed.check(address, familyOf(address))',
      mutants: [['isIP(address) !== 0', 'true']],
      why: 'A BlockList contains no text that is not an address.',
    },
  ],
  'src/lms/webhooks/canonical-json.ts': [
    {
      line: '.sort(([a], [b]) => (a < b ? -1 : 1))',
      mutants: [['a < b', 'a <= b']],
      why: 'Two members of an object never have the same name.',
    },
  ],
  'src/lms/webhooks/event-body.ts': [
    {
      line: "if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value",
      mutants: [["typeof value !== 'number'", 'false']],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: 'for (let i = 0; i < text.length; i++) {',
      mutants: [['i < text.length', 'i <= text.length']],
      why: 'No character follows the last one.',
    },
  ],
  'src/lms/webhooks/event-instant.ts': [
    {
      line: "const [, day, time = '00:00', zone = 'Z'] = isoForm.exec(typeof value === 'string' ? value.trim() : '') ?? []",
      mutants: [
        ["''", '"Stryker was here!"'],
        ['[]', '["Stryker was here"]'],
      ],
      why: 'Neither is a time, and only the groups of a match are used.',
    },
    {
      line: "const offset = /^z$/i.test(digits) ? 'Z' : `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`",
      mutants: [
        ['/^z$/i', '/z$/i'],
        ['/^z$/i', '/^z/i'],
      ],
      why: 'The zone is either Z or begins with a sign.',
    },
    {
      line: "const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a number.',
    },
  ],
  'src/lms/webhooks/event-map-settings.ts': [
    {
      line: '.refine((given) => Object.values(given).some((entry) => entry !== undefined), {',
      mutants: [['entry !== undefined', 'true']],
      why: 'A file of settings has no member that is undefined.',
    },
    {
      line: '.refine((given) => Object.values(given).some((entry) => entry !== undefined), {',
      mutants: [["{ error: 'names none of id, idnumber and email', }", '{}']],
      why: 'The message of the union, which contains this one, says the same.',
    },
    {
      line: "const { learner: who = {}, course = '', completedAt: when, list, volatile = [], ...rest } = all",
      mutants: [
        ["''", '"Stryker was here!"'],
        ['[]', '["Stryker was here"]'],
      ],
      why: 'A fault was reported, so the result is not used.',
    },
  ],
  'src/lms/webhooks/inbound-key.ts': [
    {
      line: 'const roots = new Set([copy, ...(Array.isArray(copy) ? copy : []), ...(eventsIn(settings, copy) ?? [])])',
      mutants: [['[]', '["Stryker was here"]']],
      why: 'Nothing is removed from a text.',
    },
  ],
  'src/lms/webhooks/key-sets.ts': [
    {
      line: 'if (entry.pendingFetch === null && nowMs - entry.requestedAtMs >= minFetchIntervalMs) {',
      mutants: [['entry.pendingFetch === null', 'true']],
      why: 'A fetch ends within its deadline, which is shorter than the time between two fetches.',
    },
    {
      line: 'if (entry.keys === null || now.getTime() - entry.fetchedAtMs >= refreshAfterMs)',
      mutants: [['entry.keys === null', 'false']],
      why: 'Keys that are missing have the age of the year 1970.',
    },
  ],
  'src/lms/webhooks/keyed-hash.ts': [
    {
      line: "const keys = [settings.secret].flat().map((each) => Buffer.from(each.replace(/^whsec_/, ''), 'base64'))",
      mutants: [['/^whsec_/', '/whsec_/']],
      why: 'The settings refuse a secret that has this text elsewhere.',
    },
    {
      line: "const [textBefore = '', textAfter = ''] = (timestampSettings?.signed ?? '{body}')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "const [textBefore = '', textAfter = ''] = (timestampSettings?.signed ?? '{body}')",
      mutants: [["'{body}'", '""']],
      why: 'Both leave nothing before and after the body.',
    },
    {
      line: ".map((part) => part.replaceAll('{timestamp}', () => timestamp ?? ''))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/webhooks/map-events.ts': [
    {
      line: "const locations = (settings.list ?? []).map((pointer) => pointer || 'the root of the body').join(' or ')",
      mutants: [['[]', '["Stryker was here"]']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: 'if (pointer !== undefined && !isNothing(found)) learner[name] = required(read, pointer, `learner.${name}`)',
      mutants: [['`learner.${name}`', '``']],
      why: 'The value is not missing, so its name is not used.',
    },
  ],
  'src/lms/webhooks/secret-in-request.ts': [
    {
      line: "const [, name = '', rest = ''] = /^(\\S+) +(\\S+)$/.exec(headerOf(delivery.headers, 'authorization') ?? '') ?? []",
      mutants: [
        ["''", '"Stryker was here!"'],
        ['[]', '["Stryker was here"]'],
      ],
      why: 'Neither is a scheme that is asked for.',
    },
  ],
  'src/lms/webhooks/signed-body.ts': [
    {
      line: 'if (renewedKeys !== null && renewedKeys !== currentKeys) why = await verify(token, settings, now, renewedKeys)',
      mutants: [['renewedKeys !== currentKeys', 'true']],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: "const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "if (!/^[\\w-]+\\.[\\w-]+\\.[\\w-]+$/.test(token)) return refuse('token-malformed')",
      mutants: [
        ['!/^[\\w-]+\\.[\\w-]+\\.[\\w-]+$/.test(token)', 'false'],
        ['/^[\\w-]+\\.[\\w-]+\\.[\\w-]+$/', '/[\\w-]+\\.[\\w-]+\\.[\\w-]+$/'],
        ['/^[\\w-]+\\.[\\w-]+\\.[\\w-]+$/', '/^[\\w-]+\\.[\\w-]+\\.[\\w-]+/'],
      ],
      why: 'The library refuses it as well.',
    },
    {
      line: 'if (wanted.length === 0) return true',
      mutants: [['wanted.length === 0', 'false']],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/lms/webhooks/signed-instant.ts': [
    {
      line: 'if (!/^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$/.test(text)) return null',
      mutants: [
        [
          '/^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$/',
          '/\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$/',
        ],
        [
          '/^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$/',
          '/^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)/',
        ],
      ],
      why: 'Date.parse refuses it as well.',
    },
  ],
}
