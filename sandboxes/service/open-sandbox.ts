// Opens the built-in sandbox of the credential service: a real HTTP server on loopback that keeps everything in memory.

import type { AddressInfo } from 'node:net'
import type { Clock } from '#sandboxes/clock.ts'
import { openInternals, type SandboxControls } from './sandbox-internals.ts'
import { serveHttp } from './serve-http.ts'
import type { SandboxSettings } from './settings.ts'

export type { HeldRequest, SandboxCourse } from './held-request.ts'

export interface Sandbox extends SandboxControls {
  /** Base address without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Opens a sandbox on 127.0.0.1 and resolves once it listens.
 * @throws SandboxSettingsError for invalid settings; the listening error if the port is taken
 */
export async function openSandbox(given: Partial<SandboxSettings> | undefined, clock: Clock): Promise<Sandbox> {
  const internals = openInternals(given, clock)
  const app = serveHttp(internals, clock)
  await app.listen({ host: '127.0.0.1', port: internals.settings.port })
  const { port } = app.server.address() as AddressInfo
  return { ...internals.controls, url: `http://127.0.0.1:${port}`, close: () => app.close() }
}
