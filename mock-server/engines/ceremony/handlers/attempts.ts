/** An attempt to make a token with shares of the root key. There is one attempt at a time, from its start to the last
 * share. */

import { bytesOf } from '../../../kernel/auth/seal.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Services } from '../../../kernel/services.ts'
import { createTurns } from '../../../kernel/turns.ts'
import {
  type AttemptEvent,
  type AttemptReply,
  type AttemptState,
  type AttemptTables,
  attemptFields,
} from '../tables.ts'
import { type Encoding, withOneTimePassword, withPgpKey } from './token-encodings.ts'

/** Makes the token of an attempt. */
export interface Issuing {
  /** Returns the id that the token will have. */
  prepare(): string
  /** Makes the token live. */
  issue(id: string): void
}

export interface Attempts {
  readonly isUnderWay: boolean
  start(pgpKey: string): Promise<object>
  read(): object
  give(share: string, nonce: string | undefined): Promise<object>
  cancel(): Promise<void>
  /** Forgets the attempt, whatever the rules say. */
  clear(): void
}

interface Attempt {
  /** The digest of the root key whose shares the attempt collects. */
  readonly rootKey: string
  readonly nonce: string
  readonly token: string
  encoding: Encoding
  /** The shares in hexadecimal. */
  given: readonly string[]
  encoded: string
}

const refusedEvents: Readonly<Record<AttemptEvent, string>> = {
  start: 'token generation already in progress',
  share: 'no token generation in progress',
  'last share': 'no token generation in progress',
  'wrong shares': 'no token generation in progress',
  cancel: 'the token generation cannot be cancelled',
}

const hexOf = (share: string): string => Buffer.from(bytesOf(share)).toString('hex')

export function createAttempts(services: Services, tables: () => AttemptTables, issuing: Issuing): Attempts {
  const { seal, mint, random, clusterRole, variation } = services
  const inTurn = createTurns()
  let state: AttemptState = 'none'
  let attempt: Attempt | undefined
  let left: Partial<Pick<Attempt, 'encoding' | 'given'>> = {}
  let former: readonly string[] = []
  let firstNonce = ''

  function clear(): void {
    state = 'none'
    attempt = undefined
    left = {}
    former = []
    firstNonce = ''
  }

  function assertHere(): void {
    // A cluster that has joined others has their root key, so the shares that were given before are useless.
    if (attempt && attempt.rootKey !== seal.digest) clear()
    const isDr = clusterRole.modes.dr === 'secondary'
    const { heldOn } = tables()
    if (isDr !== (heldOn === 'DR secondaries')) throw badRequest(`this ceremony is held on ${heldOn} only`)
  }

  function after(event: AttemptEvent): AttemptState {
    const next = tables().transitions[state][event]
    if (!next) throw badRequest(refusedEvents[event])
    return next
  }

  function shown(reply: AttemptReply): object {
    const isForgotten = reply === 'read' && state === 'complete' && variation().attemptDone === 'forgotten'
    const told = isForgotten ? undefined : attempt
    const facts = {
      state: told ? state : 'none',
      nonce: told?.nonce ?? '',
      given: told?.given ?? [],
      required: seal.threshold,
      token: told?.token ?? '',
      encoded: told?.encoded ?? '',
      fingerprint: told?.encoding.fingerprint ?? '',
      oneTimePassword: told?.encoding.oneTimePassword ?? '',
    }
    // Root tokens are not in the documents, so their replies do not vary.
    const isKept = tables().heldOn === 'DR secondaries' && variation().oneTimePassword === 'kept'
    return Object.fromEntries(
      attemptFields
        .filter((field) => !(isKept && field.startsWith('otp') && reply === 'start'))
        .map((field) => [field, tables().shown[field][reply](facts)] as const)
        .filter(([, value]) => value !== undefined),
    )
  }

  async function encodingFor(pgpKey: string, token: string): Promise<Encoding> {
    const without = withOneTimePassword(token.length, random)
    if (pgpKey === '') return without
    const { badKey, pgpKey: use } = tables()
    const given = await withPgpKey(pgpKey, tables().plaintext).catch((error: unknown) => {
      if (badKey === 'refused and starts') begin(without, token)
      if (badKey !== 'starts without') throw error
      return without
    })
    return use === 'encrypts' ? given : { ...without, fingerprint: given.fingerprint }
  }

  function begin(encoding: Encoding, token: string): void {
    state = after('start')
    const fresh = mint.uuid()
    firstNonce ||= fresh
    attempt = {
      rootKey: seal.digest,
      nonce: tables().nonce === 'fresh' ? fresh : firstNonce,
      token,
      encoding: left.encoding ?? encoding,
      given: left.given ?? [],
      encoded: '',
    }
    left = {}
  }

  async function start(pgpKey: string): Promise<object> {
    assertHere()
    try {
      after('start')
    } catch (error) {
      const { refusedStart } = tables()
      if (attempt && refusedStart === 'clears its progress') attempt.given = []
      if (attempt && pgpKey !== '' && refusedStart === 'replaces its key')
        attempt.encoding = await encodingFor(pgpKey, attempt.token)
      throw error
    }
    const token = issuing.prepare()
    begin(await encodingFor(pgpKey, token), token)
    return shown('start')
  }

  /** Returns the share in the encoding in which it is counted. */
  function take(share: string, nonce: string | undefined, mine: Attempt): string {
    const { isNonce, malformedShare, repeatedShare, countedWhenRefused: counted } = tables()
    let told: string
    try {
      told = hexOf(share)
    } catch (error) {
      if (counted.includes('malformed share')) mine.given = [...mine.given, share]
      if (malformedShare === 'refused') throw error
      told = share
    }
    if (!isNonce(nonce, mine.nonce, former)) {
      if (nonce && counted.includes('wrong nonce')) mine.given = [...mine.given, told]
      throw badRequest('the nonce is not that of the attempt in progress')
    }
    if (mine.given.includes(told) && repeatedShare === 'refused') throw badRequest('this share was given already')
    return told
  }

  async function give(share: string, nonce: string | undefined): Promise<object> {
    assertHere()
    const next = after('share')
    if (share === '' && tables().missingShare === 'refused') throw badRequest('missing key')
    const mine = attempt
    if (!mine || share === '') return shown('update')
    const given = [...mine.given, take(share, nonce, mine)]
    if (given.length < tables().completesAt(seal.threshold)) {
      state = next
      mine.given = given
      if (tables().issuedBy === 'every share') issuing.issue(mine.token)
      return shown('update')
    }
    const opens = await tables().opens(given, () => seal.proves(given).catch(() => false))
    const encoded = await mine.encoding.encode(Buffer.from(mine.token))
    // Whoever ended the attempt meanwhile does not want its token.
    if (attempt !== mine) throw badRequest(refusedEvents.share)
    state = after(opens ? 'last share' : 'wrong shares')
    if (!opens) {
      mine.given = []
      throw badRequest('the shares do not make the root key: all of them must be given again')
    }
    mine.given = given
    mine.encoded = encoded
    issuing.issue(mine.token)
    return shown('completion')
  }

  async function cancel(): Promise<void> {
    assertHere()
    state = after('cancel')
    if (!attempt || state !== 'none') return
    const { cancelLeaves } = tables()
    if (cancelLeaves === 'its shares') left = { given: attempt.given }
    if (cancelLeaves === 'its key') left = { encoding: attempt.encoding }
    former = [...former, attempt.nonce]
    attempt = undefined
  }

  return {
    get isUnderWay() {
      return state === 'in progress'
    },
    start: (pgpKey) => inTurn('attempt', () => start(pgpKey)),
    read() {
      assertHere()
      return shown('read')
    },
    give: (share, nonce) => inTurn('attempt', () => give(share, nonce)),
    cancel: () => inTurn('attempt', cancel),
    clear,
  }
}
