// Texts as Moodle shows them: escaped for a page, and in the language and time zone of whoever asks.

import type { Language } from './settings.ts'

/** Names of courses and values of text fields (captures 01 and 21): the ampersand is escaped, a quote is not. */
export function shownName(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Cells of a report (capture 45): quotes are escaped too. */
export function shownCell(text: string): string {
  return shownName(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;')
}

/** The English words are those of capture 45. The German ones stand for any other language: they were not captured. */
export const reportWords: Readonly<Record<Language, { headers: readonly string[]; yes: string }>> = {
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

/** "Saturday, 21 November 2026, 12:02 AM" (capture 45). `seconds` since 1970; whole minutes are all that is shown. */
export function shownTime(seconds: number, language: Language, timezone: string): string {
  const written = new Intl.DateTimeFormat(language === 'en' ? 'en-US' : 'de-DE', {
    timeZone: timezone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: language === 'en' ? 'numeric' : '2-digit',
    minute: '2-digit',
    hourCycle: language === 'en' ? 'h12' : 'h23',
  }).formatToParts(seconds * 1000)
  const part = (type: Intl.DateTimeFormatPartTypes) => written.find((each) => each.type === type)?.value ?? ''
  const day = language === 'en' ? part('day') : `${part('day')}.`
  const time = `${part('hour')}:${part('minute')}`
  const half = language === 'en' ? ` ${part('dayPeriod')}` : ''
  return `${part('weekday')}, ${day} ${part('month')} ${part('year')}, ${time}${half}`
}
