/** Credential types and API forms of the engine: document 3, Role and Versioning. */
import type { ServerFacts } from '../../../kernel/contracts.ts'

export const credentialTypes = ['iam_user', 'assumed_role', 'federation_token', 'session_token'] as const
export type CredentialType = (typeof credentialTypes)[number]

export type Form = 'newer' | 'older'
export const formOf = ({ forms }: ServerFacts): Form => (forms.cloud === 'older' ? 'older' : 'newer')

/** The types that a role can be written with. */
export const knownTypes: Readonly<Record<Form, readonly CredentialType[]>> = {
  newer: credentialTypes,
  older: ['iam_user', 'assumed_role', 'federation_token'],
}
