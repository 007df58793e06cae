// POST /mod/lti/token.php (section 6, capture 50): exchanges the registered tool's signed assertion
// for a bearer token. Tokens are kept in memory.

import { randomBytes } from 'node:crypto'
import { importSPKI, jwtVerify } from 'jose'
import type { Clock } from '#sandboxes/clock.ts'
import type { HttpResponse } from '../http-response.ts'
import type { MoodleSandboxSettings } from '../settings.ts'

const scopeBase = 'https://purl.imsglobal.org/spec/lti-ags/scope/'
export type Scope = 'lineitem' | 'lineitem.readonly' | 'score' | 'result.readonly'
// All scopes of Moodle: the tool may manage columns.
const scopes: readonly Scope[] = ['lineitem', 'lineitem.readonly', 'score', 'result.readonly']

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const tokenLifetimeMs = 3_600_000

export class TokenEndpoint {
  readonly #tool: MoodleSandboxSettings['tool']
  readonly #clock: Clock
  readonly #tokens = new Map<string, { until: number; scopes: readonly Scope[] }>()

  constructor(tool: MoodleSandboxSettings['tool'], clock: Clock) {
    this.#tool = tool
    this.#clock = clock
  }

  /**
   * Issues a token, or an error with status 400 and a code from Moodle's source (mod/lti/token.php). Moodle checks only
   * the signature. The sandbox also requires the right issuer, subject and audience and an expiry in the future, as RFC
   * 7523 section 3 and the 1EdTech Security Framework do.
   * @param tokenUrl this endpoint's own address
   */
  async issue(form: URLSearchParams, contentType: string, tokenUrl: string): Promise<HttpResponse> {
    const assertion = form.get('client_assertion') ?? ''
    const wanted = form.get('scope') ?? ''
    const given = [assertion, wanted, form.get('client_assertion_type'), form.get('grant_type')]
    if (!/^application\/x-www-form-urlencoded\b/i.test(contentType) || given.some((value) => !value))
      return refusal('invalid_request')
    if (form.get('client_assertion_type') !== assertionType || form.get('grant_type') !== 'client_credentials')
      return refusal('unsupported_grant_type')
    if (assertion.split('.').length !== 3) return refusal('invalid_request')
    if (!(await this.#isSignedByTool(assertion, tokenUrl))) return refusal('invalid_client')
    const granted = wanted.split(' ').flatMap((each) => scopes.find((scope) => each === scopeBase + scope) ?? [])
    if (granted.length === 0) return refusal('invalid_scope')
    const token = randomBytes(16).toString('hex')
    this.#tokens.set(token, { until: this.#clock.now().getTime() + tokenLifetimeMs, scopes: granted })
    return json(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: tokenLifetimeMs / 1000,
      scope: granted.map((scope) => scopeBase + scope).join(' '),
    })
  }

  /** Returns true if the Authorization header has a valid token with one of the scopes. */
  admits(authorization: string | undefined, wanted: readonly Scope[]): boolean {
    const token = this.#tokens.get(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '')
    if (token === undefined || token.until <= this.#clock.now().getTime()) return false
    return token.scopes.some((scope) => wanted.includes(scope))
  }

  async #isSignedByTool(assertion: string, tokenUrl: string): Promise<boolean> {
    if (!this.#tool) return false
    const { clientId, publicKey } = this.#tool
    try {
      await jwtVerify(assertion, await importSPKI(publicKey, 'RS256'), {
        algorithms: ['RS256'],
        issuer: clientId,
        subject: clientId,
        audience: tokenUrl,
        requiredClaims: ['exp'],
        currentDate: this.#clock.now(),
      })
      return true
    } catch {
      return false
    }
  }
}

function refusal(error: string): HttpResponse {
  return json(400, { error })
}

function json(status: number, value: unknown): HttpResponse {
  return { status, contentType: 'application/json', body: JSON.stringify(value) }
}
