// A client of the Canvas of a test, over the real wire.

import { onTestFinished } from 'vitest'
import { type Canvas, openCanvas } from '#src/canvas/open-canvas.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { openWire } from '#src/wire/open-wire.ts'
import { type CanvasSite, openCanvasSite } from '#test/support/canvas-site.ts'

export async function openSiteAndClient(options: { pageSize?: number } = {}): Promise<CanvasSite & { canvas: Canvas }> {
  const site = await openCanvasSite(options)
  onTestFinished(() => site.close())
  return Object.assign(site, { canvas: clientOf(site) })
}

export function clientOf({ url, token }: { url: string; token: string }): Canvas {
  const wire = openWire(systemClock)
  onTestFinished(() => wire.close())
  return openCanvas({
    url,
    token: new Secret(token),
    send: wire.send,
    clock: systemClock,
    gate: (work) => work(),
  })
}
