/** Names of users and sessions: document 3, Limits, Errors, and the username template. */
import { Refusal } from '../../../kernel/http/refusal.ts'

export type NameUse = 'IAM' | 'STS'

/** Replaces the characters that a name at the provider cannot have. */
const plain = (text: string): string => text.replace(/[^\w+=,.@-]/g, '_')

export const names: {
  /** The default template respects both limits. */
  readonly defaultTemplate: string
  readonly inputs: Readonly<Record<'DisplayName' | 'PolicyName', (text: string) => string>>
  readonly longest: Readonly<Record<NameUse | 'role_session_name', number>>
  /** Returns a rendered name, or refuses one that is too long. */
  readonly bounded: (name: string, use: NameUse, longest: number) => string
} = {
  defaultTemplate: [
    '{{ if (eq .Type "STS") }}{{ printf "cloud-%s-%s" (unix_time) (random 20) | truncate 30 }}',
    '{{ else }}{{ printf "cloud-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 36)',
    ' (unix_time) (random 20) | truncate 62 }}{{ end }}',
  ].join(''),
  inputs: { DisplayName: plain, PolicyName: plain },
  longest: { IAM: 64, STS: 32, role_session_name: 64 },
  bounded(name, use, longest) {
    if (name.length <= longest) return name
    const message = `the ${use} username has ${name.length} characters, more than ${longest}: ${name}`
    throw new Refusal('internal', { message })
  },
}
