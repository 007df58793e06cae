// The frame of every page: navigation, who is signed in, the time zone. Pure.

import type { SignedIn } from '#src/extensions/console/ledger/sessions.ts'
import { html, type Markup } from './markup.ts'

export interface Frame {
  /** The path before every link, such as /credsync; empty if there is none. */
  base: string
  environment: string
  timeZone: string
  /** Addresses of the style sheet and the script, which differ for each version of them. */
  assets: { style: string; script: string }
}

export interface PageContent {
  title: string
  body: Markup
  /** A line below the title. */
  lead?: Markup
  /** The message about a decision of this person, on the page to which it led. */
  message?: Markup
  /** Leads back to the list that the page belongs to. */
  back?: { href: string; text: string }
}

const places = [
  ['/', 'Overview', 'viewer'],
  ['/runs', 'Runs', 'viewer'],
  ['/upload', 'Upload', 'registrar'],
  ['/people', 'People', 'viewer'],
  ['/held', 'Held', 'viewer'],
  ['/log', 'Log', 'operator'],
] as const

/** @param options.path of the page, without the base */
export function layout(
  frame: Frame,
  { title, body, lead = null, message = null, back }: PageContent,
  { visitor, path }: { visitor: SignedIn | null; path: string },
): Markup {
  const { base, environment, timeZone, assets } = frame
  const isHere = (place: string) => (place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`))
  const links = places
    .filter(([, , role]) => role === 'viewer' || visitor?.role === role || visitor?.role === 'operator')
    .map(
      ([place, name]) =>
        html`<li><a href="${base}${place}"${isHere(place) ? html` aria-current="page"` : null}>${name}</a></li>`,
    )
  const account =
    visitor &&
    html`<form method="post" action="${base}/sign-out" class="account"><span><a href="${base}/account"><strong>${visitor.name}</strong></a> <span class="role">${visitor.role}</span></span><button>Sign out</button></form>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · credsync</title>
<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}${assets.style}">
<script src="${base}${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="brand"><a href="${base}/">credsync</a><span class="environment ${environment}">${environment}</span></div>
${visitor && html`<nav aria-label="Main"><ul>${links}</ul></nav>`}
${account}
</header>
<main id="main" tabindex="-1">
<div class="heading">${back ? html`<p class="back"><a href="${base}${back.href}">${back.text}</a></p>` : null}<h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
${message}
${body}
</main>
<footer><p>Times are in ${timeZone}.${timeZone === 'UTC' ? '' : ' Hover over one to see it in UTC.'}</p></footer>
</body>
</html>
`
}
