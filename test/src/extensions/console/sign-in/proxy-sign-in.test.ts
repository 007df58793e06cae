// Sign-in by the headers of a reverse proxy, over real HTTP.

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'

/** Sends the headers as they are: clients refuse to send one twice. */
async function rawStatus(port: number, headers: readonly (readonly string[])[]): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET /log HTTP/1.1\r\nconnection: close\r\n${headers.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
  )
  return Number(/^HTTP\/1.1 (\d+)/.exec(await text(socket))?.[1])
}

const secret = 'what only the proxy and we know'
const person = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': 'it', 'x-credsync-proxy-secret': secret }

describeWithDatabase('a person whom a proxy names', () => {
  let console: ConsoleWorld
  beforeAll(async () => {
    console = await openConsoleWorld({
      console: {
        url: 'https://credentials.example.edu',
        trustedProxies: ['127.0.0.1'],
        auth: { proxy: { secret, grants: [{ of: 'it', role: 'operator' }] } },
      },
    })
  })
  afterAll(() => console[Symbol.asyncDispose]())

  const statusFor = async (headers: Record<string, string>, asked = {}) =>
    (await console.ask('/log', { headers, ...asked })).status

  test('is nobody if a header that says who it is came twice', async () => {
    const lines = [['host', 'credentials.example.edu'], ...Object.entries(person)]
    const status = (all: string[][]) => rawStatus(console.port, all)
    expect(await status(lines)).toBe(200)
    for (const line of lines) expect([line[0], await status([...lines, line])]).toEqual([line[0], 400])
  })

  test('is told apart from a local user of the same name, and gets HSTS', async () => {
    const answer = await console.ask('/log', { headers: person })
    expect(answer.text).toContain('ada (proxy)')
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000')
  })

  test('still has to mean this host, and sends forms from its pages only', async () => {
    expect(await statusFor({ ...person, host: 'evil.example', 'x-forwarded-host': 'credentials.example.edu' })).toBe(
      421,
    )
    const form = { who: 'i1' }
    expect(
      (await console.ask('/people', { headers: { ...person, origin: 'https://evil.example' }, form })).status,
    ).toBe(403)
    expect((await console.ask('/people', { headers: person, form })).status).toBe(404)
  })
})
