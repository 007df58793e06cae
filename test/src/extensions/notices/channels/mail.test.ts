// E-mail through a real SMTP server: encryption, logins, what a message contains, and what problems say.

import { generateKeyPairSync } from 'node:crypto'
import { Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openMailServer as openSender } from '#src/extensions/notices/channels/mail.ts'
import { isRefusal, problemOf } from '#src/extensions/notices/channels/mail-problems.ts'
import type { MessageWords } from '#src/extensions/notices/compose-message.ts'
import type { SmtpSettings } from '#src/extensions/notices/settings/notify-settings.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { headerOf, openMailServer, partsOf, type ReceivedMail, type TestMailServer } from '#test/support/mail-server.ts'
import { openScriptedServer, type ScriptedServer } from '#test/support/scripted-server.ts'
import { certificateOf } from '#test/support/tls-certificate.ts'

const secrets = ['a-long-password', 'client-secret', 'refresh-token', 'access-token']
const signal = new AbortController().signal

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const base64 = certificateOf(publicKey, privateKey).toString('base64')
const certificate = `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`
const tlsOptions = {
  key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  cert: certificate,
}

const tools = { clock: systemClock, ca: certificate }
const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
})

async function serve(options?: Parameters<typeof openMailServer>[0]): Promise<TestMailServer> {
  const server = await openMailServer(options)
  open.push(server)
  return server
}

async function serveTokens(): Promise<ScriptedServer> {
  const server = await openScriptedServer()
  open.push({ [Symbol.asyncDispose]: () => server.close() })
  return server
}

const words = (change: Partial<MessageWords> = {}): MessageWords => ({
  subject: 'credsync: spring: the list has not come',
  sections: [
    {
      ...{ key: 'missing list spring', kind: 'missing', pipeline: 'spring', change: 'opened' },
      since: '2026-11-24T05:00:00.000Z',
      title: 'spring: the list has not come',
      lines: ['Ask whoever sends it. `credsync status` shows more.'],
    },
  ],
  ...{ more: 0, environment: 'production', link: null },
  ...change,
})

const settings = (port: number, change: Partial<SmtpSettings> = {}): SmtpSettings => ({
  ...{ host: '127.0.0.1', port, from: 'credsync@example.org', tls: 'none', auth: 'none' },
  ...change,
})

const send = (smtp: SmtpSettings, to = ['ops@example.org'], message = words()) =>
  openSender(smtp, tools)
    .channelTo(to)
    .send(
      { id: '0e6c0b1e-0000-4000-8000-000000000001', createdAt: new Date('2026-11-24T05:00:10Z'), words: message },
      signal,
    )

describe('a message', () => {
  test('has the same words as text and as HTML, a stable id, and asks for no automatic answers', async () => {
    const server = await serve()
    const link = 'https://status.example.org/?a=1&b=2'
    expect(await send(settings(server.port), ['a@example.org', 'b@example.org'], words({ link }))).toEqual({
      ...{ kind: 'delivered', problem: null },
    })
    const [mail] = server.received as [ReceivedMail]
    expect(mail).toMatchObject({ from: 'credsync@example.org', to: ['a@example.org', 'b@example.org'], secure: false })
    expect(headerOf(mail, 'message-id')).toBe('<0e6c0b1e-0000-4000-8000-000000000001@example.org>')
    expect(headerOf(mail, 'date')).toBe('Tue, 24 Nov 2026 05:00:10 +0000')
    expect(headerOf(mail, 'auto-submitted')).toBe('auto-generated')
    const { text, html } = partsOf(mail)
    for (const part of [text, html]) {
      expect(part).toContain('spring: the list has not come')
      expect(part).toContain('Ask whoever sends it.')
    }
    expect(text).toContain(link)
    expect(html).toContain('<a href="https://status.example.org/?a=1&amp;b=2">')
    expect(html).toContain('<code>credsync status</code>')
    expect(html).toContain('prefers-color-scheme: dark')
  })

  test('cannot be given another header by a line break, and no markup by a file name', async () => {
    const server = await serve()
    const evil = 'x\r\nBcc: everybody@example.org\nX-Evil: yes'
    const section = words().sections[0] as MessageWords['sections'][number]
    await send(
      settings(server.port),
      ['ops@example.org'],
      words({ subject: evil, sections: [{ ...section, title: '<script>alert(1)</script>', lines: [evil] }] }),
    )
    const [mail] = server.received as [ReceivedMail]
    expect(mail.to).toEqual(['ops@example.org'])
    expect(mail.headers.map(({ name }) => name)).not.toContain('bcc')
    expect(mail.headers.map(({ name }) => name)).not.toContain('x-evil')
    expect(partsOf(mail).html).not.toMatch(/<script/)
    expect(partsOf(mail).html).toContain('&lt;script&gt;')
  })

  test('that is refused for one of two addresses is delivered to the other, and that is a problem', async () => {
    const server = await serve({
      onRcptTo: ({ address }, _, callback) =>
        callback(address.startsWith('gone') ? Object.assign(new Error(`no ${address}`), { responseCode: 550 }) : null),
    })
    expect(await send(settings(server.port), ['gone@example.org', 'ops@example.org'])).toEqual({
      ...{ kind: 'delivered', problem: '127.0.0.1 refuses 1 of 2 addresses' },
    })
    expect(server.received.map(({ to }) => to)).toEqual([['ops@example.org']])
    const result = await send(settings(server.port), ['gone@example.org'])
    expect(result).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/refuses the addresses.*EENVELOPE, 550/),
    })
    expect(JSON.stringify(result)).not.toContain('gone@')
  })
})

describe('a message that a server does not take yet for one of two addresses', () => {
  const [later, ops] = ['later@example.org', 'ops@example.org']
  const message = { id: '0e6c0b1e-0000-4000-8000-000000000002', createdAt: new Date(), words: words() }
  let refusals: number[]
  const serveLater = () =>
    serve({
      onRcptTo({ address }, _, callback) {
        const responseCode = address.startsWith('later@') ? refusals.shift() : undefined
        callback(responseCode ? Object.assign(new Error('not now'), { responseCode }) : null)
      },
    })

  test('is sent again with the same id', async () => {
    refusals = [450]
    const server = await serveLater()
    const channel = openSender(settings(server.port), tools).channelTo([ops, later])
    expect(await channel.send(message, signal)).toEqual({
      ...{ kind: 'failed', problem: '127.0.0.1 does not take the message for 1 of 2 addresses yet' },
    })
    expect(await channel.send(message, signal)).toEqual({ kind: 'delivered', problem: null })
    expect(server.received.map(({ to }) => to)).toEqual([[ops], [ops, later]])
    const [first, second] = server.received.map((mail) => ['to', 'message-id'].map((name) => headerOf(mail, name)))
    expect(second).toEqual(first)
  })

  test.each([
    ['twenty minutes after it was first deferred, however old it was', [452, 452, 452], [0, 19, 20]],
    ['at once after a refusal for good', [550], [0]],
  ])('counts as delivered, with a problem, %s', async (_, codes, minutes) => {
    refusals = [...codes]
    const server = await serveLater()
    let now = message.createdAt.getTime() + 3_600_000
    const clock = { ...systemClock, now: () => new Date(now) }
    const channel = openSender(settings(server.port), { ...tools, clock }).channelTo([ops, later])
    const results = []
    for (const minute of minutes) {
      now = message.createdAt.getTime() + 3_600_000 + minute * 60_000
      results.push(await channel.send(message, signal))
    }
    expect(results.slice(0, -1).every(({ kind }) => kind === 'failed')).toBe(true)
    expect(results.at(-1)).toEqual({ kind: 'delivered', problem: '127.0.0.1 refuses 1 of 2 addresses' })
  })
})

test('a message that a server does not take for its content is refused', async () => {
  const server = await serve()
  server.beforeAccepting = () => {
    throw Object.assign(new Error('no'), { responseCode: 554 })
  }
  expect(await send(settings(server.port))).toMatchObject({ kind: 'refused' })
})

test.each<[Parameters<typeof isRefusal>[0], boolean]>([
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, true],
  // Too large, before it has come.
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 552 }, true],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 451 }, false],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, false],
  // What is about the login or the encryption is set right, and the message is sent later.
  ...[530, 534, 535, 538].map((responseCode): [object, boolean] => [{ code: 'EMESSAGE', responseCode }, false]),
])('%j is a refusal for good: %s', (error, expected) => {
  expect(isRefusal(error)).toBe(expected)
})

test.each<[Parameters<typeof problemOf>[1], string]>([
  [{ code: 'EENVELOPE', responseCode: 530 }, 'needs a login or encryption: check `auth`'],
  [{ code: 'EENVELOPE', responseCode: 534 }, 'does not accept this kind of login: set another `auth`'],
  [{ code: 'EENVELOPE', responseCode: 535 }, 'refuses the login: check `user`'],
  [{ code: 'EMESSAGE', responseCode: 538 }, 'needs encryption: set `tls`'],
  [{ code: 'EENVELOPE', responseCode: 554 }, 'refuses the addresses: check `from` and `email`, and whether it needs a'],
  [{ code: 'EENVELOPE', responseCode: 450 }, 'does not take the message yet (EENVELOPE, 450)'],
  [{ code: 'EAUTH', responseCode: 454 }, 'does not take the message yet (EAUTH, 454)'],
  [{ code: 'secret text', responseCode: 599 }, 'did not accept the message (FAILED, 599)'],
])('the problem of %j is that it %s', (error, problem) => {
  expect(problemOf('smtp.example.org', error)).toContain(`the mail server smtp.example.org ${problem}`)
})

describe('the connection', () => {
  test('is encrypted by STARTTLS, with a login', async () => {
    const server = await serve({
      ...{ ...tlsOptions, disabledCommands: [], authOptional: false },
      onAuth: ({ username, password }, _, callback) =>
        username === 'credsync' && password === secrets[0]
          ? callback(null, { user: username })
          : callback(new Error(`wrong password ${password}`)),
    })
    const login = { tls: 'starttls', auth: 'password', user: 'credsync' } as const
    expect(await send(settings(server.port, { ...login, password: 'a-long-password' }))).toMatchObject({
      kind: 'delivered',
    })
    expect(server.received[0]).toMatchObject({ secure: true, user: 'credsync' })
    const wrong = await send(settings(server.port, { ...login, password: 'client-secret' }))
    expect(wrong).toEqual({
      kind: 'failed',
      problem: expect.stringMatching(/^the mail server 127\.0\.0\.1 refuses the login: check/),
    })
    expect(JSON.stringify(wrong)).not.toContain('client-secret')
    const probe = (password: string) => openSender(settings(server.port, { ...login, password }), tools).probe()
    expect(await probe('a-long-password')).toBeNull()
    expect(await probe('x')).toMatch(/refuses the login/)
  })

  test('sends nothing if the server does not offer STARTTLS, or has a certificate that is not trusted', async () => {
    const plain = await serve()
    const starttls = { tls: 'starttls' } as const
    expect(await send(settings(plain.port, starttls))).toMatchObject({
      ...{ kind: 'failed', problem: expect.stringMatching(/does not offer STARTTLS.*ETLS/) },
    })
    const untrusted = await serve({ ...tlsOptions, disabledCommands: ['AUTH'] })
    const result = await openSender(settings(untrusted.port, starttls), { clock: systemClock })
      .channelTo(['ops@example.org'])
      .send({ id: 'x', createdAt: new Date(0), words: words() }, signal)
    expect(result).toMatchObject({ kind: 'failed', problem: expect.stringContaining('certificate is not trusted') })
    expect([...plain.received, ...untrusted.received]).toEqual([])
  })

  test('is encrypted from the beginning with `tls`', async () => {
    const server = await serve({ ...tlsOptions, secure: true, disabledCommands: ['AUTH'] })
    expect(await send(settings(server.port, { tls: 'tls' }))).toMatchObject({ kind: 'delivered' })
    expect(server.received[0]?.secure).toBe(true)
  })

  test('logs in with a token from the token address, with OAuth2', async () => {
    const tokens = await serveTokens()
    tokens.on('/token', (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ access_token: 'access-token', expires_in: 3_600, token_type: 'Bearer' })),
    )
    const server = await serve({
      ...{ ...tlsOptions, disabledCommands: [], authOptional: false, authMethods: ['XOAUTH2'] },
      onAuth: ({ method, username, accessToken }, _, callback) =>
        method === 'XOAUTH2' && accessToken === 'access-token'
          ? callback(null, { user: username })
          : callback(null, { data: { status: '401', schemes: 'bearer' } } as never),
    })
    const oauth2: Partial<SmtpSettings> = {
      ...{ tls: 'starttls', auth: 'oauth2', user: 'credsync@example.org', clientId: 'client' },
      ...{ clientSecret: 'client-secret', refreshToken: 'refresh-token', tokenUrl: `${tokens.url}/token` },
    }
    expect(await send(settings(server.port, oauth2))).toMatchObject({ kind: 'delivered' })
    expect(server.received[0]).toMatchObject({ secure: true, user: 'credsync@example.org' })
    expect(tokens.requests('/token')[0]?.body).toContain('refresh_token=refresh-token')
    const probed = await openSender(settings(server.port, oauth2), tools).probe()
    expect(probed).toBeNull()

    tokens.on('/token', (_, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: 'invalid_grant', error_description: 'refresh-token is over' })),
    )
    const refused = await send(settings(server.port, oauth2))
    expect(refused).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/no access token: check `tokenUrl`/),
    })
    for (const secret of secrets) expect(JSON.stringify(refused)).not.toContain(secret)
  })

  test('that is refused, or whose server is unknown, is a problem and no error', async () => {
    const server = await serve()
    await server.stop()
    expect(await send(settings(server.port))).toMatchObject({
      ...{ kind: 'failed', problem: expect.stringMatching(/^the mail server 127\.0\.0\.1 cannot be reached/) },
    })
    expect(await send(settings(25, { host: 'nowhere.invalid' }))).toMatchObject({
      ...{ kind: 'failed', problem: expect.stringMatching(/^the mail server nowhere\.invalid /) },
    })
  })
})

describe('a server that takes its time', () => {
  test('has ten minutes to accept a message, as the standard says', async () => {
    const server = await serve()
    const timeouts: number[] = []
    const setTimeoutOf = Socket.prototype.setTimeout
    const spy = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, ...rest) {
      if (this.remotePort === server.port && this.localPort !== server.port) timeouts.push(ms)
      return setTimeoutOf.call(this, ms, ...rest)
    })
    try {
      let whileItWaits: number | undefined
      server.beforeAccepting = () => {
        whileItWaits = timeouts.at(-1)
      }
      expect(await send(settings(server.port))).toMatchObject({ kind: 'delivered' })
      expect(whileItWaits).toBeGreaterThanOrEqual(600_000)
    } finally {
      spy.mockRestore()
    }
  })

  test('has not answered at the end of the time for one message', async () => {
    const server = await serve()
    const { promise: hasMessage, resolve } = Promise.withResolvers<void>()
    server.beforeAccepting = () => {
      resolve()
      return new Promise(() => {})
    }
    // A quarter of an hour is over once the server has the message.
    const clock = { ...systemClock, sleep: () => hasMessage }
    const result = await openSender(settings(server.port), { clock })
      .channelTo(['ops@example.org'])
      .send({ id: 'x', createdAt: new Date(0), words: words() }, signal)
    expect(result).toMatchObject({ kind: 'failed', problem: expect.stringContaining('does not answer in time') })
  })
})
