// Mutants in src/issuer/tokens that survive and do no harm.

import type { HarmlessByFile } from './harmless-by-file.ts'

export const tokens: HarmlessByFile = {
  'src/issuer/tokens/renew-in-turn.ts': [
    { line: '() => false,', mutants: [['() => false', '() => undefined']], why: 'Both mean that the wait was ended.' },
  ],
  'src/issuer/tokens/service-tokens.ts': [
    {
      line: 'if (!heldToken || taken.token.bornMs > heldToken.bornMs) hold(taken.token)',
      mutants: [['taken.token.bornMs > heldToken.bornMs', 'taken.token.bornMs >= heldToken.bornMs']],
      why: 'The token that is held is held again.',
    },
    {
      line: "if (waitedMs >= (taken.kind === 'unavailable' ? maxStoreWaitMs : maxRenewalWaitMs))",
      mutants: [
        [
          "waitedMs >= (taken.kind === 'unavailable' ? maxStoreWaitMs : maxRenew…",
          "waitedMs > (taken.kind === 'unavailable' ? maxStoreWaitMs : maxRenewa…",
        ],
      ],
      why: 'The wait is a millisecond longer.',
    },
    {
      line: 'if (error instanceof ServiceUnreachableError && heldToken && remainingMs() >= minRemainingMs)',
      mutants: [['remainingMs() >= minRemainingMs', 'remainingMs() > minRemainingMs']],
      why: 'Both sides of the boundary are half a minute before the token expires.',
    },
  ],
  'src/issuer/tokens/token-seal.ts': [
    {
      line: 'const sealer = createCipheriv(cipher, sealing, iv, { authTagLength: tagBytes }).setAAD(bound(label))',
      mutants: [['{ authTagLength: tagBytes }', '{}']],
      why: 'It is the default of the cipher, and the tag is cut to this length.',
    },
    {
      line: 'const opener = createDecipheriv(cipher, sealing, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })',
      mutants: [['{ authTagLength: tagBytes }', '{}']],
      why: 'It is the default of the cipher, and the tag is cut to this length.',
    },
  ],
}
