/** Where what is known of a target comes from, in words: `assay plan` shows it, and a run says what was not typed. */
import { tokenFileWords } from '../targets/token-file.ts'

export interface Source {
  readonly what: string
  /** Never a secret: a token is only said to be set. */
  readonly value: string
  readonly from: string
}

interface Sources {
  readonly sources?: readonly Source[]
  readonly unusedVariables?: string
}

const isImplied = ({ from }: Source): boolean => /^(VAULT|BAO)_[A-Z_]+$/.test(from) || from === tokenFileWords

/** Returns the lines that a run begins with if it uses variables of the family or the stored token, or could have. */
export function variableLines({ sources = [], unusedVariables }: Sources): readonly string[] {
  const used = sources.filter(isImplied).map(({ what, value, from }) => `${what} ${value} (${from})`)
  return [
    ...(used.length > 0 ? [`from the environment: ${used.join(', ')}`] : []),
    ...(unusedVariables === undefined ? [] : [`not read: ${unusedVariables}`]),
  ]
}
