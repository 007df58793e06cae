// Fetches what an identity provider says about itself (OpenID Connect Discovery), for signing in there. Calls the
// provider.

import {
  allowInsecureRequests,
  type Configuration,
  type CustomFetchOptions,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { userAgent } from './version.ts'

export interface ProviderClient {
  issuer: string
  clientId: string
  clientSecret: string
}

/** The answer is short, and a person waits for it. */
const timeout = 10

/** @throws if it does not answer, or is a different provider */
export function discoverProvider({ issuer, clientId, clientSecret }: ProviderClient): Promise<Configuration> {
  // The settings allow plain HTTP only on this machine, and for hosts in CREDSYNC_ALLOW_PLAIN.
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  // Without the second, the signature of a token would not be checked, because it comes directly from the provider.
  const execute = [...insecure, enableNonRepudiationChecks]
  return discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout,
    [customFetch]: fetchAsCredsync,
  })
}

function fetchAsCredsync(url: string, { body, headers, ...options }: CustomFetchOptions): Promise<Response> {
  return fetch(url, { ...options, body: body ?? null, headers: { ...headers, 'user-agent': userAgent } })
}
