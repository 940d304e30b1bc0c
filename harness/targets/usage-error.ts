/** Thrown for invalid input of the user; the exit code is 2. Each line of the message names one error and its fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
