// Mutants in src/issuer (outcomes of calls) that survive and do no harm.

import type { HarmlessByFile } from './harmless-by-file.ts'

export const outcomes: HarmlessByFile = {
  'src/issuer/sending/outcome.ts': [
    {
      line: "return { class: 'unknown', code: status >= 300 && status < 400 ? 'REDIRECT' : null }",
      mutants: [['status < 400', 'status <= 400']],
      why: 'A status of 400 was handled above.',
    },
    { line: '} catch {', mutants: [['{ return undefined }', '{}']], why: 'A function that ends returns undefined.' },
  ],
  'src/issuer/sending/send-change.ts': [
    {
      line: "const { name: code = 'Error', retryAfterMs = null } = error as { name?: string; retryAfterMs?: number }",
      mutants: [["'Error'", '""']],
      why: 'Everything that is thrown here is an Error, which has a name.',
    },
  ],
  'src/issuer/service-message.ts': [
    { line: 'return text', mutants: [['text .slice(0, maxExaminedLength)', 'text']], why: 'Only bounds the time.' },
  ],
}
