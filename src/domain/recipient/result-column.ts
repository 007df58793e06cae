// Recognizes, by their names, columns that say whether somebody passed. If no setting uses such a column, everybody
// gets a credential, whatever it says. Pure.

import { isDateOrTimeColumn } from './date-or-time-column.ts'
import { wordsIn } from './header-words.ts'

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
