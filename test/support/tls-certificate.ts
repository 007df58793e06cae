// Makes a TLS certificate for a key, so that the repository does not have to contain one. Pure.

import { type KeyObject, sign } from 'node:crypto'

/**
 * Returns an X.509 v3 certificate for 127.0.0.1 in DER.
 * @param signer a private key on the curve P-256
 */
export function certificateOf(publicKey: KeyObject, signer: KeyObject): Buffer {
  const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))
  const commonName = Buffer.from('0603550403', 'hex')
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('network tests')))))
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')))
  const address = der(0x87, Buffer.from([127, 0, 0, 1]))
  const alternativeName = sequence(Buffer.from('0603551d11', 'hex'), der(0x04, sequence(address)))
  const toBeSigned = sequence(
    der(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, signer))
  return sequence(toBeSigned, ecdsaWithSha256, signature)
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)

/** Encodes one value in ASN.1 DER. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
