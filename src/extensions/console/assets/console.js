// Keeps the parts of a page that change up to date: asks for each again every few seconds while the page is visible. The
// page is whole without this. No part has a form in it, and none is replaced while a person selects text in it.

for (const part of document.querySelectorAll('[data-live]')) keepUpToDate(part)

function keepUpToDate(part) {
  const everyMs = Number(part.dataset.every) * 1_000
  let etag = null
  let failures = 0
  const note = document.createElement('p')
  note.className = 'live-note'
  note.setAttribute('role', 'status')
  part.before(note)

  async function ask() {
    const headers = etag === null ? {} : { 'if-none-match': etag }
    const response = await fetch(part.dataset.live, { headers, cache: 'no-store', redirect: 'error' })
    if (response.status === 401 || response.status === 403)
      return stop('You have been signed out. Reload the page to sign in again.')
    if (response.status === 404) return stop('')
    if (response.status !== 304 && !response.ok) throw new Error(String(response.status))
    failures = 0
    say('')
    if (response.status !== 304) {
      const text = await response.text()
      if (isInUse(part)) return wait()
      etag = response.headers.get('etag')
      show(text)
    }
    if (response.headers.get('x-live') === 'over') return part.dataset.then === 'reload' ? location.reload() : stop('')
    wait()
  }

  function show(text) {
    const { body } = new DOMParser().parseFromString(text, 'text/html')
    part.replaceChildren(...body.childNodes)
  }

  function wait(pauseMs = everyMs * Math.min(2 ** failures, 10)) {
    setTimeout(() => {
      if (document.hidden) return document.addEventListener('visibilitychange', tick, { once: true })
      tick()
    }, pauseMs)
  }

  function tick() {
    ask().catch(() => {
      failures += 1
      if (failures > 1) say('The connection is lost; trying again.')
      wait()
    })
  }

  function say(text) {
    if (note.textContent !== text) note.textContent = text
  }

  const stop = say
  wait()
}

function isInUse(part) {
  const selection = getSelection()
  const selects = selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode)
  return selects || (part.contains(document.activeElement) && document.activeElement !== document.body)
}
