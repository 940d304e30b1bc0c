/** Places of document 3 that speak of TOTP MFA. */
import type { register, Source } from '../../harness/vocabulary/index.ts'

export type Rows = Parameters<typeof register>[1]
export type MfaArea = 'mfa-legacy' | 'mfa-identity'

const variants = { 'mfa-legacy': 'legacy variant (by name)', 'mfa-identity': 'identity variant (by id)' } as const
const methodPath = { 'mfa-legacy': '/sys/mfa/method/totp/:name', 'mfa-identity': '/identity/mfa/method/totp/:id' }
const operations = {
  'mfa-legacy': {
    generate: 'GET /sys/mfa/method/totp/:name/generate',
    'admin-generate': 'POST /sys/mfa/method/totp/:name/admin-generate',
    'admin-destroy': 'POST /sys/mfa/method/:name/admin-destroy',
  },
  'mfa-identity': {
    generate: 'POST /identity/mfa/method/totp/generate',
    'admin-generate': 'POST /identity/mfa/method/totp/admin-generate',
    'admin-destroy': 'POST /identity/mfa/method/totp/admin-destroy',
  },
} as const
export type Operation = keyof (typeof operations)['mfa-legacy']

const withReading = (source: Source, reading?: number): Source => (reading ? { ...source, reading } : source)

export const endpoint = (area: MfaArea, row: string, reading?: number): Source =>
  withReading({ document: 3, section: `Endpoints, TOTP MFA, ${variants[area]}`, row }, reading)
export const methodEndpoint = (area: MfaArea, verb: string, reading?: number): Source =>
  endpoint(area, `${verb} ${methodPath[area]}`, reading)
/** The legacy path of admin-destroy lacks `totp` (reading 29). */
export const operationEndpoint = (area: MfaArea, operation: Operation): Source =>
  endpoint(area, operations[area][operation], area === 'mfa-legacy' && operation === 'admin-destroy' ? 29 : undefined)
export const methodField = (row: string, reading?: number): Source =>
  withReading({ document: 3, section: 'Resources and their fields, TOTP MFA method', row }, reading)
export const secretSource: Source = {
  document: 3,
  section: 'Resources and their fields, TOTP MFA secret',
  row: 'Stored on an identity entity; generated from a method’s configuration',
}
export const transition = (row: string, reading?: number): Source =>
  withReading({ document: 3, section: 'States and transitions', row }, reading)
export const limit = (row: string): Source => ({ document: 3, section: 'Limits', row })
export const authentication = (row: string): Source => ({ document: 3, section: 'Authentication', row })
