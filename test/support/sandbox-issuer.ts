// A client for a sandbox, with gates that are always open.

import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import { openIssuer } from '#src/issuer/issuer.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
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
