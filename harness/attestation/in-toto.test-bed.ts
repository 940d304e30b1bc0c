/** JSON Schemas of a statement with the test-result predicate and of its envelope. Sources: Statement v1 and
 * ResourceDescriptor (in-toto/attestation, spec/v1), Test Result v0.1 (spec/predicates/test-result.md), DSSE v1.0.
 * The specifications allow further fields; these schemas do not, so that attestations contain only fields that
 * every consumer knows. */
const digestSet = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'string', pattern: '^[0-9a-f]+$' },
} as const

const resourceDescriptor = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    uri: { type: 'string', format: 'uri' },
    digest: digestSet,
    content: { type: 'string', contentEncoding: 'base64' },
    downloadLocation: { type: 'string', format: 'uri' },
    mediaType: { type: 'string' },
    annotations: { type: 'object' },
  },
  anyOf: [{ required: ['uri'] }, { required: ['digest'] }, { required: ['content'] }],
  additionalProperties: false,
} as const

const names = { type: 'array', items: { type: 'string' } } as const

export const statementSchema = {
  type: 'object',
  required: ['_type', 'subject', 'predicateType', 'predicate'],
  properties: {
    _type: { const: 'https://in-toto.io/Statement/v1' },
    subject: { type: 'array', minItems: 1, items: { ...resourceDescriptor, required: ['digest'] } },
    predicateType: { const: 'https://in-toto.io/attestation/test-result/v0.1' },
    predicate: {
      type: 'object',
      required: ['result', 'configuration'],
      properties: {
        result: { enum: ['PASSED', 'WARNED', 'FAILED'] },
        configuration: { type: 'array', items: resourceDescriptor },
        url: { type: 'string', format: 'uri' },
        passedTests: names,
        warnedTests: names,
        failedTests: names,
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const

export const envelopeSchema = {
  type: 'object',
  required: ['payload', 'payloadType', 'signatures'],
  properties: {
    payload: { type: 'string', contentEncoding: 'base64' },
    payloadType: { const: 'application/vnd.in-toto+json' },
    signatures: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sig'],
        properties: { keyid: { type: 'string' }, sig: { type: 'string', contentEncoding: 'base64' } },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const
