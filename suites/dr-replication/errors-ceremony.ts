import { refused, topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { readAttempt, start, supply, update } from './attempt.ts'
import { attemptCheck, running } from './attempt-check.ts'
import { pgpKey } from './pgp.ts'

/** Each is refused, counts nothing, and succeeds with the one part put right. */
const ofRefusals = (
  [
    [
      'update-with-another-nonce',
      'nonce-matches',
      ['accepts-any-nonce', 'counts-share-of-wrong-nonce'],
      { key: '{share}', nonce: '00000000-0000-4000-8000-000000000000' },
    ],
    ['update-without-nonce', 'nonce-required', ['nonce-optional'], { key: '{share}' }],
    ['update-without-key', 'key-required', ['key-optional'], { nonce: '{nonce}' }],
    [
      'update-with-no-key-share',
      'share-valid',
      ['accepts-malformed-share', 'counts-malformed-share'],
      { key: 'no key share', nonce: '{nonce}' },
    ],
  ] as const
).map(([id, requirement, mutants, body]) =>
  attemptCheck(`${id}-is-refused`, [requirement], mutants, {
    given: running,
    when: update(body),
    then: [refused(readAttempt)],
    control: supply(),
  }),
)

const badKey = attemptCheck(
  'start-with-no-pgp-key-is-refused',
  ['pgp-key-valid'],
  ['accepts-bad-pgp-key', 'bad-pgp-key-starts'],
  {
    given: [pgpKey('key')],
    when: start({ pgp_key: Buffer.from('no key').toString('base64') }),
    then: [refused(readAttempt)],
    control: start({ pgp_key: '{key}' }),
  },
)

export default topic('dr-replication/errors-ceremony', {
  about: 'What an attempt refuses: wrong or missing nonces and shares, and keys that are none.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...ofRefusals, badKey],
})
