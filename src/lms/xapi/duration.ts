// Validates and compares durations: ISO 8601:2004 section 4.4.3.2, as xAPI 1.0.3 (Data 4.6) requires. Pure.

const designators = /^P(?=.)(?:[\d.,]+Y)?(?:[\d.,]+M)?(?:[\d.,]+D)?(?:T(?=.)(?:[\d.,]+H)?(?:[\d.,]+M)?(?:[\d.,]+S)?)?$/
const weeks = /^P[\d.,]+W$/
const wellFormedNumbers = /^P(?:T?\d+(?:[.,]\d+)?[A-Z])+$/
/** Only the smallest unit may have a fraction. */
const fractionBeforeTheEnd = /[.,]\d+[A-Z]./

/**
 * True for a valid duration. Weeks cannot be combined with other units, and the date-like form (`P0001-01-01`) is not
 * allowed.
 */
export function isDuration(text: string): boolean {
  return (
    (designators.test(text) || weeks.test(text)) && wellFormedNumbers.test(text) && !fractionBeforeTheEnd.test(text)
  )
}

/**
 * Returns the same text for durations that are equal although they are written differently: digits below a hundredth of
 * a second are ignored (1.0.3, Data 4.6; 2.0, 4.2.7).
 */
export function comparableDuration(text: string): string {
  return text.replace(/([.,])(\d+)S$/, (_, separator: string, digits: string) => {
    const [tenths = '0', hundredths = '0'] = digits
    const kept = hundredths !== '0' ? tenths + hundredths : tenths !== '0' ? tenths : ''
    return kept === '' ? 'S' : `${separator}${kept}S`
  })
}
