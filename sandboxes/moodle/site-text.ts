// Formats text as Moodle shows it: escaped for a page, and in the language of the requesting account.
// Pure.

export type SiteLanguage = 'en' | 'de'

/** For names of courses and values of text fields (captures 01 and 21): ampersands are escaped, quotes are not. */
export function shownName(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** For cells of a report (capture 45): quotes are escaped too. */
export function shownCell(text: string): string {
  return shownName(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;')
}

/** The English words are those of capture 45. The German words, an example of another language, were not captured. */
export const reportWords: Readonly<Record<SiteLanguage, { headers: readonly string[]; yes: string }>> = {
  en: {
    headers: [
      'ID number',
      'Username',
      'Email address',
      'First name',
      'Last name',
      'Course ID number',
      'Course short name',
      'Completed',
      'Time completed',
      'Grade',
    ],
    yes: 'Yes',
  },
  de: {
    headers: [
      'ID-Nummer',
      'Anmeldename',
      'E-Mail-Adresse',
      'Vorname',
      'Nachname',
      'Kurs-ID-Nummer',
      'Kurzer Kursname',
      'Abgeschlossen',
      'Abschlusszeit',
      'Bewertung',
    ],
    yes: 'Ja',
  },
}

/**
 * Returns a time such as "Saturday, 21 November 2026, 12:02 AM" (capture 45).
 * @param seconds since 1970
 */
export function shownTime(seconds: number, language: SiteLanguage): string {
  const parts = new Intl.DateTimeFormat(language === 'en' ? 'en-US' : 'de-DE', {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: language === 'en' ? 'numeric' : '2-digit',
    minute: '2-digit',
    hourCycle: language === 'en' ? 'h12' : 'h23',
  }).formatToParts(seconds * 1000)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  const day = language === 'en' ? part('day') : `${part('day')}.`
  const time = `${part('hour')}:${part('minute')}`
  const dayPeriod = language === 'en' ? ` ${part('dayPeriod')}` : ''
  return `${part('weekday')}, ${day} ${part('month')} ${part('year')}, ${time}${dayPeriod}`
}
