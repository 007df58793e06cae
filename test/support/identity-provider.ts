// An OpenID Connect provider over real HTTP: signs in whoever comes, with the claims that the test has set, and checks
// what a provider checks (the client's secret, the code, the redirect address, PKCE).

import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface TestProvider extends AsyncDisposable {
  issuer: string
  clientId: string
  clientSecret: string
  /** Claims of the person who signs in next. */
  claims: Record<string, unknown>
  /** Replaces what a token is made of, to try tokens that must not be accepted. */
  forge: { nonce?: string; audience?: string; issuer?: string; key?: Parameters<SignJWT['sign']>[0]; expires?: string }
}

interface Granted {
  redirect: string
  challenge: string
  nonce: string
}

export async function openTestProvider(): Promise<TestProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Granted>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer)
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname === '/.well-known/openid-configuration') return json(200, metadata(provider.issuer))
    if (url.pathname === '/keys') return json(200, { keys: [jwk] })
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      const value = (name: string) => url.searchParams.get(name) ?? ''
      codes.set(code, { redirect: value('redirect_uri'), challenge: value('code_challenge'), nonce: value('nonce') })
      const back = new URL(value('redirect_uri'))
      back.search = new URLSearchParams({ code, state: value('state'), iss: provider.issuer }).toString()
      return response.writeHead(303, { location: back.href }).end()
    }
    const granted = url.pathname === '/token' ? await redeem(request) : null
    if (!granted) return json(400, { error: 'invalid_grant' })
    return json(200, { access_token: randomUUID(), token_type: 'Bearer', id_token: await idToken(granted) })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const provider: TestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ clientId: 'credsync', clientSecret: 'a secret of the provider', claims: {}, forge: {} },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }

  async function redeem(request: IncomingMessage): Promise<Granted | null> {
    const form = new URLSearchParams(await text(request))
    const granted = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isClient = form.get('client_id') === provider.clientId && form.get('client_secret') === provider.clientSecret
    return granted && isClient && granted.challenge === challenge && granted.redirect === form.get('redirect_uri')
      ? granted
      : null
  }

  function idToken({ nonce }: Granted): Promise<string> {
    const { forge } = provider
    return new SignJWT({ ...provider.claims, nonce: forge.nonce ?? nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(forge.issuer ?? provider.issuer)
      .setAudience(forge.audience ?? provider.clientId)
      .setIssuedAt()
      .setExpirationTime(forge.expires ?? '5m')
      .sign(forge.key ?? privateKey)
  }
  return provider
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  authorization_response_iss_parameter_supported: true,
})
