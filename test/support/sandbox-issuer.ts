// A client of a sandbox, with gates that are always open.

import { openIssuer } from '#src/issuer/issuer.ts'
import type { Sandbox } from '#src/sandbox/open-sandbox.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { openGate } from './open-gate.ts'

export function openSandboxIssuer(sandbox: Sandbox) {
  return openIssuer({
    baseUrl: sandbox.url,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    gates: { gate: openGate, auth: openGate() },
    clock: systemClock,
    random: () => 0.5,
  })
}
