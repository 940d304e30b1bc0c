/** What the user gave cannot be used: exit 2. The message is one line that names the thing and its fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
