// Recognizes, by its name, a column whose values are identifiers, dates, dates of birth, or say whether somebody passed.
// Pure.

const identifierWords =
  /^(?:phones?|telephone|tel|telefon|mobil|handy|whatsapp|fax|contactno|dialcode|isd|zip|zipcode|postal|postalcode|postcode|pincode|plz|regno|regn|rollno|uniqueno|uid|uuid|ids?|certno|passport|serial|matriculation|matrikel)$/
// These words may also begin the name of a figure: “Member since” contains a year, “Contact hours” a number.
const inNamesOfFigures =
  /^(?:mobile|contact|dial|reg|register|registration|roll|enrol|enroll|enrolment|enrollment|unique|members?|membership|cert)$/
const figures =
  /^(?:hours?|minutes?|days?|weeks?|months?|years?|since|until|till|from|date|dates|duration|age|counts?|total|sum|fees?|amount|price|cost|points?|credits?|score|marks?|percent|percentage|sessions?|lessons?|times?)$/
const numberWords = /^(?:no|nr|num|number|nummer)$/

/**
 * Decides by a column's name whether its values are identifiers, in which case a number cell may have lost leading
 * zeros or a plus sign, or may have been shortened to 1.23E+11. The value itself does not show that: 15112345678 may
 * have been a phone number with a leading zero or without one.
 */
export function isIdentifierColumn(name: string): boolean {
  const parts = wordsIn(name)
  if (parts.some((part) => identifierWords.test(part))) return true
  // "Seat number" and "Batch no" are identifiers; "Number of hours" is a number.
  if (parts.length > 1 && numberWords.test(parts.at(-1) ?? '')) return true
  const named = parts.flatMap((part, at) => (inNamesOfFigures.test(part) ? [parts[at + 1] ?? ''] : []))
  if (named.length === 0) return false
  // “Roll no this year” is an identifier, although it contains the word “year”.
  return named.some((next) => numberWords.test(next)) || !parts.some((part) => figures.test(part))
}

// “Candidate” and “Update” end in “date” too, so the compounds are listed.
const dateWords =
  /^(?:dates?|(?:birth|start|end|exam|issue|expiry|completion)date|datum|.*datum|dob|born|birth|birthdays?|days?|tag|months?|monat|years?|jahr|times?|uhrzeit|zeit|hours?|minutes?|duration|dauer|from|until|till|since|bis|valid|expires?|expiry|fecha|data|datas)$/

// “Completed on”, “Erstellt am”, “Délivré le”: a preposition at the end of a name that introduces a date.
const leadingWords = /^(?:on|at|am|seit|ab|le|depuis|il|dal|el|desde|op|sinds)$/

/** @returns true if a column of this name is expected to hold a date or a time */
export function isDateOrTimeColumn(name: string): boolean {
  const parts = wordsIn(name)
  return parts.some((word) => dateWords.test(word)) || (parts.length > 1 && leadingWords.test(parts.at(-1) ?? ''))
}

const birthWords =
  /^(?:dob|born|birth|birthdays?|birthdate|geburtsdatum|geboren|naissance|nacimiento|nascita|nascimento)$/

/** @returns true if a column of this name is expected to hold a date of birth */
export function isBirthDateColumn(name: string): boolean {
  return wordsIn(name).some((word) => birthWords.test(word))
}

const results =
  /^(?:pass|passed|fail|failed|results?|outcome|status|completed?|completion|successful|eligible|approved|attended|attendance|withdrawn|graduated|bestanden|ergebnis|résultat|réussi|admis|statut|aprobado|resultado|superato|esito|risultato|geslaagd|resultaat|aprovado|bestået|godkänd|resultat|bestått|wynik|zaliczone|výsledek|статус|результат|合格|合否|結果|结果)$/
/** Words that may appear next to them. Next to other words, such as “marital”, they mean something else. */
const besides =
  /^(?:course|final|overall|exam|test|assessment|training|module|quiz|is|has|or|of|the|student|learner|participant|y|n|yes|no|kurs)$/

/** @returns true for “Passed”, “Pass/Fail” and “Final result”; false for “Completed on” and “Marital status” */
export function isResultColumn(title: string): boolean {
  const words = wordsIn(title)
  const isOther = words.some((word) => !results.test(word) && !besides.test(word))
  return !isOther && words.some((word) => results.test(word)) && !isDateOrTimeColumn(title)
}

/** Returns the words in lower case: “Birth_Date”, “BirthDate” and “birth date” all yield `birth` and `date`. */
function wordsIn(name: string): string[] {
  return name
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
