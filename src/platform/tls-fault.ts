// Maps Node's error codes for TLS connections to what is wrong and what to do about it. Pure.

/** One kind of fault: what happened, and what to do about it, each without a full stop. */
export interface FaultAdvice {
  what: string
  next: string
}

/**
 * Returns the advice for a TLS fault, or null if the code is for another kind of fault.
 * @param address the setting that names the server, such as REDIS_URL
 * @param authority the setting that names the certificate of an authority
 */
export function tlsFault(code: string, { address, authority }: Record<'address' | 'authority', string>) {
  const faults: [RegExp, FaultAdvice][] = [
    [
      /^(UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED)/,
      {
        what: "the server's certificate is not signed by an authority that is trusted here",
        next: `Name the certificate of its authority: ${authority}`,
      },
    ],
    [
      /^ERR_TLS_CERT_ALTNAME/,
      {
        what: "the server's certificate is for another host",
        next: `Write the host that the certificate names into ${address}, or give the server a certificate for its host`,
      },
    ],
    [
      /^CERT_/,
      {
        what: "the server's certificate is not valid: it has expired, begins later, or was revoked",
        next: "Renew the certificate, or correct this machine's clock",
      },
    ],
    [
      /^(NO_TLS|EPROTO|ERR_SSL_)/,
      {
        what: 'the server speaks no TLS at this port, or none that is accepted here',
        next: `Turn TLS on there, or name the port that has it in ${address}`,
      },
    ],
  ]
  return faults.find(([codes]) => codes.test(code))?.[1] ?? null
}
