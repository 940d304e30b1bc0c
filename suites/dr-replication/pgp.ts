/** PGP keys for the result of an attempt. They are RSA keys, which every implementation supports. */
import { readPgpToken, testPgpKey } from '../../fixtures/replication/pgp.ts'
import { action } from '../records.ts'

interface Key {
  /** The binary key in base64. */
  readonly publicKey: string
  readonly fingerprint: string
}

/** TEST KEY. Nobody has its private key, so messages for it cannot be read. */
const otherKey: Key = {
  publicKey: [
    'xsBNBGlVuQABCACi/r7Fhv1wn4l3wVHCJKGMm06ex2MCocCie08PTvgAifZq5h49btSvzmRg/r5WZJGB4gutXDuuoWSrbeBw3zr0',
    'iY/cCQlac1BKicZUfBoZVs63OloP8y3lrqPWht+6PgCdWimi8tLviYgm1W61+UyoF1wPlz+X6hvlL5R2lKV8k/2MUGoA3KZXFZ9x',
    'iraBT8Dd6f4dezpALL1J9PYXaOg/iCt/F5k+16QVmp7qmIWCUiCq2FVQFCgC/wL31MmLiwS+UL08OzDUmM+hu6xAwGsutqm9Zxvh',
    'syriFxosjA0FoYmd56zqT1w4tNZJ1FTNGm+81b3tjPWzTPjn+MAk4yFvABEBAAHNGlRFU1QgS0VZLCBwcm90ZWN0cyBub3RoaW5n',
    'wsDRBBMBCgCFBYJpVbkAAwsJBwkQrwXyLb364ABFFAAAAAAAHAAgc2FsdEBub3RhdGlvbnMub3BlbnBncGpzLm9yZ/Nmi8xoL31t',
    'SQL9yQSXBXG5CvsxaIYjMlSc/sKihhhdBRUKCA4MBBYAAgECGQECmwMCHgEWIQTVKF29KT3TWG1eIhSvBfItvfrgAAAAi0wH/0Bi',
    '9xSbZ0vwgB6WTSbhZfv4pGxOI67slimpVH5mFqZ5xTdgUbbMfaUa8nlz4caiac02FeFEk4uVNR03VYZrdL5QHO3LYaIcsWT4AD6N',
    'P3liCWm+q7Aqk+5Iu4bcJmw8/bymtRCJg+p1IFJfxNfNCMzsfdMw1E16tlWSPG7Oizi31odInZQOGsHoU1eBiIHW4KK7FNYkRJXO',
    'jfSmeY4VN+gV+OJsWaBsvZ+gwqWs333Xm3fq9yci4a/vWkXpRNksyvlA7Xtvd8eQZ2eJTSx6H4FaIpAmRYJwUElXKC0+99A/oknS',
    '8wlZSITgmfJlyqG4vJdWXMwWCTGA2/2EYkf16YDOwE0EaVW5AAEIANEFzEEOXq6O8LGK6gXIlpxAk/OIvHjFcqgyZMBDfm+szdmw',
    'e40eKPotvAKlUkoYGDlSzNwCjEUmCZMMqYR0QpeBY2VB0XW4qM/WZKoL9/kiLjOHZeQujmCn5EeRo03FeItZA43StRUZlYK2Bbkr',
    'VKqFRB1i823tIC11RK77dx6T0xY7pSMkCxDG8uyJSYwTNyb3DQ1Mx/NwPFWfLRY8BDnssVhf+vbeAxcpZuxuXSlJA3akcAs3NKmv',
    'lpglXKUzZG0q7guE+aTZPgcR78ezA6fFRLbKG3JhZVeAQ2Y9ZN1lfC1ZWOJxAwlPvFRUwImyiAsxfjZFYJ02kIpu8DEstgcAEQEA',
    'AcLAvAQYAQoAcAWCaVW5AAkQrwXyLb364ABFFAAAAAAAHAAgc2FsdEBub3RhdGlvbnMub3BlbnBncGpzLm9yZ47Ob7rW3inoGYSs',
    'QNrJ2SSa3rokI0jQzycjEBB7pHZeApsMFiEE1ShdvSk901htXiIUrwXyLb364AAAAOQ4B/4yH7C1Iv94YmnI2xSlmAyO+jMohmLq',
    'FeTbMB/jAaizGQCoqIP+9kinhcbw2Y/T37ag2FS06quBXQaZgGHd2gIxn8XIOhIdmrWIHGA8HYR/SsIRf3h371ggUcS0OvhNFoad',
    'eKWm+cyppl+F/549m+mW5PNCBvqV9CK0SrbfP/y7ODIM2czJJ48l7UK/DWLjR/jNOdKm9rkW9beN4l8CVrB/hxY2ETNW6MMV7neV',
    'k4uh0n47YAHUMhy026/A6p02kZEslPTD3WUzN7Ftat6DOjH9nStZlsZnIcovk2mMlBH5vcK3y2HvrsmuJC1BfZCvMZyQN4Jb9PyW',
    '50Ku2MHkbgPW',
  ].join(''),
  fingerprint: 'd5285dbd293dd3586d5e2214af05f22dbdfae000',
}

export const keys = { key: testPgpKey, otherKey } as const satisfies Readonly<Record<string, Key>>
export type KeyName = keyof typeof keys

/** Provides `{as}`, a PGP public key in base64. */
export const pgpKey = (as: KeyName) =>
  action(`\`${as}\` is a PGP public key`, { provides: [as] }, async (scope) => {
    scope.save(as, keys[as].publicKey)
  })

/** Returns the content of the message, or undefined if the message is not for the test key. */
export const decrypted = (message: string): Promise<string | undefined> => readPgpToken(message).catch(() => undefined)
