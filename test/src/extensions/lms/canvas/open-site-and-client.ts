// Opens a Canvas sandbox and a client that is connected to it over HTTP.

import { onTestFinished } from 'vitest'
import { type CanvasSandbox, openCanvasSandbox } from '#sandboxes/canvas/open-canvas-sandbox.ts'
import { type Canvas, openCanvas } from '#src/extensions/lms/canvas/open-canvas.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { Secret } from '#src/platform/secret.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'

export async function openSite(options: { pageSize?: number } = {}): Promise<CanvasSandbox> {
  const site = await openCanvasSandbox(options, systemClock)
  onTestFinished(() => site.close())
  return site
}

export async function openSiteAndClient(options?: { pageSize?: number }): Promise<CanvasSandbox & { canvas: Canvas }> {
  const site = await openSite(options)
  return Object.assign(site, { canvas: clientOf(site) })
}

export function clientOf({ url, token }: { url: string; token: string }, clock: Clock = systemClock): Canvas {
  const http = openLmsHttp(systemClock)
  onTestFinished(() => http.close())
  return openCanvas({ url, token: new Secret(token), send: http.send, clock, gate: (work) => work() })
}
