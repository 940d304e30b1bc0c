/** The four requests that make a certificate or a CSR from their own fields, with the steps that prepare them. */
import type { Ceremony, Exchange, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import {
  csr,
  generateIntermediate,
  issue,
  mounted,
  rooted,
  rootGeneration,
  signer,
  signIntermediate,
} from './given/given.ts'

interface Maker {
  readonly given: readonly Step[]
  readonly ask: (fields: JsonObject) => Exchange | Ceremony
}

export const makers = {
  issue: { given: rooted(), ask: issue },
  root: { given: [mounted()], ask: (fields: JsonObject) => rootGeneration(fields) },
  intermediate: { given: [mounted()], ask: generateIntermediate },
  'sign-intermediate': {
    given: [...signer, csr({ key: 'ecLeaf', commonName: 'csr.example' })],
    ask: (fields: JsonObject): Exchange => signIntermediate({ use_csr_values: false, ...fields }),
  },
} as const satisfies Readonly<Record<string, Maker>>
export type MakerName = keyof typeof makers
export const makerNames = Object.keys(makers) as readonly MakerName[]
