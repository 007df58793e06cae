// What lies beside a refused file as FILE.reason.txt. Pure.

/** @param refusal why it was refused, in sentences */
export function reasonText(refusal: string): string {
  return `${refusal}\n\nNothing of this file was issued. Mend what is named above, and drop the file into the inbox again, with its marker if it needs one. Settings, such as columns, are changed by whoever runs the worker; then the same file is enough.`
}
