/** The policy documents that the provider is given. */
import type { Variation } from '../../../kernel/variation.ts'

const withoutTls = {
  Effect: 'Deny',
  Action: '*',
  Resource: '*',
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
}

/** Returns the document as the variation sends it. Undefined stays undefined. */
export function documentFor(document: string | undefined, { policyDocuments }: Variation): string | undefined {
  if (document === undefined || policyDocuments === 'plain') return document
  const { Statement = [], ...rest } = JSON.parse(document) as { Statement?: object | object[] }
  return JSON.stringify({ ...rest, Statement: [Statement, withoutTls].flat() })
}
