// The service does not accept the access key and secret, or not from this address.

export class KeysRefusedError extends Error {
  override name = 'KeysRefusedError'
  readonly status: number

  constructor(status: number) {
    super(
      `The service refused the access key and secret (HTTP ${status} at token). Check CREDSYNC_KEY and CREDSYNC_SECRET, that they belong to this environment (development and production keys differ), and that the portal's IP list allows this machine.`,
    )
    this.status = status
  }
}
