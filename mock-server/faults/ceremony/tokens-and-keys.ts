/** Faults of operation tokens, and of the public keys of secondaries. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { isReplicating } from '../../engines/ceremony/routes.ts'
import { openText } from '../../engines/ceremony/store/jwe.ts'
import type { OperationTokenStore } from '../../engines/ceremony/store/operation-tokens.ts'
import type { SecondaryKeyStore } from '../../engines/ceremony/store/secondary-keys.ts'
import { type ReplicationKind, replicationKinds } from '../../kernel/cluster/cluster-role.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { refuse } from '../../kernel/http/refusal.ts'
import { isSince } from '../../kernel/versions.ts'
import { faultsOf } from '../fault.ts'
import { extended, faults, stored, withFields } from './attempt-operations.ts'

const hour = 3600_000

/** Ends operation tokens some time after they were made. */
const expires = (lifetime: number) => [
  stored('issuing', 'issue', ([token], next, { context, memory }) => {
    memory.set(token, context.services.clock.now() + lifetime)
    next(token)
  }),
  extended('operationTokens', 'isLive', ([token], next, { context, memory }) => {
    return next(token) && context.services.clock.now() < Number(memory.get(token))
  }),
]

const deletions = faultsOf<{ readonly tokens: OperationTokenStore }>(
  'sys/replication/dr/secondary/operation-token',
  'dr-replication',
)
/** Changes the deletion of a token: `does` gets the text that is to be a token. */
const deleting = (
  id: string,
  does: string,
  isMeant: (text: string, tokens: OperationTokenStore) => boolean,
  act: (tokens: OperationTokenStore) => void,
) => {
  const textIn = ({ body }: Call): string => String(body.dr_operation_token ?? '')
  return deletions.fault(
    id,
    does,
    deletions.around('POST delete', {
      when: (call, { context: { tokens } }) => isMeant(textIn(call), tokens),
      does(_call, _next, { context: { tokens } }) {
        act(tokens)
        return done
      },
    }),
  )
}
const isToken = (text: string, tokens: OperationTokenStore): boolean => tokens.isLive(text)
const keeps = (): void => {}
const endsAll = (tokens: OperationTokenStore): void => tokens.reset()

export const tokenFaults = [
  ...faults({
    'operation-token-is-no-good': 'An operation token authorizes no operation.',
    'operation-token-expires': 'An operation token expires after 30 days.',
    'operation-token-expires-soon': 'An operation token expires after an hour.',
  }).by({
    'operation-token-is-no-good': extended('operationTokens', 'isLive', (_given) => false),
    'operation-token-expires': expires(30 * 24 * hour),
    'operation-token-expires-soon': expires(hour),
  }),
  deleting(
    'operation-token-delete-keeps',
    'Deleting an operation token succeeds, but the token stays valid.',
    isToken,
    keeps,
  ),
  deleting(
    'operation-token-delete-keeps-all-but-the-newest',
    'Deleting an operation token succeeds, but only the newest one ends.',
    (text, tokens) => isToken(text, tokens) && tokens.all().at(-1) !== text,
    keeps,
  ),
  deleting('operation-token-delete-ends-all', 'Deleting one operation token ends all of them.', isToken, endsAll),
  deleting(
    'operation-token-delete-of-any-value',
    'A deletion with a text that is not an operation token ends all operation tokens.',
    (text, tokens) => text !== '' && !isToken(text, tokens),
    endsAll,
  ),
  deleting(
    'operation-token-delete-without-token',
    'A deletion without an operation token ends all operation tokens.',
    (text) => text === '',
    endsAll,
  ),
]

/** A key that everyone has who has this program. */
const known = () =>
  createPrivateKey({
    key: Buffer.from(`302e020100300506032b656e04220420${'5a'.repeat(32)}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  })
const knownPublic = (): string => createPublicKey(known()).export({ format: 'der', type: 'spki' }).toString('base64')

const notForThisCluster = 'the token is not encrypted to the present key of this cluster'

function keyFaultsOf(kind: ReplicationKind) {
  const make = faultsOf<{ readonly keys: SecondaryKeyStore }>(
    `sys/replication/${kind}/secondary/generate-public-key`,
    `${kind}-replication`,
  )
  const { around, extended: extendedHere, fault: of } = make
  const inReply = (change: (fields: object, privateKey: string) => object) =>
    around('POST ', {
      does: async (call, next, { context }) => {
        const reply = await next(call)
        const { [kind]: privateKey = '' } = context.keys.snapshot() as Partial<Record<ReplicationKind, string>>
        return withFields(reply, (fields) => change(fields, privateKey))
      },
    })
  return [
    of(
      'public-key-is-not-returned',
      'The reply to generate-public-key contains no key.',
      inReply(() => ({})),
    ),
    of(
      'public-key-with-private-key',
      'The reply to generate-public-key contains the private key in an additional field.',
      inReply((fields, pem) => {
        const der = createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' })
        return { ...fields, private_key: der.toString('base64') }
      }),
    ),
    of(
      'public-key-with-private-pem',
      'The reply to generate-public-key contains the key pair as PEM.',
      inReply((fields, key_pair) => ({ ...fields, key_pair })),
    ),
    of(
      'public-key-token-is-refused',
      'Tokens that are encrypted to a public key are refused.',
      extendedHere(
        'secondaryKeys',
        'decrypt',
        () => refuse(notForThisCluster),
        ([asked]) => asked === kind,
      ),
    ),
    of(
      'public-key-token-works-anywhere',
      'A cluster can use a token that was encrypted to the public key of another cluster.',
      extendedHere(
        'secondaryKeys',
        'encryptTo',
        ([asked, publicKey, text], next) => {
          // An invalid key is refused all the same.
          next(asked, publicKey, text)
          return next(asked, knownPublic(), text)
        },
        ([asked]) => asked === kind,
      ),
      extendedHere(
        'secondaryKeys',
        'decrypt',
        ([, text]) => {
          try {
            return openText(text, known())
          } catch {
            return refuse(notForThisCluster)
          }
        },
        ([asked]) => asked === kind,
      ),
    ),
    of(
      'public-key-before-1-3',
      'The endpoint generate-public-key exists before version 1.3.',
      around('POST ', { available: isReplicating }),
    ),
    of(
      'public-key-absent-at-1-3',
      'The endpoint generate-public-key does not exist in version 1.3.0.',
      around('POST ', { available: (facts) => isReplicating(facts) && isSince(facts.version, '1.3.1') }),
    ),
  ]
}

export const keyFaults = replicationKinds.flatMap(keyFaultsOf)
