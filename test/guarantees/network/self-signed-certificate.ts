// Makes a certificate for 127.0.0.1 that only this process trusts, so that no key has to be stored in the repository.

import { generateKeyPairSync } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificateOf } from '#test/support/tls-certificate.ts'

export interface Identity {
  key: string
  cert: string
}

let identity: Identity | null = null

/** The same certificate for every call in a process, since trusting it changes the process. */
export function trustedIdentity(): Identity {
  identity ??= makeIdentity()
  return identity
}

function makeIdentity(): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const base64 = certificateOf(publicKey, privateKey).toString('base64')
  const cert = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  setDefaultCACertificates([...getCACertificates('default'), cert])
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
}
