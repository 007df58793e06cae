// The address under which the console is used: which Host and Origin are its own, and where links begin. A page of
// another site whose name points to this machine has another Host, so it reaches nothing. Pure.

import { isOwnMachine } from '#src/platform/own-machine.ts'

export interface OwnAddress {
  /** The path before every link; empty if there is none. */
  base: string
  /** Whether browsers reach the console by https. */
  isSecure: boolean
  isOwnHost(host: string | undefined): boolean
  isOwnOrigin(origin: string | undefined): boolean
  /** Where people find a path, for links that leave the browser. */
  link(path: string): string
}

/** @param port on which the console listens, which may differ from that of the settings if they say 0 */
export function ownAddress(url: string | undefined, port: number): OwnAddress {
  if (url === undefined) {
    // Only this machine can reach it, by any of its names.
    const isOwn = (text: string) => {
      const parsed = URL.parse(text)
      return parsed !== null && isOwnMachine(parsed.hostname) && portOf(parsed) === port
    }
    return {
      base: '',
      isSecure: false,
      isOwnHost: (host) => host !== undefined && isHost(host) && isOwn(`http://${host}`),
      isOwnOrigin: (origin) => origin?.startsWith('http://') === true && isOwn(origin),
      link: (path) => `http://127.0.0.1:${port}${path}`,
    }
  }
  const own = new URL(url)
  return {
    base: own.pathname.replace(/(?<!\/)\/+$/, ''),
    isSecure: own.protocol === 'https:',
    isOwnHost: (host) => host !== undefined && isHost(host) && URL.parse(`${own.protocol}//${host}`)?.host === own.host,
    isOwnOrigin: (origin) => origin === own.origin,
    link: (path) => `${url.replace(/(?<!\/)\/+$/, '')}${path}`,
  }
}

/** Only a name and a port: anything else would be read as another part of an address. */
const isHost = (text: string) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(text)

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
