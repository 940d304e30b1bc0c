/** Names of users and sessions: document 3, Limits, Errors, and the username template. */

import type { RefusalCode } from '../../../kernel/http/refusal.ts'
import { seam } from '../../../kernel/seam.ts'
import type { Role } from '../store.ts'

export type NameUse = 'IAM' | 'STS'

/** Replaces the characters that a name at the provider cannot have. */
const plain = (text: string): string => text.replace(/[^\w+=,.@-]/g, '_')

export interface LengthRule {
  readonly longest: number
  readonly beyond: RefusalCode | 'cut'
  /** Returns whether the names for a role have no limit. Only a mutant has such roles. */
  readonly spares?: (role: Role) => boolean
}

export const names: {
  /** The default template respects both length limits. */
  readonly defaultTemplate: string
  readonly template: 'configured' | 'default'
  readonly inputs: Readonly<Record<'DisplayName' | 'PolicyName', (text: string, use: NameUse) => string>>
  readonly lengths: Readonly<Record<NameUse, LengthRule>>
  /** Handles `role_session_name`. A name is generated if `given` returns undefined. */
  readonly session: {
    readonly given: (name: string, role: Role) => string | undefined
    readonly longest: number
    readonly beyond: 'cut' | 'refused'
    readonly absent: 'generated' | 'refused'
    /** A generated name must respect the length limit of its use, or no limit. */
    readonly bound: 'by-use' | 'none'
    /** A name is generated only if the request has none, or always, even if it is not used. */
    readonly generated: 'where-absent' | 'always'
    readonly cut: (name: string, longest: number) => string
  }
} = {
  defaultTemplate: [
    '{{ if (eq .Type "STS") }}{{ printf "cloud-%s-%s" (unix_time) (random 20) | truncate 30 }}',
    '{{ else }}{{ printf "cloud-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 36)',
    ' (unix_time) (random 20) | truncate 62 }}{{ end }}',
  ].join(''),
  template: 'configured',
  inputs: { DisplayName: plain, PolicyName: plain },
  lengths: { IAM: { longest: 64, beyond: 'internal' }, STS: { longest: 32, beyond: 'internal' } },
  session: {
    longest: 64,
    beyond: 'cut',
    absent: 'generated',
    bound: 'by-use',
    generated: 'where-absent',
    cut: (name, longest) => name.slice(0, longest),
    // Seam: the session has the name in the request.
    given: seam((name) => name),
  },
}
