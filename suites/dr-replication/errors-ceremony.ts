import { refused, unchanged } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { allButOne, attemptStays, share, start, started, supply, update } from './attempt.ts'
import { attemptCheck, oneSupplied, running } from './attempt-check.ts'
import { pgpKey } from './pgp.ts'
import { topic } from './topic.ts'

const anyNonce = '00000000-0000-4000-8000-000000000000'

/** Each request lacks a required field, so it must be refused. */
const ofMissing = (
  [
    ['update-without-nonce-is-refused', 'nonce-required', { key: '{share}' }],
    ['update-without-key-is-refused', 'key-required', { nonce: '{nonce}' }],
  ] as const
).map(([id, requirement, body]) =>
  attemptCheck(id, [requirement], {
    given: running,
    when: update(body),
    then: [refused(attemptStays)],
    control: supply(),
  }),
)

/** Each request violates a condition of the table of states. Whatever the reply is, the attempt must be unchanged. */
const ofConditions = (
  [
    ['update-with-another-nonce-counts-nothing', 'nonce-matches', { key: '{share}', nonce: anyNonce }],
    ['update-with-a-blank-nonce-counts-nothing', 'nonce-matches', { key: '{share}', nonce: '' }],
    ['update-with-no-key-share-counts-nothing', 'share-valid', { key: 'no key share', nonce: '{nonce}' }],
  ] as const
).map(([id, requirement, body]) =>
  attemptCheck(id, [requirement], {
    given: running,
    when: update(body),
    then: [unchanged(attemptStays)],
    control: supply(),
  }),
)

/** A refused share must not discard the shares that were supplied before. */
const ofProgress = (
  [
    ['update-with-another-nonce-keeps-the-progress', 'nonce-matches', { key: '{share}', nonce: anyNonce }],
    ['update-with-no-key-share-keeps-the-progress', 'share-valid', { key: 'no key share', nonce: '{nonce}' }],
  ] as const
).map(([id, requirement, body]) =>
  attemptCheck(id, [requirement], {
    given: [...oneSupplied, share('share', 1)],
    when: update(body),
    then: [unchanged(attemptStays)],
  }),
)

/** With the right nonce, this share would complete the attempt. */
const lastShare = attemptCheck('last-share-with-another-nonce-completes-nothing', ['nonce-matches'], {
  given: [started(), allButOne],
  when: update({ key: '{share}', nonce: anyNonce }),
  then: [unchanged(attemptStays)],
  control: supply(),
})

const badKey = attemptCheck('start-with-no-pgp-key-is-refused', ['pgp-key-valid'], {
  given: [pgpKey('key')],
  when: start({ pgp_key: Buffer.from('no key').toString('base64') }),
  then: [refused(attemptStays)],
  control: start({ pgp_key: '{key}' }),
})

export default topic('dr-replication/errors-ceremony', {
  about: 'Wrong or missing nonces, shares and keys, and their effect on an attempt.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...ofMissing, ...ofConditions, ...ofProgress, lastShare, badKey],
})
