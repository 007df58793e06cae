// Opens a Canvas sandbox and a client that is connected to it over HTTP.

import { onTestFinished } from 'vitest'
import { type Canvas, openCanvas } from '#src/lms/canvas/open-canvas.ts'
import { openLmsHttp } from '#src/lms/http/http-client.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { type CanvasSite, openCanvasSite } from '#test/support/canvas-site.ts'

export async function openSiteAndClient(options: { pageSize?: number } = {}): Promise<CanvasSite & { canvas: Canvas }> {
  const site = await openCanvasSite(options)
  onTestFinished(() => site.close())
  return Object.assign(site, { canvas: clientOf(site) })
}

export function clientOf({ url, token }: { url: string; token: string }): Canvas {
  const http = openLmsHttp(systemClock)
  onTestFinished(() => http.close())
  return openCanvas({
    url,
    token: new Secret(token),
    send: http.send,
    clock: systemClock,
    gate: (work) => work(),
  })
}
