import { PolicySyntaxError } from '../../kernel/acl/cursor.ts'
import { parsePolicy } from '../../kernel/acl/policy.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { PolicyLanguage } from '../../kernel/policy-language.ts'
import { parseRules, type RuleDocument } from '../../policy-language/parse.ts'
import type { Kind, Policy } from './store.ts'

const base64 = /^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a document that may be in base64. A valid document of either language never consists only of letters and
 * digits, so it is never decoded by mistake. */
export function decodeDocument(text: string, encodings: readonly 'base64'[]): string {
  if (!encodings.includes('base64') || !base64.test(text)) return text
  if (text.replace(/[\r\n]/g, '').length % 4 !== 0) return text
  try {
    return utf8.decode(Buffer.from(text, 'base64'))
  } catch {
    return text
  }
}

const opaque = (passes: boolean): RuleDocument => ({
  evaluate: () => ({ passes, reason: 'it is stored as it is and not evaluated by this server', printed: [] }),
})
const readers: Readonly<Record<PolicyLanguage, (text: string) => RuleDocument>> = {
  evaluated: parseRules,
  opaque: () => opaque(true),
  'opaque-fail': () => opaque(false),
}

/** Parses the text of a policy. Refuses a text that is not in the language of its kind. */
export function readDocument(kind: Kind, text: string, language: PolicyLanguage): Pick<Policy, 'acl' | 'rules'> {
  if (text === '') return {}
  try {
    return kind === 'acl' ? { acl: parsePolicy(text) } : { rules: readers[language](text) }
  } catch (error) {
    if (!(error instanceof PolicySyntaxError)) throw error
    throw badRequest(`failed to parse policy: ${error.message}`)
  }
}

/** Parses a text that may be invalid. An invalid text has no effect. */
export function tryDocument(kind: Kind, text: string, language: PolicyLanguage): Pick<Policy, 'acl' | 'rules'> {
  try {
    return readDocument(kind, text, language)
  } catch {
    return {}
  }
}
